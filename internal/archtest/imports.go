package archtest

import (
	"fmt"
	"go/ast"
	"strings"
)

// checkImports returns what the files import or name against the tables. Tests may import anything of
// ours: they look from outside.
func checkImports(files []source) (wrong []string) {
	unplaced := map[string]bool{}
	for _, s := range files {
		if _, ok := layerOf(s.pkg); !ok && !unplaced[s.pkg] {
			unplaced[s.pkg] = true
			wrong = append(wrong, fmt.Sprintf("%s: package %q has no layer; place it in internal/archtest/archtest.go", s.path, s.pkg))
		}
		if s.test {
			continue
		}
		for target, name := range s.imports() {
			wrong = append(wrong, checkImport(s, target, name)...)
		}
	}
	return wrong
}

func checkImport(s source, target, name string) (wrong []string) {
	if own, ok := strings.CutPrefix(target, module); ok {
		if !mayImport(s.pkg, own) {
			wrong = append(wrong, fmt.Sprintf("%s: %s may not import %s", s.path, s.pkg, own))
		}
		return wrong
	}
	if strings.Contains(strings.SplitN(target, "/", 2)[0], ".") {
		return checkThirdParty(s, target)
	}
	for _, r := range restrictions {
		what, selector, _ := strings.Cut(r.what, "#")
		if what != target || covered(r.who, s.pkg) {
			continue
		}
		if selector == "" || uses(s.ast, name, selector) {
			wrong = append(wrong, fmt.Sprintf("%s: %s may not use %s: %s", s.path, s.pkg, r.what, r.why))
		}
	}
	return wrong
}

func mayImport(from, to string) bool {
	a, ok := layerOf(from)
	b, known := layerOf(to)
	if !ok || !known {
		return true // said once, by the package that has no layer
	}
	if b < a {
		return true
	}
	if a != b {
		return false
	}
	for pattern, allowed := range siblings {
		if covers(pattern, from) && covered(allowed, to) {
			return true
		}
	}
	return false
}

func checkThirdParty(s source, target string) []string {
	for _, r := range thirdParty {
		if target != r.what && !strings.HasPrefix(target, r.what+"/") {
			continue
		}
		if covered(r.who, s.pkg) {
			return nil
		}
		return []string{fmt.Sprintf("%s: %s may not import %s: %s", s.path, s.pkg, target, r.why)}
	}
	return []string{fmt.Sprintf("%s: %s is in no table; say in internal/archtest/archtest.go who may import it and why", s.path, target)}
}

// uses says whether the file has the expression name.selector.
func uses(file *ast.File, name, selector string) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == selector {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == name {
				found = true
			}
		}
		return !found
	})
	return found
}

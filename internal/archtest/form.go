package archtest

import (
	"fmt"
	"go/ast"
	"slices"
)

// What a file and a function may grow to. Most should be far smaller; see targets.
const (
	maxFileLines     = 800
	maxFunctionLines = 99
)

// The house's targets over all files: half of them within medianFileLines, nine of ten within p90FileLines.
const (
	medianFileLines = 150
	p90FileLines    = 400
)

// checkSizes returns files and functions that are too long, and says when files as a whole grow.
func checkSizes(files []source) (wrong []string) {
	var lengths []int
	for _, s := range files {
		if s.generated {
			continue
		}
		lengths = append(lengths, s.lines)
		if s.lines > maxFileLines {
			wrong = append(wrong, fmt.Sprintf("%s: %d lines, more than %d", s.path, s.lines, maxFileLines))
		}
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1; n > maxFunctionLines {
				wrong = append(wrong, fmt.Sprintf("%s: %s has %d lines, more than %d", s.at(f), f.Name.Name, n, maxFunctionLines))
			}
		}
	}
	if len(lengths) == 0 {
		return append(wrong, "no Go files found")
	}
	slices.Sort(lengths)
	if n := lengths[len(lengths)/2]; n > medianFileLines {
		wrong = append(wrong, fmt.Sprintf("the median file has %d lines, more than %d", n, medianFileLines))
	}
	if n := lengths[len(lengths)*9/10]; n > p90FileLines {
		wrong = append(wrong, fmt.Sprintf("one file in ten has %d lines or more, the target is %d", n, p90FileLines))
	}
	return wrong
}

// checkDocs returns packages without a comment, and exported names without one.
func checkDocs(files []source) (wrong []string) {
	documented := map[string]bool{}
	first := map[string]string{}
	for _, s := range files {
		if s.test {
			continue
		}
		if first[s.pkg] == "" {
			first[s.pkg] = s.path
		}
		documented[s.pkg] = documented[s.pkg] || s.ast.Doc != nil
		for _, d := range s.ast.Decls {
			for _, node := range undocumented(d) {
				wrong = append(wrong, fmt.Sprintf("%s: %s is exported and has no doc comment", s.at(node), node.Name))
			}
		}
	}
	for pkg, path := range first {
		if !documented[pkg] {
			wrong = append(wrong, fmt.Sprintf("%s: package %s has no doc comment", path, pkg))
		}
	}
	return wrong
}

// undocumented returns the exported names of d that no comment explains. A comment on a group explains
// its constants and variables, as does one at the end of a line.
func undocumented(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && !wellKnown[d.Name.Name] {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() && spec.Doc == nil && (d.Doc == nil || d.Lparen.IsValid()) {
					names = append(names, spec.Name)
				}
			case *ast.ValueSpec:
				if spec.Doc != nil || spec.Comment != nil || d.Doc != nil {
					continue
				}
				for _, name := range spec.Names {
					if name.IsExported() {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// wellKnown are methods whose meaning an interface of the standard library gives.
var wellKnown = map[string]bool{"String": true, "Error": true, "Unwrap": true, "Len": true, "Less": true, "Swap": true,
	"Read": true, "Write": true, "Close": true, "MarshalJSON": true, "UnmarshalJSON": true}

// exportedReceiver says whether f is no method, or one of an exported type.
func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

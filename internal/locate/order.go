package locate

import (
	"path/filepath"
	"sort"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// weights order the effects of one statement when nothing else tells which is meant.
var weights = map[Action]int{
	Backward: 12, RegisterHook: 11, AddGroup: 11, Register: 10, Cache: 10, Append: 9, Extend: 9, Insert: 9, Add: 9,
	SetDefault: 8, SetItem: 8, Update: 7, SetAttr: 7, AugAssign: 7, Assign: 6, InPlace: 5, Yield: 4, Return: 4, Except: 3, Call: 2,
}

// sortByWeight puts the most telling effect first, the outermost of equals.
func sortByWeight(all []effect) {
	sort.SliceStable(all, func(i, j int) bool { return weights[all[i].action] > weights[all[j].action] })
}

// imports returns the paths of the user's files that a source imports, as far as they can be read: beside it,
// in its packages, or below the working directory.
func (l *Locator) imports(s *source, path string) []string {
	dir := filepath.Dir(path)
	var found []string
	for r := range s.Walk(pysyntax.None) {
		switch s.Kind(r) {
		case pysyntax.ImportStatement:
			for c := range s.Children(r) {
				name := c
				if s.Kind(c) == pysyntax.AliasedImport {
					name = s.Child(c, pysyntax.FieldName)
				}
				found = append(found, l.module(dir, s.Text(name))...)
			}
		case pysyntax.ImportFromStatement:
			found = append(found, l.importFrom(s, r, dir)...)
		}
	}
	return found
}

// importFrom follows from a.b import c, where c may be a module itself; leading dots climb from the file's folder.
func (l *Locator) importFrom(s *source, r pysyntax.Ref, dir string) []string {
	module := s.Text(s.Child(r, pysyntax.FieldModuleName))
	name := strings.TrimLeft(module, ".")
	for range max(len(module)-len(name)-1, 0) {
		dir = filepath.Dir(dir)
	}
	var found []string
	if name != "" {
		found = l.module(dir, name)
	}
	for c := range s.Children(r) {
		if s.Node(c).Field != pysyntax.FieldName {
			continue
		}
		if s.Kind(c) == pysyntax.AliasedImport {
			c = s.Child(c, pysyntax.FieldName)
		}
		found = append(found, l.module(dir, strings.TrimPrefix(name+"."+s.Text(c), "."))...)
	}
	return found
}

// module returns the file of a dotted module name, if there is one.
func (l *Locator) module(dir, name string) []string {
	relative := filepath.Join(strings.Split(name, ".")...)
	for _, root := range []string{dir, l.cwd} {
		if root == "" {
			continue
		}
		for _, path := range []string{filepath.Join(root, relative+".py"), filepath.Join(root, relative, "__init__.py")} {
			if _, known := l.sources[path]; known {
				return []string{path}
			}
			if _, err := l.open(path); err == nil {
				return []string{path}
			}
		}
	}
	return nil
}

package locate

import (
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// variable is one way the source refers to a holder: a name of one scope, or an attribute of a class's instances.
type variable struct {
	name      string
	attribute bool
	class     string       // class of the instances that have the attribute, empty if unknown
	source    *source      // file of the scope; nil for attributes
	scope     pysyntax.Ref // scope that binds the name; None is the module
	method    string       // the variable is this bound method of the holder: add = feats.append
	distance  int          // how many aliases lie between it and the holder
}

// Strengths of a match between an expression and a variable.
const (
	noMatch = iota
	weak    // an attribute of that name on something of unknown or other class
	fair    // an attribute of that name on something that is not self
	exact   // the name in its scope, the attribute on self in its class
)

// base strips what leads from a holder to its elements: d of d[k], d.setdefault(k, []), d.values(), (d), await d.
func (s *source) base(r pysyntax.Ref) pysyntax.Ref {
	for {
		switch s.Kind(r) {
		case pysyntax.Subscript:
			r = s.Child(r, pysyntax.FieldValue)
		case pysyntax.ParenthesizedExpression, pysyntax.Await:
			r = s.FirstChild(r)
		case pysyntax.Call:
			callee := s.Child(r, pysyntax.FieldFunction)
			switch s.lastName(callee) {
			case "setdefault", "get", "values", "items":
				r = s.Child(callee, pysyntax.FieldObject)
			default:
				return r
			}
		default:
			return r
		}
	}
}

// match says how surely expression r of s refers to v or one of its elements.
func (l *Locator) match(s *source, r pysyntax.Ref, v variable) int {
	if r == pysyntax.None {
		return noMatch
	}
	r = s.base(r)
	switch s.Kind(r) {
	case pysyntax.Identifier:
		if v.attribute || !s.Says(r, v.name) {
			return noMatch
		}
		return l.matchName(s, r, v)
	case pysyntax.Attribute:
		if !s.Says(s.Child(r, pysyntax.FieldAttribute), v.name) {
			return noMatch
		}
		return l.matchAttribute(s, r, v)
	}
	return noMatch
}

func (l *Locator) matchName(s *source, r pysyntax.Ref, v variable) int {
	scope := s.scopes.Resolve(v.name, r)
	if s == v.source {
		if scope == v.scope {
			return exact
		}
		return noMatch
	}
	if v.scope != pysyntax.None || scope != pysyntax.None {
		return noMatch
	}
	if v.source == nil {
		return weak // a global of a module whose file is not known
	}
	if module := s.importedFrom(v.name); module != "" && module == moduleName(v.source.Path) {
		return exact
	}
	return noMatch
}

func (l *Locator) matchAttribute(s *source, r pysyntax.Ref, v variable) int {
	object := s.Child(r, pysyntax.FieldObject)
	if !v.attribute {
		if v.scope == pysyntax.None && v.source != nil && s != v.source && s.lastName(object) != "" && s.isModule(object, moduleName(v.source.Path)) {
			return exact
		}
		return noMatch
	}
	name := s.Text(object)
	class := s.selfClass(object)
	switch {
	case v.class == "":
		return fair
	case name == v.class || class != "" && l.related(class, v.class):
		return exact
	case class != "":
		return either(l.defined(v.class), noMatch, weak)
	case s.Is(object, pysyntax.Call) && s.lastName(object) == "super":
		return weak
	}
	return fair
}

// selfClass returns the class whose method's first parameter r is, empty if it is something else.
func (s *source) selfClass(r pysyntax.Ref) string {
	if s.Kind(r) != pysyntax.Identifier {
		return ""
	}
	name := s.Text(r)
	scope := s.scopes.Resolve(name, r)
	class := s.Class(scope)
	if class == pysyntax.None {
		return ""
	}
	if p := s.Parameters(scope); len(p) == 0 || p[0] != name || s.static(scope) {
		return ""
	}
	return s.Name(class)
}

func (s *source) static(function pysyntax.Ref) bool {
	for _, d := range s.decorators(s.Parent(function)) {
		if s.lastName(d) == "staticmethod" {
			return true
		}
	}
	return false
}

// related reports whether one class derives from the other, by the names the sources give.
func (l *Locator) related(a, b string) bool {
	return a == b || l.derives(a, b, 8) || l.derives(b, a, 8)
}

// defined reports whether a class is among the sources.
func (l *Locator) defined(class string) bool {
	for _, s := range l.order {
		for _, c := range s.classes() {
			if s.Name(c) == class {
				return true
			}
		}
	}
	return false
}

func (l *Locator) derives(class, from string, depth int) bool {
	if depth == 0 {
		return false
	}
	for _, s := range l.order {
		for _, c := range s.classes() {
			if s.Name(c) != class {
				continue
			}
			for b := range s.Children(s.Child(c, pysyntax.FieldSuperclasses)) {
				name := s.lastName(b)
				if name == from || name != "" && name != class && l.derives(name, from, depth-1) {
					return true
				}
			}
		}
	}
	return false
}

func (s *source) classes() []pysyntax.Ref { return s.all(pysyntax.ClassDefinition) }

// all returns the nodes of one kind.
func (s *source) all(kind pysyntax.Kind) []pysyntax.Ref {
	if s.kinds == nil {
		s.kinds = map[pysyntax.Kind][]pysyntax.Ref{}
		for r := range s.Walk(pysyntax.None) {
			s.kinds[s.Kind(r)] = append(s.kinds[s.Kind(r)], r)
		}
	}
	return s.kinds[kind]
}

// importedFrom returns the last part of the module that name is imported from, empty if it is not.
func (s *source) importedFrom(name string) string {
	for _, r := range s.all(pysyntax.ImportFromStatement) {
		for c := range s.Children(r) {
			if s.Node(c).Field != pysyntax.FieldName {
				continue
			}
			local := c
			if s.Kind(c) == pysyntax.AliasedImport {
				local = s.Child(c, pysyntax.FieldAlias)
			}
			if s.Text(local) == name {
				return lastPart(s.Text(s.Child(r, pysyntax.FieldModuleName)))
			}
		}
	}
	return ""
}

// isModule reports whether object names an imported module called module.
func (s *source) isModule(object pysyntax.Ref, module string) bool {
	name := s.lastName(object)
	if name == module {
		return true
	}
	for _, r := range s.all(pysyntax.AliasedImport) {
		if s.Text(s.Child(r, pysyntax.FieldAlias)) == name && lastPart(s.Text(s.Child(r, pysyntax.FieldName))) == module {
			return true
		}
	}
	return false
}

func lastPart(dotted string) string {
	return dotted[strings.LastIndexByte(dotted, '.')+1:]
}

// moduleName returns the name a file is imported by, without its packages.
func moduleName(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if name == "__init__" {
		return filepath.Base(filepath.Dir(path))
	}
	return name
}

package locate

import (
	"regexp"
	"sort"
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Scores of statements as the one that closes a circle: the way back is at fault, not the way there.
const (
	refersBack   = 70 // child.owner = self
	contextValue = 68 // ctx.y = y
	givenOwner   = 64 // self._parent = parent, the constructor's argument
	boundMethod  = 60 // layer.activation = self.activation
	closesOver   = 60 // self.callback = lambda: self.state; a hook that uses self
	passesSelf   = 50 // self._store = Storage(self)
	keptProblem  = 45 // self.last = error, in its except clause
	keepsOther   = 35 // self.children.append(child)
	recursive    = 30 // def visit(node): … visit(child)
	ownClass     = 6  // the statement stands in a class of the circle
)

// Closes returns the statements that may close the circle of references that a holder stands for, best first.
func (l *Locator) Closes(h evidence.Holder) []Place {
	l.Consider(h.Scope.File)
	parts := circle(h)
	var found []candidate
	for _, s := range l.order {
		for _, e := range s.effects {
			if score := s.closes(h, e, parts); score > 0 {
				found = append(found, candidate{s, e, score})
			}
		}
		if parts["function"] {
			found = append(found, s.recursions()...)
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].score > found[j].score })
	return l.places(found)
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// circle returns the classes, attributes and names on the way round.
func circle(h evidence.Holder) map[string]bool {
	parts := map[string]bool{}
	for _, text := range []string{h.Path, h.Type, h.Scope.Class, h.Scope.Name} {
		for _, name := range word.FindAllString(text, -1) {
			parts[name] = true
		}
	}
	return parts
}

// closes scores one effect; 0 means that it closes no circle of these parts.
func (s *source) closes(h evidence.Holder, e effect, parts map[string]bool) int {
	score := 0
	switch {
	case e.value == pysyntax.None:
	case e.action == RegisterHook:
		if strings.Contains(h.Path, "_hooks") && s.capturesSelf(e.value) {
			score = closesOver
		}
	case s.stores(e) && parts[s.attribute(e.target)]:
		score = max(s.wayBack(e), s.judgeException(e)*keptProblem/60)
		if s.judgeContext(h, e) > 0 {
			score = contextValue
		}
	}
	if score == 0 {
		return 0
	}
	if class := s.Class(s.outermost(e.node)); class != pysyntax.None && parts[s.Name(class)] {
		score += ownClass
	}
	return score
}

// attribute is the attribute that an expression writes to, empty for anything else.
func (s *source) attribute(target pysyntax.Ref) string {
	if target = s.base(target); s.Kind(target) == pysyntax.Attribute {
		return s.Text(s.Child(target, pysyntax.FieldAttribute))
	}
	return ""
}

// wayBack scores what is stored in an attribute of the circle.
func (s *source) wayBack(e effect) int {
	value := e.value
	switch {
	case s.selfClass(value) != "":
		return refersBack
	case s.Is(value, pysyntax.Attribute, pysyntax.Lambda) && s.capturesSelf(value):
		return boundMethod
	case s.Kind(value) == pysyntax.Identifier && s.capturesSelf(value):
		return closesOver
	case s.Kind(value) == pysyntax.Call && s.passesSelf(value):
		return passesSelf
	case s.Kind(value) == pysyntax.Identifier && s.parameter(value, s.Function(e.node)):
		return either(s.Name(s.Function(e.node)) == "__init__" && e.action == Assign, givenOwner, keepsOther)
	}
	return 0
}

// capturesSelf reports whether a value carries the object whose method this is: a bound method of it, or a function
// made here that uses it.
func (s *source) capturesSelf(value pysyntax.Ref) bool {
	switch s.Kind(value) {
	case pysyntax.Attribute:
		object := s.Child(value, pysyntax.FieldObject)
		return s.selfClass(object) != "" && s.method(object, s.Text(s.Child(value, pysyntax.FieldAttribute)))
	case pysyntax.Lambda:
		return s.usesSelf(value)
	case pysyntax.Call:
		return s.lastName(value) == "partial" && (s.passesSelf(value) || s.capturesSelf(s.argument(value, 0)))
	case pysyntax.Identifier:
		for _, f := range s.all(pysyntax.FunctionDefinition) {
			if s.Says(s.Child(f, pysyntax.FieldName), s.Text(value)) && s.Function(f) == s.Function(value) && s.Function(f) != pysyntax.None {
				return s.usesSelf(f)
			}
		}
	}
	return false
}

// method reports whether the class that object is an instance of defines a method of that name.
func (s *source) method(object pysyntax.Ref, name string) bool {
	class := s.Class(s.scopes.Resolve(s.Text(object), object))
	for _, f := range s.all(pysyntax.FunctionDefinition) {
		if s.Class(f) == class && s.Name(f) == name {
			return true
		}
	}
	return false
}

// usesSelf reports whether a function made inside a method reads that method's object.
func (s *source) usesSelf(function pysyntax.Ref) bool {
	for r := range s.Walk(function) {
		if s.Kind(r) == pysyntax.Identifier && s.scopes.Resolve(s.Text(r), r) != function && s.selfClass(r) != "" {
			return true
		}
	}
	return false
}

func (s *source) passesSelf(call pysyntax.Ref) bool {
	for a := range s.Children(s.Child(call, pysyntax.FieldArguments)) {
		if s.Kind(a) == pysyntax.KeywordArgument {
			a = s.Child(a, pysyntax.FieldValue)
		}
		if s.selfClass(a) != "" || s.capturesSelf(a) {
			return true
		}
	}
	return false
}

// recursions returns the functions made inside others that call themselves: each refers to itself by its own closure.
func (s *source) recursions() []candidate {
	var found []candidate
	for _, f := range s.all(pysyntax.FunctionDefinition) {
		outer := s.Function(f)
		if outer == pysyntax.None || s.Class(f) != pysyntax.None {
			continue
		}
		name := s.Name(f)
		for r := range s.Walk(s.Body(f)) {
			if s.Kind(r) == pysyntax.Identifier && s.Says(r, name) && s.scopes.Resolve(name, r) == outer {
				found = append(found, candidate{s, effect{action: Other, statement: f, node: f}, recursive})
				break
			}
		}
	}
	return found
}

// outermost is the outermost function around r, the method of a function made inside one.
func (s *source) outermost(r pysyntax.Ref) pysyntax.Ref {
	function := s.Function(r)
	for {
		outer := s.Function(function)
		if function == pysyntax.None || outer == pysyntax.None {
			return function
		}
		function = outer
	}
}

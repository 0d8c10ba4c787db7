package locate

import (
	"iter"
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Emptying is the statement that empties a container or cuts it down, or the condition under which alone it is filled.
type Emptying struct {
	Location finding.Location
	Most     int64 // entries that the container has at most; 0 where the sources do not tell
}

// Empties returns the statement that empties the container h, makes it anew or cuts it down to its newest entries, if
// the source comes back to one as the training goes on and keeps it nowhere else; or the condition under which alone it is
// filled, if that is a bound. Taking single entries out empties nothing: as many may go in.
func (l *Locator) Empties(h evidence.Holder) (Emptying, bool) {
	if h.Kind != "container" {
		return Emptying{}, false
	}
	l.Consider(h.Scope.File)
	if _, kept := l.Escape(h); kept {
		return Emptying{}, false // what is emptied is another one each time
	}
	for _, v := range l.variables(h) {
		if v.method != "" {
			continue
		}
		for _, s := range l.order {
			if r := l.emptying(s, v); r != pysyntax.None {
				return Emptying{s.location(r), l.limit(s, r, v)}, true
			}
		}
		if at, remade := l.remade(v); remade && !Chained(h.Path) && h.Elements != v.class {
			return at, true
		}
		if at, full := l.filledUp(h, v); full {
			return at, true
		}
	}
	return Emptying{}, false
}

// remade returns the statement that makes the object anew whose attribute v is, if its constructor gives it an empty
// container: a meter of each epoch.
func (l *Locator) remade(v variable) (Emptying, bool) {
	if !v.attribute || v.class == "" || v.distance > 0 || !l.bornEmpty(v) {
		return Emptying{}, false
	}
	for s, call := range l.calls(v.class) {
		function := s.Function(call)
		inLoop := s.Enclosing(call, pysyntax.ForStatement, pysyntax.WhileStatement)
		if s.Name(function) != "__init__" && s.replaces(call) && (inLoop > function || function != pysyntax.None && l.repeated(s.Name(function))) {
			return Emptying{Location: s.location(s.Statement(call))}, true
		}
	}
	return Emptying{}, false
}

// replaces reports whether what a call makes is given a name or a key, and stored nowhere else under that name.
func (s *source) replaces(call pysyntax.Ref) bool {
	return s.Kind(s.Parent(call)) == pysyntax.Assignment && len(s.kept(call)) == 0
}

// kept returns what stores the thing that a call makes in something else, by the name that it is given.
func (s *source) kept(call pysyntax.Ref) []effect {
	target := s.Child(s.Parent(call), pysyntax.FieldLeft)
	if target == pysyntax.None {
		return nil
	}
	var all []effect
	for _, e := range s.effects {
		if s.stores(e) && s.Is(e.value, pysyntax.Identifier, pysyntax.Attribute) && s.Text(e.value) == s.Text(target) && s.Function(e.node) == s.Function(call) {
			all = append(all, e)
		}
	}
	return all
}

// bornEmpty reports whether the constructor gives the attribute v an empty container.
func (l *Locator) bornEmpty(v variable) bool {
	for _, s := range l.order {
		for _, e := range s.effects {
			if e.action == Assign && s.Name(s.Function(e.node)) == "__init__" && s.hollow(e.value) && l.match(s, e.target, v) == exact {
				return true
			}
		}
	}
	return false
}

// limit is how many entries the condition of a statement, or the slice that it makes, leaves v at most, 0 if that cannot
// be told.
func (l *Locator) limit(s *source, statement pysyntax.Ref, v variable) int64 {
	if l.measured(s, statement, v) {
		return l.compared(s, s.Child(s.branch(statement), pysyntax.FieldCondition), v)
	}
	if s.Kind(statement) == pysyntax.DeleteStatement {
		return 0
	}
	for c := range s.Walk(statement) {
		if text := s.Text(c); s.Kind(c) == pysyntax.Slice && (strings.HasPrefix(text, ":") || strings.HasPrefix(text, "-") && strings.HasSuffix(text, ":")) {
			n := s.FirstChild(c)
			if strings.HasPrefix(text, "-") {
				n = s.Child(n, pysyntax.FieldArgument)
			}
			return l.most(s, n)
		}
	}
	return 0
}

// compared is the number that a condition compares the length of v with, 0 for none.
func (l *Locator) compared(s *source, condition pysyntax.Ref, v variable) int64 {
	for r := range s.Walk(condition) {
		if s.Kind(r) != pysyntax.ComparisonOperator || !l.mentioned(s, r, v) {
			continue
		}
		for c := range s.Children(r) {
			if most := l.most(s, c); most > 0 && !l.mentioned(s, c, v) {
				return most
			}
		}
	}
	return 0
}

// below is a condition that holds while something is shorter than a bound.
var below = regexp.MustCompile(`len\([^()]*\)\s*(<|<=|!=)\s`)

// filledUp returns the condition under which alone h is filled, if it is that h is shorter than a bound: every statement
// that was seen to make it longer, or where none was, every one in sight that does.
func (l *Locator) filledUp(h evidence.Holder, v variable) (at Emptying, full bool) {
	for _, w := range h.Writes {
		frames := l.innermost(w.Frames)
		if len(frames) == 0 {
			return at, false
		}
		s, effects := l.effectsAt(frames[0])
		if len(effects) == 0 {
			return at, false
		}
		if h.Type == "list" && effects[0].action == SetItem {
			continue // in place of another entry
		}
		if at, full = l.guard(s, effects[0].statement, v); !full {
			return at, false
		}
	}
	if full {
		return at, true
	}
	for _, s := range l.order {
		for _, e := range s.effects {
			if !lengthens[e.action] || l.match(s, e.target, v) == noMatch {
				continue
			}
			if at, full = l.guard(s, e.statement, v); !full {
				return at, false
			}
		}
	}
	return at, full
}

// lengthens are the actions that make a list longer.
var lengthens = map[Action]bool{Append: true, Extend: true, Insert: true, Add: true, Update: true}

// guard returns the condition that a statement runs under, if it is that v is shorter than a bound.
func (l *Locator) guard(s *source, statement pysyntax.Ref, v variable) (Emptying, bool) {
	if !l.measured(s, statement, v) {
		return Emptying{}, false
	}
	around := s.branch(statement)
	condition := s.Child(around, pysyntax.FieldCondition)
	guarded := below.MatchString(s.Text(condition)) && s.Within(statement, s.Child(around, pysyntax.FieldConsequence))
	return Emptying{s.location(around), l.compared(s, condition, v)}, guarded
}

// branch is the if or while that a statement stands in.
func (s *source) branch(statement pysyntax.Ref) pysyntax.Ref {
	return s.Enclosing(s.Parent(statement), pysyntax.IfStatement, pysyntax.WhileStatement)
}

// emptying returns a statement of s that empties v again and again.
func (l *Locator) emptying(s *source, v variable) pysyntax.Ref {
	for _, e := range s.effects {
		if l.empties(s, e, v) && l.returns(s, e, v) {
			return e.statement
		}
	}
	for _, r := range s.all(pysyntax.DeleteStatement) { // del x[:], del x[:-n], del x[k] where x is full
		c := s.FirstChild(r)
		if (s.sliced(c) || s.Is(c, pysyntax.Subscript) && l.measured(s, r, v)) && l.match(s, c, v) != noMatch && l.comesBack(s, r, v) {
			return r
		}
	}
	return pysyntax.None
}

// empties reports whether an effect leaves nothing of what v keeps, or only the newest.
func (l *Locator) empties(s *source, e effect, v variable) bool {
	switch e.action {
	case Assign: // to another name of it, or to one of its elements, it does nothing
		return v.distance == 0 && s.base(e.target) == e.target && l.match(s, e.target, v) != noMatch && (s.hollow(e.value) || l.cuts(s, e.value, v))
	case SetItem: // x[:] = …
		return s.sliced(s.Child(e.node, pysyntax.FieldLeft)) && l.match(s, e.target, v) != noMatch && (s.hollow(e.value) || l.cuts(s, e.value, v))
	case Call:
		object := s.Child(e.target, pysyntax.FieldObject)
		switch {
		case object == pysyntax.None || s.base(object) != object || l.match(s, object, v) == noMatch:
			return false
		case e.method == "clear":
			return true
		}
		return (e.method == "pop" || e.method == "popleft" || e.method == "popitem") && l.measured(s, e.statement, v)
	}
	return false
}

// hollow reports whether an expression is a container without entries, or none.
func (s *source) hollow(r pysyntax.Ref) bool {
	switch s.Kind(r) {
	case pysyntax.List, pysyntax.Dictionary, pysyntax.Tuple:
		return s.FirstChild(r) == pysyntax.None
	case pysyntax.NoneValue:
		return true
	case pysyntax.Call:
		switch s.lastName(r) {
		case "list", "dict", "set", "OrderedDict", "Counter":
			return s.argument(r, 0) == pysyntax.None
		case "deque", "defaultdict":
			return s.argument(r, 0) == pysyntax.None || s.Is(s.argument(r, 0), pysyntax.Identifier, pysyntax.Lambda)
		}
	}
	return false
}

// cuts reports whether an expression is a slice made of what v keeps.
func (l *Locator) cuts(s *source, r pysyntax.Ref, v variable) bool {
	return s.sliced(r) && l.mentioned(s, r, v)
}

// sliced reports whether an expression is a slice of another.
func (s *source) sliced(r pysyntax.Ref) bool {
	if s.Kind(r) != pysyntax.Subscript {
		return false
	}
	for c := range s.Children(r) {
		if s.Kind(c) == pysyntax.Slice {
			return true
		}
	}
	return false
}

// measured reports whether a statement runs behind a look at how long v is.
func (l *Locator) measured(s *source, statement pysyntax.Ref, v variable) bool {
	around := s.branch(statement)
	condition := s.Child(around, pysyntax.FieldCondition)
	return around != pysyntax.None && strings.Contains(s.Text(condition), "len(") && l.mentioned(s, condition, v)
}

func (l *Locator) mentioned(s *source, r pysyntax.Ref, v variable) bool {
	for c := range s.Walk(r) {
		if s.Is(c, pysyntax.Identifier, pysyntax.Attribute) && l.match(s, c, v) != noMatch {
			return true
		}
	}
	return false
}

// returns reports whether the source comes back to an effect while v lives on: the first making of a variable or of
// an object's attributes is no emptying.
func (l *Locator) returns(s *source, e effect, v variable) bool {
	switch name := s.Name(s.Function(e.node)); name {
	case "__init__", "__new__", "__post_init__":
		return e.action != Assign || !s.hollow(e.value)
	}
	return l.comesBack(s, e.node, v)
}

// repeated reports whether a function of that name is called in a loop.
func (l *Locator) repeated(name string) bool {
	for o, call := range l.calls(name) {
		if o.loop(call, o.Function(call)) != pysyntax.None {
			return true
		}
	}
	return false
}

// calls yields the calls of anything of that name.
func (l *Locator) calls(name string) iter.Seq2[*source, pysyntax.Ref] {
	return func(yield func(*source, pysyntax.Ref) bool) {
		for _, s := range l.order {
			for _, e := range s.effects {
				if e.method == name && s.Kind(e.node) == pysyntax.Call && !yield(s, e.node) {
					return
				}
			}
		}
	}
}

// comesBack reports whether a place is reached again and again: in a loop of the function that v belongs to, or in one
// that something calls.
func (l *Locator) comesBack(s *source, r pysyntax.Ref, v variable) bool {
	function := s.Function(r)
	if function == pysyntax.None || !v.attribute && v.scope == function {
		return s.loop(r, function) != pysyntax.None || function != pysyntax.None && l.repeated(s.Name(function))
	}
	name := s.Name(function)
	if name == "<lambda>" || name == "forward" || strings.HasPrefix(name, "__") || strings.HasPrefix(name, "on_") {
		return true // a lambda, or what Python or a framework calls
	}
	for range l.calls(name) {
		return true
	}
	return false
}

package rule

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Repeats says how often a place in a training runs.
type Repeats uint8

// Repeats, from seldom to often.
const (
	Once     Repeats = iota // as far as is known
	PerEpoch                // once a pass over the data, or once a trial
	PerStep                 // once a batch
)

// Often returns how often the call at c runs as the training goes on: by the loops around it, by what its function is
// to PyTorch, and by where that function is called.
func Often(p *Pass, c *pyflow.Call) Repeats { return often(p, c, map[*pyflow.Function]bool{}) }

func often(p *Pass, c *pyflow.Call, seen map[*pyflow.Function]bool) Repeats {
	found := Once
	for l := c.Loop; l != nil; l = l.Outer {
		switch {
		case l.Once || l.Node == pysyntax.None: // the function itself is no loop
		case !turns(p, c.Function, l):
			if overData(p.File, l.Node, c.Node) {
				found = PerEpoch
			}
		case l.Epochs:
			found = PerEpoch
		default:
			return PerStep
		}
	}
	fn := c.Function
	if fn == nil || fn.Node == pysyntax.None {
		return found
	}
	switch fn.Role {
	case pyflow.Forward, pyflow.Hook, pyflow.FunctionForward, pyflow.FunctionBackward, pyflow.TrainingStep, pyflow.EvaluationStep:
		return PerStep
	}
	if seen[fn] {
		return found
	}
	seen[fn] = true
	EachCall(p, func(caller *pyflow.Call) {
		if caller.Function == fn || !reaches(p, caller, fn) {
			return
		}
		conditions := Conditions(p.File, caller.Node, Turn(p, caller))
		if firstOnly(p.File, conditions, fn.Node) {
			return
		}
		by := often(p, caller, seen)
		if len(conditions) > 0 {
			by = min(by, PerEpoch) // now and then
		}
		found = max(found, by)
	})
	return found
}

// firstOnly reports whether one of the conditions asks for a flag that fn, or what stands under the condition, sets:
// `if not self.ready: self.prepare()`.
func firstOnly(f *pysyntax.File, conditions []pysyntax.Ref, fn pysyntax.Ref) bool {
	for _, c := range conditions {
		for r := range f.Walk(c) {
			flag := pysyntax.None
			if f.Kind(r) == pysyntax.NotOperator || f.Kind(r) == pysyntax.ComparisonOperator && strings.HasSuffix(f.Text(r), " is None") {
				flag = f.FirstChild(r)
			}
			if flag != pysyntax.None && (sets(f, fn, f.Text(flag)) || sets(f, f.Parent(c), f.Text(flag))) {
				return true
			}
		}
	}
	return false
}

// sets reports whether a statement within node assigns to the name or attribute.
func sets(f *pysyntax.File, node pysyntax.Ref, name string) bool {
	for r := range f.Walk(node) {
		if f.Kind(r) == pysyntax.Assignment && f.Says(f.Child(r, pysyntax.FieldLeft), name) {
			return true
		}
	}
	return false
}

// reaches reports whether a call may be one of fn: it is known to be, it makes an object of which fn is the
// constructor, or it calls a method of that name on an object that nothing is known of, and no other class of the
// file has one.
func reaches(p *Pass, caller *pyflow.Call, fn *pyflow.Function) bool {
	if caller.Callee != nil {
		return caller.Callee.File == p.File && caller.Callee.Node == fn.Node
	}
	class, method, ok := strings.Cut(fn.Name, ".")
	if !ok || strings.Contains(method, ".") {
		return false
	}
	if method == "__init__" {
		return caller.Name == class
	}
	if caller.Name != "."+method || caller.Object.Class != "" || oneOfMany(p.File, caller) {
		return false
	}
	for _, other := range p.Flow.Functions {
		if other != fn && strings.HasSuffix(other.Name, "."+method) {
			return false
		}
	}
	return true
}

// oneOfMany reports whether a method is called on what the loop around counts or looks up: once on each, however many
// there are.
func oneOfMany(f *pysyntax.File, c *pyflow.Call) bool {
	object := f.Descend(c.Node, pysyntax.FieldFunction, pysyntax.FieldObject)
	return c.Loop != nil && f.Kind(object) == pysyntax.Identifier && BoundWithin(f, object, c.Loop.Node)
}

// overData reports whether loop goes over something again and again: there is a loop in it, around which node does not
// stand, that hands each of its elements to somebody.
func overData(f *pysyntax.File, loop, node pysyntax.Ref) bool {
	for r := range f.Walk(loop) {
		if f.Kind(r) != pysyntax.ForStatement || r == loop || f.Within(node, r) || f.Function(r) != f.Function(loop) {
			continue
		}
		right := f.Child(r, pysyntax.FieldRight)
		if f.Kind(right) == pysyntax.Call && f.Says(f.Child(right, pysyntax.FieldFunction), "enumerate") {
			right = f.FirstChild(f.Child(right, pysyntax.FieldArguments))
		}
		if f.Is(right, pysyntax.Identifier, pysyntax.Attribute) && handsOn(f, r) {
			return true
		}
	}
	return false
}

// handsOn reports whether the body of a for statement calls something with what it counts.
func handsOn(f *pysyntax.File, loop pysyntax.Ref) bool {
	names := map[string]bool{}
	for r := range f.Walk(f.Child(loop, pysyntax.FieldLeft)) {
		if f.Kind(r) == pysyntax.Identifier {
			names[f.Text(r)] = true
		}
	}
	for r := range f.Walk(f.Child(loop, pysyntax.FieldBody)) {
		if f.Kind(r) == pysyntax.Identifier && f.Kind(f.Parent(r)) == pysyntax.ArgumentList && names[f.Text(r)] {
			return true
		}
	}
	return false
}

// turns reports whether the rounds of l are those of a training or an evaluation: it trains, goes over a loader, or
// runs a module.
func turns(p *Pass, fn *pyflow.Function, l *pyflow.Loop) bool {
	if l.Trains || l.Loader {
		return true
	}
	if fn == nil {
		return false
	}
	for _, c := range fn.Calls {
		if c.Result.Any(pyflow.Activation) && p.File.Within(c.Node, l.Node) {
			return true
		}
	}
	return false
}

// Turn returns the outermost loop around c that is gone round as the training goes on, None where a call of the
// function is such a turn.
func Turn(p *Pass, c *pyflow.Call) pysyntax.Ref {
	found := pysyntax.None
	for l := c.Loop; l != nil; l = l.Outer {
		if !l.Once && l.Node != pysyntax.None && turns(p, c.Function, l) {
			found = l.Node
		}
	}
	return found
}

// Conditions returns the conditions that stand between node and the loop or function around it: what is done every
// hundredth step, or only the first time.
func Conditions(f *pysyntax.File, node, outer pysyntax.Ref) []pysyntax.Ref {
	var found []pysyntax.Ref
	child := node
	for a := range f.Ancestors(node) {
		switch f.Kind(a) {
		case pysyntax.FunctionDefinition, pysyntax.Lambda, pysyntax.ClassDefinition:
			return found
		case pysyntax.IfStatement, pysyntax.ElifClause:
			if c := f.Child(a, pysyntax.FieldCondition); c != child && c != pysyntax.None {
				found = append(found, c)
			}
		case pysyntax.ConditionalExpression, pysyntax.ExceptClause:
			found = append(found, a)
		}
		if a == outer {
			break
		}
		child = a
	}
	return found
}

// Every reports whether one of the conditions lets something happen again and again, such as `step % 100 == 0`. Other
// conditions may let it happen once only.
func Every(f *pysyntax.File, conditions []pysyntax.Ref) bool {
	for _, c := range conditions {
		if strings.Contains(f.Text(c), "%") {
			return true
		}
	}
	return false
}

// Keyword returns the keyword argument of a call, false where it is not there.
func Keyword(c *pyflow.Call, name string) (pyflow.Arg, bool) {
	for _, a := range c.Args {
		if a.Name == name {
			return a, true
		}
	}
	return pyflow.Arg{}, false
}

// Positional returns the argument that stands at index without a name, false where there is none.
func Positional(c *pyflow.Call, index int) (pyflow.Arg, bool) {
	for _, a := range c.Args {
		if a.Name != "" {
			continue
		}
		if index == 0 {
			return a, true
		}
		index--
	}
	return pyflow.Arg{}, false
}

// EachCall calls do with every call of the file.
func EachCall(p *Pass, do func(c *pyflow.Call)) {
	for _, fn := range p.Flow.Functions {
		for _, c := range fn.Calls {
			do(c)
		}
	}
}

// Phrase says it in a sentence.
func (r Repeats) Phrase() string {
	if r == PerStep {
		return "in every step"
	}
	return "again and again as the training goes on"
}

// MadeWithin reports whether the object that expression begins with ("model" of model.body[0]) is given its value
// within outer by a call: it is a new one each time. What is only looked up in an older object is not new.
func MadeWithin(f *pysyntax.File, expression, outer pysyntax.Ref) bool {
	return outer != pysyntax.None && madeWithin(f, expression, outer, 4)
}

// lookups are methods that return what their object has already.
var lookups = map[string]bool{"get_submodule": true, "get_parameter": true, "modules": true, "children": true, "named_modules": true,
	"named_children": true, "parameters": true, "named_parameters": true, "items": true, "values": true, "get": true, "named_buffers": true}

func madeWithin(f *pysyntax.File, expression, outer pysyntax.Ref, depth int) bool {
	base := expression
	for f.Is(base, pysyntax.Attribute, pysyntax.Subscript, pysyntax.Call) {
		switch f.Kind(base) {
		case pysyntax.Attribute:
			if Constructs(f, base, outer) {
				return true
			}
			base = f.Child(base, pysyntax.FieldObject)
		case pysyntax.Subscript:
			base = f.Child(base, pysyntax.FieldValue)
		default:
			callee := f.Child(base, pysyntax.FieldFunction)
			if f.Kind(callee) != pysyntax.Attribute || !lookups[f.Text(f.Child(callee, pysyntax.FieldAttribute))] {
				return f.Within(base, outer)
			}
			base = f.Child(callee, pysyntax.FieldObject)
		}
	}
	if f.Kind(base) != pysyntax.Identifier || depth == 0 {
		return false
	}
	name := f.Text(base)
	for r := range f.Walk(outer) {
		left := pysyntax.None
		if f.Is(r, pysyntax.Assignment, pysyntax.ForStatement, pysyntax.ForInClause) {
			left = f.Child(r, pysyntax.FieldLeft)
		}
		if left == pysyntax.None || !binds(f, left, name) {
			continue
		}
		right := f.Child(r, pysyntax.FieldRight)
		if right != pysyntax.None && right != expression && madeWithin(f, right, outer, depth-1) {
			return true
		}
	}
	return false
}

// Constructs reports whether an attribute is given what a call of a class returns, within outer.
func Constructs(f *pysyntax.File, attribute, outer pysyntax.Ref) bool {
	for r := range f.Walk(outer) {
		if f.Kind(r) != pysyntax.Assignment || !f.Says(f.Child(r, pysyntax.FieldLeft), f.Text(attribute)) {
			continue
		}
		callee := f.Text(f.Child(f.Child(r, pysyntax.FieldRight), pysyntax.FieldFunction))
		if last := callee[strings.LastIndexByte(callee, '.')+1:]; last != "" && last[0] >= 'A' && last[0] <= 'Z' {
			return true
		}
	}
	return false
}

// ManyRounds returns the innermost loop around c that goes round more than a few times and has no end in sight: over
// something that is no short list or range, and that no break leaves.
func ManyRounds(f *pysyntax.File, c *pyflow.Call) pysyntax.Ref {
	for l := c.Loop; l != nil; l = l.Outer {
		if !l.Once && l.Node != pysyntax.None && !Short(f, l.Node) {
			return l.Node
		}
	}
	return pysyntax.None
}

// Short reports whether a loop is left after a few rounds: by a break, an islice, a small range or a display.
func Short(f *pysyntax.File, loop pysyntax.Ref) bool {
	if !f.Is(loop, pysyntax.ForStatement, pysyntax.WhileStatement) {
		return true // a comprehension
	}
	if right := f.Child(loop, pysyntax.FieldRight); right != pysyntax.None {
		if strings.Contains(f.Text(right), "islice(") || fewItems(f, right) {
			return true
		}
	}
	for r := range f.Walk(loop) {
		if f.Kind(r) == pysyntax.BreakStatement && f.Enclosing(r, pysyntax.ForStatement, pysyntax.WhileStatement) == loop {
			return true
		}
	}
	return false
}

// fewItems reports whether an iterable is a display, or a range to a number of at most two digits.
func fewItems(f *pysyntax.File, right pysyntax.Ref) bool {
	switch f.Kind(right) {
	case pysyntax.List, pysyntax.Tuple, pysyntax.Set, pysyntax.Dictionary, pysyntax.ExpressionList:
		return true
	case pysyntax.Call:
		arguments := f.Child(right, pysyntax.FieldArguments)
		switch f.Text(f.Child(right, pysyntax.FieldFunction)) {
		case "range":
			last := pysyntax.None
			for a := range f.Children(arguments) {
				last = a
			}
			return f.Kind(last) == pysyntax.Integer && len(f.Text(last)) <= 2
		case "enumerate", "reversed", "sorted", "zip", "tqdm", "trange":
			return arguments != pysyntax.None && f.FirstChild(arguments) != pysyntax.None && fewItems(f, f.FirstChild(arguments))
		}
	}
	return false
}

// BoundWithin reports whether the name that expression begins with is given a value anywhere within outer.
func BoundWithin(f *pysyntax.File, expression, outer pysyntax.Ref) bool {
	for f.Is(expression, pysyntax.Attribute, pysyntax.Subscript) {
		expression = f.FirstChild(expression)
	}
	if f.Kind(expression) != pysyntax.Identifier {
		return true // not a name: it may be another object each time
	}
	name := f.Text(expression)
	for r := range f.Walk(outer) {
		if f.Is(r, pysyntax.Assignment, pysyntax.ForStatement, pysyntax.ForInClause) {
			if left := f.Child(r, pysyntax.FieldLeft); left != pysyntax.None && binds(f, left, name) {
				return true
			}
		}
	}
	return false
}

// binds reports whether the target of an assignment is or has the plain name.
func binds(f *pysyntax.File, target pysyntax.Ref, name string) bool {
	for r := range f.Walk(target) {
		if f.Kind(r) == pysyntax.Identifier && f.Says(r, name) && !f.Is(f.Parent(r), pysyntax.Attribute, pysyntax.Subscript) {
			return true
		}
	}
	return false
}

package hookperstep

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// registrations are the methods and functions that add to a table of hooks, which lives as long as its module,
// optimizer or parameter; the global ones live as long as the process.
var registrations = map[string]bool{"register_forward_hook": true, "register_forward_pre_hook": true,
	"register_full_backward_hook": true, "register_full_backward_pre_hook": true, "register_backward_hook": true,
	"register_module_forward_hook": true, "register_module_forward_pre_hook": true, "register_module_full_backward_hook": true,
	"register_state_dict_pre_hook": true, "register_load_state_dict_post_hook": true, "register_step_post_hook": true,
	"register_step_pre_hook": true, "register_optimizer_step_post_hook": true, "register_optimizer_step_pre_hook": true,
	"register_comm_hook": true, "register_post_accumulate_grad_hook": true, "register_hook": true}

func check(p *rule.Pass) {
	for _, fn := range p.Flow.Functions {
		for _, c := range fn.Calls {
			name := c.Name[strings.LastIndexByte(c.Name, '.')+1:]
			if !registrations[name] || rule.Often(p, c) == rule.Once || !lasting(p.File, c, name) {
				continue
			}
			turn := rule.Turn(p, c)
			conditions := rule.Conditions(p.File, c.Node, turn)
			if len(conditions) > 0 && !rule.Every(p.File, conditions) && guards(p.File, conditions) {
				continue
			}
			if removed(p.File, c) || ownObject(p.File, c, turn) {
				continue
			}
			p.Report(rule.Mark{At: c.Node, Severity: rule.Heavy, Fix: repair(p, fn, c),
				Why: fmt.Sprintf("`%s` adds a hook %s and none is removed. Each keeps its function and all it closes over, and runs in every later pass.",
					p.File.Text(p.File.Child(c.Node, pysyntax.FieldFunction)), rule.Often(p, c).Phrase())})
		}
	}
}

// lasting reports whether the table that is added to outlives the step: that of a tensor made in it goes with it.
func lasting(f *pysyntax.File, c *pyflow.Call, name string) bool {
	if name != "register_hook" && name != "register_post_accumulate_grad_hook" {
		return true
	}
	if c.Object.Any(pyflow.Parameter | pyflow.Net) {
		return true
	}
	object := f.Descend(c.Node, pysyntax.FieldFunction, pysyntax.FieldObject)
	if f.Kind(object) == pysyntax.Attribute {
		attribute := f.Text(f.Child(object, pysyntax.FieldAttribute))
		return attribute == "weight" || attribute == "bias"
	}
	return f.Kind(object) == pysyntax.Identifier && parameterOf(f, c.Node, f.Text(object))
}

// parameterOf reports whether name counts the parameters of a module in a loop around node.
func parameterOf(f *pysyntax.File, node pysyntax.Ref, name string) bool {
	for a := range f.Ancestors(node) {
		if !f.Is(a, pysyntax.ForStatement, pysyntax.ListComprehension) {
			continue
		}
		for r := range f.Walk(a) {
			if f.Is(r, pysyntax.ForStatement, pysyntax.ForInClause) && strings.Contains(f.Text(f.Child(r, pysyntax.FieldRight)), "parameters(") {
				for t := range f.Walk(f.Child(r, pysyntax.FieldLeft)) {
					if f.Kind(t) == pysyntax.Identifier && f.Says(t, name) {
						return true
					}
				}
			}
		}
	}
	return false
}

// guards reports whether a condition looks as if it held once only.
func guards(f *pysyntax.File, conditions []pysyntax.Ref) bool {
	for _, c := range conditions {
		for r := range f.Walk(c) {
			if f.Is(r, pysyntax.NotOperator, pysyntax.NoneValue, pysyntax.ComparisonOperator) {
				return true
			}
		}
	}
	return false
}

// removed reports whether the handle of the call goes somewhere where it may be removed: into a with statement, to the
// caller, into another call, or under a name on which remove is called.
func removed(f *pysyntax.File, c *pyflow.Call) bool {
	child := c.Node
	for a := range f.Ancestors(c.Node) {
		switch f.Kind(a) {
		case pysyntax.WithItem, pysyntax.ReturnStatement, pysyntax.Yield, pysyntax.Lambda:
			return true
		case pysyntax.Attribute:
			return f.Text(f.Child(a, pysyntax.FieldAttribute)) == "remove"
		case pysyntax.Assignment, pysyntax.NamedExpression, pysyntax.AugmentedAssignment:
			return removesName(f, c, f.Child(a, pysyntax.FieldLeft))
		case pysyntax.ArgumentList:
			if callee := f.Child(f.Parent(a), pysyntax.FieldFunction); !stores(f, callee) {
				return true // handed on, such as to an ExitStack
			}
			return removes(f, c.Node)
		case pysyntax.ExpressionStatement, pysyntax.Block:
			return false
		}
		child = a
	}
	return child == pysyntax.None
}

// stores reports whether callee is a method that only keeps what it is given.
func stores(f *pysyntax.File, callee pysyntax.Ref) bool {
	switch f.Text(f.Child(callee, pysyntax.FieldAttribute)) {
	case "append", "extend", "add", "insert":
		return true
	}
	return false
}

// removesName reports whether the handle kept under target is removed. A plain name in a loop over modules means the
// last of the handles only: it must be removed in the same round, or be put somewhere else.
func removesName(f *pysyntax.File, c *pyflow.Call, target pysyntax.Ref) bool {
	if f.Kind(target) != pysyntax.Identifier || c.Loop == nil {
		return removes(f, c.Node)
	}
	name, here, elsewhere, used := f.Text(target), false, false, false
	for r := range f.Walk(f.Function(c.Node)) {
		if f.Kind(r) != pysyntax.Identifier || r == target || !f.Says(r, name) {
			continue
		}
		a := f.Parent(r)
		switch {
		case f.Kind(a) == pysyntax.Attribute && f.Says(f.Child(a, pysyntax.FieldAttribute), "remove"):
			here = here || f.Within(r, c.Loop.Node)
			elsewhere = true
		case f.Node(r).Field != pysyntax.FieldLeft:
			used = true
		}
	}
	if elsewhere && !used {
		return here
	}
	return removes(f, c.Node)
}

// removes reports whether handles are removed anywhere in the class or function that node stands in.
func removes(f *pysyntax.File, node pysyntax.Ref) bool {
	around := f.Enclosing(node, pysyntax.ClassDefinition)
	if around == pysyntax.None {
		around = f.Function(node)
	}
	for r := range f.Walk(around) {
		if f.Kind(r) == pysyntax.Attribute && f.Says(f.Child(r, pysyntax.FieldAttribute), "remove") {
			if call := f.Parent(r); f.Kind(call) != pysyntax.Call || f.FirstChild(f.Child(call, pysyntax.FieldArguments)) == pysyntax.None {
				return true
			}
		}
	}
	return false
}

// ownObject reports whether what the hook is registered on is made anew: within turn, or by the function each time.
func ownObject(f *pysyntax.File, c *pyflow.Call, turn pysyntax.Ref) bool {
	object := f.Descend(c.Node, pysyntax.FieldFunction, pysyntax.FieldObject)
	if f.Kind(object) == pysyntax.Attribute && rule.Constructs(f, object, f.Function(c.Node)) {
		return true
	}
	return object != pysyntax.None && turn != pysyntax.None && rule.MadeWithin(f, object, turn)
}

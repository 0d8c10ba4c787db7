package growingcontainer

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// metrics finds metrics with lists as states (`add_state("preds", default=[])`) that are updated in every step of a
// training and never reset.
func metrics(p *rule.Pass) {
	if !p.File.Mentions(".update(") {
		return
	}
	rule.EachCall(p, func(c *pyflow.Call) {
		f := p.File
		object := f.Descend(c.Node, pysyntax.FieldFunction, pysyntax.FieldObject)
		name := f.Text(object)
		if c.Loop == nil || !c.Loop.Trains || f.Kind(object) != pysyntax.Identifier || !f.Says(f.Child(c.Node, pysyntax.FieldFunction), name+".update") {
			return
		}
		class := classOf(f, f.Function(c.Node), name)
		state := listState(p, class)
		if state == "" || handedOn(f, f.Function(c.Node), name) {
			return
		}
		p.Report(rule.Mark{At: c.Node, Severity: rule.Heavy, Fix: reset(f, c, name),
			Why: fmt.Sprintf("`%s` adds to its list `%s` in every step, and nothing resets it: each value is of all steps so far.", name, state)})
	})
}

// classOf names the class that a variable of the function is made of, empty where that is not plain.
func classOf(f *pysyntax.File, function pysyntax.Ref, name string) string {
	for r := range f.Walk(function) {
		if f.Kind(r) == pysyntax.Assignment && f.Says(f.Child(r, pysyntax.FieldLeft), name) {
			return f.Text(f.Child(f.Child(r, pysyntax.FieldRight), pysyntax.FieldFunction))
		}
	}
	return ""
}

// listState names a state of a class in sight that is a list and is appended to, empty where there is none.
func listState(p *rule.Pass, class string) string {
	if class == "" {
		return ""
	}
	for _, f := range p.Flow.Near() {
		for r := range f.Children(pysyntax.None) {
			if f.Kind(r) != pysyntax.ClassDefinition || f.Name(r) != class {
				continue
			}
			for a := range f.Walk(r) {
				if f.Kind(a) != pysyntax.Call || !f.Says(f.Child(a, pysyntax.FieldFunction), "self.add_state") {
					continue
				}
				text := strings.ReplaceAll(f.Text(f.Child(a, pysyntax.FieldArguments)), " ", "")
				state := strings.Trim(f.Text(f.FirstChild(f.Child(a, pysyntax.FieldArguments))), `"'`)
				if (strings.Contains(text, ",default=[]") || strings.Contains(text, ",[]")) && strings.Contains(f.Text(r), "self."+state+".append(") {
					return state
				}
			}
		}
	}
	return ""
}

// handedOn reports whether a function resets the variable, returns it, or gives it to somebody who may.
func handedOn(f *pysyntax.File, function pysyntax.Ref, name string) bool {
	for r := range f.Walk(function) {
		if f.Kind(r) != pysyntax.Identifier || !f.Says(r, name) || f.Node(r).Field == pysyntax.FieldLeft {
			continue
		}
		parent := f.Parent(r)
		if f.Kind(parent) != pysyntax.Attribute || f.Says(f.Child(parent, pysyntax.FieldAttribute), "reset") {
			return true
		}
	}
	return false
}

// reset starts the metric anew behind the statement in a loop that computes its value. The value is of one pass then, and not
// of all: it is not safe.
func reset(f *pysyntax.File, c *pyflow.Call, name string) *rule.Edit {
	e := &rule.Edit{Summary: fmt.Sprintf("Call `%s.reset()` once its value was computed.", name)}
	for _, other := range c.Function.Calls {
		if other.Loop == nil || !f.Says(f.Child(other.Node, pysyntax.FieldFunction), name+".compute") {
			continue
		}
		if edits, err := patch.Behind(f, f.Statement(other.Node), name+".reset()"); err == nil {
			e.Edits = edits
		}
	}
	return e
}

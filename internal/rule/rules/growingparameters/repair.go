package growingparameters

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// passing takes the group of one round's parameter out again at the end of that round.
func passing(f *pysyntax.File, c *pyflow.Call) *rule.Edit {
	e := &rule.Edit{Summary: "Give the optimizer all parameters once; where one is for a round only, take its group and its state out again at the end of it."}
	object, loop := f.Text(f.Descend(c.Node, pysyntax.FieldFunction, pysyntax.FieldObject)), c.Loop.Node
	body := f.Body(loop)
	last := pysyntax.None
	for s := range f.Children(body) {
		last = s
	}
	name := groupOf(f, c)
	if name == "" || last == pysyntax.None || !rule.BoundWithin(f, nameWithin(f, c.Node, name), loop) || strings.Contains(f.Text(body), "continue") {
		return e
	}
	if edits, err := patch.Behind(f, last, "del "+object+".param_groups[-1]\n"+object+".state.pop("+name+", None)"); err == nil {
		e.Edits = edits
	}
	return e
}

// groupOf names the one parameter of `add_param_group({"params": [p], …})`.
func groupOf(f *pysyntax.File, c *pyflow.Call) string {
	group, ok := rule.Positional(c, 0)
	if !ok || f.Kind(group.Node) != pysyntax.Dictionary {
		return ""
	}
	for pair := range f.Children(group.Node) {
		if f.Kind(pair) != pysyntax.Pair || strings.Trim(f.Text(f.Child(pair, pysyntax.FieldKey)), `"'`) != "params" {
			continue
		}
		value := f.Child(pair, pysyntax.FieldValue)
		if only := f.FirstChild(value); f.Kind(value) == pysyntax.List && f.Kind(only) == pysyntax.Identifier && f.NextSibling(only) == pysyntax.None {
			return f.Text(only)
		}
	}
	return ""
}

// nameWithin returns the identifier of that name within node.
func nameWithin(f *pysyntax.File, node pysyntax.Ref, name string) pysyntax.Ref {
	for r := range f.Walk(node) {
		if f.Kind(r) == pysyntax.Identifier && f.Says(r, name) {
			return r
		}
	}
	return pysyntax.None
}

// replaced finds functions that put a new parameter in the place of an old one and leave the old one's state with the
// optimizer: the state is keyed by the parameter, so both stay.
func replaced(p *rule.Pass) {
	f := p.File
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.Assignment || f.Kind(f.Parent(r)) != pysyntax.ExpressionStatement {
			continue
		}
		state, key := stateEntry(f, f.Child(r, pysyntax.FieldLeft))
		function := f.Function(r)
		if state == "" || function == pysyntax.None || !makesParameter(f, function, key) {
			continue
		}
		old := pysyntax.None
		text := f.Text(function)
		for c := range f.Walk(function) {
			if s, k := stateEntry(f, c); s == state && k != key && f.Node(c).Field != pysyntax.FieldLeft {
				old = c
			}
		}
		if old == pysyntax.None || strings.Contains(text, "del "+state+"[") || strings.Contains(text, state+".pop(") {
			continue
		}
		n := f.Node(old)
		p.Report(rule.Mark{At: f.Parent(r), Severity: rule.Heavy,
			Why: fmt.Sprintf("`%s` gets an entry for the new parameter and keeps that of the one it takes the place of: both stay, with the old parameter.", state),
			Fix: &rule.Edit{Summary: "Take the old parameter's state out when it is read: `.pop()`.", Edits: []patch.Edit{
				{Start: n.Start, End: n.End, Text: state + ".pop(" + f.Text(f.Child(old, pysyntax.FieldSubscript)) + ")"}}}})
	}
}

// stateEntry returns the state and the key of `optimizer.state[p]`.
func stateEntry(f *pysyntax.File, r pysyntax.Ref) (state, key string) {
	if f.Kind(r) != pysyntax.Subscript {
		return "", ""
	}
	state = f.Text(f.Child(r, pysyntax.FieldValue))
	if !strings.HasSuffix(state, ".state") || !strings.Contains(strings.ToLower(state), "optim") {
		return "", ""
	}
	return state, f.Text(f.Child(r, pysyntax.FieldSubscript))
}

// makesParameter reports whether a function gives name a new parameter.
func makesParameter(f *pysyntax.File, function pysyntax.Ref, name string) bool {
	for r := range f.Walk(function) {
		right := f.Child(r, pysyntax.FieldRight)
		if f.Kind(r) == pysyntax.Assignment && right != pysyntax.None && f.Says(f.Child(r, pysyntax.FieldLeft), name) && strings.Contains(f.Text(right), "Parameter(") {
			return true
		}
	}
	return false
}

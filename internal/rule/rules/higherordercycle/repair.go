package higherordercycle

import (
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// repair asks for the gradient of the leaf by torch.autograd.grad, which puts nothing into `.grad`. Other leaves of the
// graph, such as the parameters, get no gradient then: it is not safe.
func repair(f *pysyntax.File, c *pyflow.Call) *rule.Edit {
	e := &rule.Edit{Summary: "Ask for the gradients by `torch.autograd.grad(…, create_graph=True)`, or set `.grad = None` once they are used."}
	statement := f.Parent(c.Node)
	if f.Kind(statement) != pysyntax.ExpressionStatement || c.Name != ".backward" || !onlyKeywords(f, c) || !f.Mentions("import torch\n") {
		return e
	}
	what := f.Text(f.Descend(c.Node, pysyntax.FieldFunction, pysyntax.FieldObject))
	reads, of := gradients(f, statement)
	if len(reads) == 0 {
		return e
	}
	n := f.Node(statement)
	var text, read string
	if dict, key := entries(f, reads[0], of); dict != "" && len(reads) == 1 {
		name := dict + "_grads"
		text, read = name+" = dict(zip("+dict+", torch.autograd.grad("+what+", list("+dict+".values()), create_graph=True)))", name+"["+key+"]"
	} else if dict == "" {
		read = of + "_grad"
		text = read + ", = torch.autograd.grad(" + what + ", " + of + ", create_graph=True)"
	}
	if text == "" || f.Mentions(strings.TrimRight(read, "]")) {
		return e
	}
	e.Edits = []patch.Edit{{Start: n.Start, End: n.End, Text: text}}
	for _, r := range reads {
		e.Edits = append(e.Edits, patch.Edit{Start: f.Node(r).Start, End: f.Node(r).End, Text: read})
	}
	return e
}

// onlyKeywords reports whether the call is told nothing that torch.autograd.grad would have to be told too.
func onlyKeywords(f *pysyntax.File, c *pyflow.Call) bool {
	for _, a := range c.Args {
		if a.Name != "create_graph" && a.Name != "retain_graph" {
			return false
		}
	}
	return true
}

// gradients returns the reads of `x.grad` behind a statement in its function, where they are all of one x.
func gradients(f *pysyntax.File, statement pysyntax.Ref) (reads []pysyntax.Ref, of string) {
	for r := range f.Walk(f.Function(statement)) {
		if r < statement || f.Kind(r) != pysyntax.Attribute || !f.Says(f.Child(r, pysyntax.FieldAttribute), "grad") || f.Function(r) != f.Function(statement) {
			continue
		}
		object := f.Child(r, pysyntax.FieldObject)
		if f.Kind(object) != pysyntax.Identifier || f.Says(object, "autograd") || f.Says(object, "torch") {
			continue
		}
		switch name := f.Text(object); {
		case f.Node(r).Field == pysyntax.FieldLeft:
			return reads, of // from here on it is another's
		case of != "" && of != name && reads != nil:
			return nil, ""
		default:
			reads, of = append(reads, r), name
		}
	}
	return reads, of
}

// entries names the dictionary that a read of `w.grad` goes through, as in `{k: w.grad for k, w in fast.items()}`, and the
// key it has there; nothing for what is no entry. A read in a loop over something else has a dictionary "?".
func entries(f *pysyntax.File, read pysyntax.Ref, of string) (dict, key string) {
	for a := range f.Ancestors(read) {
		if f.Kind(a) == pysyntax.FunctionDefinition {
			break
		}
		loop := a
		for c := range f.Children(a) {
			if f.Kind(c) == pysyntax.ForInClause {
				loop = c
			}
		}
		left, right := f.Child(loop, pysyntax.FieldLeft), f.Child(loop, pysyntax.FieldRight)
		if !f.Is(loop, pysyntax.ForInClause, pysyntax.ForStatement) || !mentions(f, left, of) {
			continue
		}
		names := strings.Split(strings.Trim(strings.ReplaceAll(f.Text(left), " ", ""), "()"), ",")
		name, items := strings.CutSuffix(f.Text(right), ".items()")
		if items && len(names) == 2 && names[1] == of && !strings.ContainsAny(name, ".()[]") {
			return name, names[0]
		}
		return "?", ""
	}
	return "", ""
}

func mentions(f *pysyntax.File, r pysyntax.Ref, name string) bool {
	for c := range f.Walk(r) {
		if f.Kind(c) == pysyntax.Identifier && f.Says(c, name) {
			return true
		}
	}
	return false
}

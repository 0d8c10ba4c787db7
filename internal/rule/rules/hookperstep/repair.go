package hookperstep

import (
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// repair takes the hook off again once the passes that it is for are done. A hook that was meant to stay, for a pass
// somewhere else, does nothing then: it is not safe.
func repair(p *rule.Pass, fn *pyflow.Function, c *pyflow.Call) *rule.Edit {
	e := &rule.Edit{Summary: summary}
	if edits := within(p.File, fn, c); edits != nil {
		e.Summary, e.Edits = "Keep it for the rest of the block only: a hook's handle removes it when its `with` ends.", edits
	} else if edits := eachRemoved(p.File, c); edits != nil {
		e.Summary, e.Edits = "Keep the handles of all hooks that the loop registers, and remove each of them.", edits
	}
	return e
}

// within makes the handle the head of a block of what follows, where that runs a module.
func within(f *pysyntax.File, fn *pyflow.Function, c *pyflow.Call) []patch.Edit {
	statement := f.Parent(c.Node)
	if f.Kind(statement) != pysyntax.ExpressionStatement || f.Kind(f.Parent(statement)) != pysyntax.Block {
		return nil
	}
	last := passes(f, fn, statement)
	if last == pysyntax.None {
		return nil
	}
	edits, err := patch.Around(f, statement, last, "with "+f.Text(c.Node)+":")
	if err != nil {
		return nil
	}
	return edits
}

// passes returns the last statement behind one, in the same block, that runs a module or goes backward; None where no
// module is run there.
func passes(f *pysyntax.File, fn *pyflow.Function, statement pysyntax.Ref) pysyntax.Ref {
	first, last, forward := f.Node(statement).After, pysyntax.None, false
	for _, c := range fn.Calls {
		if c.Node < first || c.Node >= f.Node(f.Parent(statement)).After {
			continue
		}
		runs := c.Result.Any(pyflow.Activation) || c.Object.Any(pyflow.Net) && c.Result.Any(pyflow.Graph)
		if forward = forward || runs; runs || strings.HasSuffix(c.Name, ".backward") {
			last = max(last, c.Node)
		}
	}
	if !forward {
		return pysyntax.None
	}
	for f.Parent(last) != f.Parent(statement) {
		last = f.Parent(last)
	}
	return last
}

// eachRemoved collects the handles of `handle = m.register_…` in a loop whose last one only is removed behind it.
func eachRemoved(f *pysyntax.File, c *pyflow.Call) []patch.Edit {
	assignment := f.Parent(c.Node)
	loop := f.Enclosing(c.Node, pysyntax.ForStatement)
	if f.Kind(assignment) != pysyntax.Assignment || loop == pysyntax.None || f.Function(loop) != f.Function(c.Node) {
		return nil
	}
	name := f.Text(f.Child(assignment, pysyntax.FieldLeft))
	list := name + "s"
	if f.Kind(f.Child(assignment, pysyntax.FieldLeft)) != pysyntax.Identifier || strings.Contains(f.Text(f.Function(loop)), list) {
		return nil
	}
	removal := removalBehind(f, loop, name)
	if removal == pysyntax.None {
		return nil
	}
	edits, err := patch.Before(f, loop, list+" = []")
	if err != nil {
		return nil
	}
	each, err := patch.Replace(f, f.Parent(removal), "for "+name+" in "+list+":\n\t"+name+".remove()")
	if err != nil {
		return nil
	}
	a, n := f.Node(assignment), f.Node(c.Node)
	return append(append(edits, each...), patch.Edit{Start: a.Start, End: n.Start, Text: list + ".append("}, patch.Edit{Start: n.End, End: n.End, Text: ")"})
}

// removalBehind returns the call `name.remove()` in a block around the loop and behind it, where it is all that the
// name is used for.
func removalBehind(f *pysyntax.File, loop pysyntax.Ref, name string) pysyntax.Ref {
	found := pysyntax.None
	for r := range f.Walk(f.Function(loop)) {
		if f.Kind(r) != pysyntax.Identifier || !f.Says(r, name) || f.Node(r).Field == pysyntax.FieldLeft {
			continue
		}
		call := f.Parent(f.Parent(r))
		if f.Within(r, loop) || r < loop || found != pysyntax.None || !f.Says(f.Parent(r), name+".remove") || f.Kind(f.Parent(call)) != pysyntax.ExpressionStatement {
			return pysyntax.None
		}
		found = call
	}
	return found
}

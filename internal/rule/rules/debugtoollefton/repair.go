package debugtoollefton

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// profiled is how many steps a fix lets a profiler see.
const profiled = 4

// sooner stops what is started before a loop over numbers, and stopped behind it, after a few rounds. What it shows is of
// those rounds then: it is not safe.
func sooner(f *pysyntax.File, c *pyflow.Call) []patch.Edit {
	name := variable(f, c.Node)
	if name == "" {
		return nil
	}
	loop := pysyntax.None
	for r := f.NextSibling(f.Statement(c.Node)); r != pysyntax.None; r = f.NextSibling(r) {
		switch {
		case counts(f, r):
			loop = r
		case loop != pysyntax.None && stops(f, r, name):
			drop, err := patch.Drop(f, r)
			if err != nil {
				return nil
			}
			counter := f.Text(f.Child(loop, pysyntax.FieldLeft))
			stop, err := patch.Before(f, f.FirstChild(f.Body(loop)), fmt.Sprintf("if %s == %d:\n\t%s", counter, profiled, f.Text(r)))
			if err != nil {
				return nil
			}
			return append(stop, drop...)
		}
	}
	return nil
}

// counts reports whether a statement is a loop over the numbers from 0 that goes round more than a few times.
func counts(f *pysyntax.File, r pysyntax.Ref) bool {
	if f.Kind(r) != pysyntax.ForStatement || f.Kind(f.Child(r, pysyntax.FieldLeft)) != pysyntax.Identifier {
		return false
	}
	right := f.Child(r, pysyntax.FieldRight)
	end := f.FirstChild(f.Child(right, pysyntax.FieldArguments))
	return f.Kind(right) == pysyntax.Call && f.Says(f.Child(right, pysyntax.FieldFunction), "range") && end != pysyntax.None && f.NextSibling(end) == pysyntax.None && !rule.Short(f, r)
}

// stops reports whether a statement stops the tool of that name.
func stops(f *pysyntax.File, r pysyntax.Ref, name string) bool {
	call := f.FirstChild(r)
	if f.Kind(r) != pysyntax.ExpressionStatement || f.Kind(call) != pysyntax.Call {
		return false
	}
	callee := f.Child(call, pysyntax.FieldFunction)
	return f.Says(callee, name+".stop") || f.Says(callee, name+".__exit__")
}

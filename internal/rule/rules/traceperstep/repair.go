package traceperstep

import (
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// repair does it once, behind the training loop, where the loop has a statement for it: what was to be had in between is
// not there then, so it is not safe.
func repair(p *rule.Pass, c *pyflow.Call) *rule.Edit {
	e := &rule.Edit{Summary: "Do it once, before the loop or after it; what must be exported periodically can be exported in a child process that ends."}
	at := c
	if at.Loop == nil { // a function of its own: what calls it is to be moved
		var callers []*pyflow.Call
		rule.EachCall(p, func(other *pyflow.Call) {
			if c.Function != nil && other.Callee != nil && other.Callee.File == p.File && other.Callee.Node == c.Function.Node {
				callers = append(callers, other)
			}
		})
		if len(callers) != 1 {
			return e
		}
		at = callers[0]
	}
	if at.Loop == nil || !at.Loop.Trains {
		return e
	}
	e.Edits = moved(p.File, p.File.Statement(at.Node), at.Loop.Node)
	return e
}

// moved takes a statement, with the condition for it alone, out of a loop and puts it behind that, where nothing else in the
// loop uses what it makes.
func moved(f *pysyntax.File, statement, loop pysyntax.Ref) []patch.Edit {
	text := f.Text(statement)
	if strings.Contains(text, "\n") || made(f, statement, loop) {
		return nil
	}
	whole := statement
	for up := f.Parent(whole); up != f.Body(loop); up = f.Parent(whole) {
		if f.Kind(up) == pysyntax.Block && f.FirstChild(up) == whole && f.NextSibling(whole) == pysyntax.None ||
			f.Kind(up) == pysyntax.IfStatement && f.NextSibling(f.Body(up)) == pysyntax.None {
			whole = up
			continue
		}
		return nil
	}
	out, err := patch.Drop(f, whole)
	if err != nil {
		return nil
	}
	behind, err := patch.Behind(f, loop, text)
	if err != nil {
		return nil
	}
	return append(out, behind...)
}

// made reports whether the loop uses a name that the statement assigns to.
func made(f *pysyntax.File, statement, loop pysyntax.Ref) bool {
	assignment := f.FirstChild(statement)
	if f.Kind(assignment) != pysyntax.Assignment {
		return false
	}
	left := f.Child(assignment, pysyntax.FieldLeft)
	if f.Kind(left) != pysyntax.Identifier {
		return true
	}
	for r := range f.Walk(loop) {
		if f.Kind(r) == pysyntax.Identifier && f.Says(r, f.Text(left)) && !f.Within(r, statement) {
			return true
		}
	}
	return false
}

package tensorcache

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// workspaces finds what the forward of an autograd function leaves for its backward in a dictionary that outlives both, and
// that backward only reads.
func workspaces(p *rule.Pass) {
	f := p.File
	for _, fn := range p.Flow.Functions {
		if fn.Role != pyflow.FunctionForward || len(f.Parameters(fn.Node)) == 0 {
			continue
		}
		ctx := f.Parameters(fn.Node)[0]
		backward := f.Method(f.Class(fn.Node), "backward")
		for r := range f.Walk(fn.Node) {
			if f.Kind(r) != pysyntax.Assignment || backward == pysyntax.None {
				continue
			}
			left := f.Child(r, pysyntax.FieldLeft)
			key := f.Text(f.Child(left, pysyntax.FieldSubscript))
			if f.Kind(left) != pysyntax.Subscript || !strings.HasPrefix(key, ctx+".") {
				continue
			}
			holder := f.Text(f.Child(left, pysyntax.FieldValue))
			reads := readsOf(f, backward, f.Text(left))
			if strings.HasPrefix(holder, ctx+".") || len(reads) == 0 || takesOut(f, holder) {
				continue
			}
			m := rule.Mark{At: f.Statement(r), Severity: rule.Heavy, Fix: &rule.Edit{Summary: "Take it out where backward reads it: `.pop()`; or save it with `ctx.save_for_backward()`."},
				Why: fmt.Sprintf("`%s` gets an entry from every forward, for its backward, and nothing takes one out.", holder)}
			if len(reads) == 1 {
				m.Fix.Edits = taken(f, f.Statement(r), reads[0], holder, ctx)
			}
			p.Report(m)
		}
	}
}

// taken leaves an entry where a backward will come for it, and takes it out there. A second backward through the same graph
// finds none: it is not safe.
func taken(f *pysyntax.File, store, read pysyntax.Ref, holder, ctx string) []patch.Edit {
	edits, err := patch.Replace(f, store, "if any("+ctx+".needs_input_grad):\n\t"+f.Text(store))
	if err != nil || strings.Contains(f.Text(store), "\n") {
		return nil
	}
	n := f.Node(read)
	return append(edits, patch.Edit{Start: n.Start, End: n.End, Text: holder + ".pop(" + f.Text(f.Child(read, pysyntax.FieldSubscript)) + ")"})
}

func readsOf(f *pysyntax.File, function pysyntax.Ref, entry string) []pysyntax.Ref {
	var found []pysyntax.Ref
	for r := range f.Walk(function) {
		if f.Kind(r) == pysyntax.Subscript && f.Says(r, entry) && f.Node(r).Field != pysyntax.FieldLeft {
			found = append(found, r)
		}
	}
	return found
}

// takesOut reports whether anything in the file takes entries out of a dictionary.
func takesOut(f *pysyntax.File, holder string) bool {
	name := holder[strings.LastIndexByte(holder, '.')+1:]
	return f.Mentions(name+".pop", name+".clear(", "del "+holder, "del cls."+name, "del self."+name)
}

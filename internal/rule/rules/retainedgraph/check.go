package retainedgraph

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func check(p *rule.Pass) {
	for _, fn := range p.Flow.Functions {
		for _, c := range fn.Calls {
			flag, ok := rule.Keyword(c, "retain_graph")
			if !ok || p.File.Kind(flag.Node) != pysyntax.TrueValue || !backward(c) {
				continue
			}
			turn := innermost(c)
			kept := keeper(p.File, fn, turn)
			switch {
			case again(p.File, fn, c, turn):
				continue // another backward goes through the same graph
			case kept != nil:
				p.Report(rule.Mark{At: c.Node, Severity: rule.Heavy, Fix: without(p.File, c, "retain_graph"),
					Why: fmt.Sprintf("`retain_graph=True` leaves the saved activations in the graph, and `%s` refers to graphs of earlier steps: whole forwards stay instead of their bare nodes.",
						kept.Holder.Path)})
			case turn != pysyntax.None && forward(p.File, fn, turn):
				p.Report(rule.Mark{At: c.Node, Severity: rule.Remark, Fix: without(p.File, c, "retain_graph"),
					Why: "No second backward goes through this graph, so `retain_graph=True` only keeps the activations until the next step takes their place, and hides a tensor carried over from the step before."})
			}
		}
	}
}

// backward reports whether c is a backward pass, of a tensor, of torch.autograd, or by a framework.
func backward(c *pyflow.Call) bool {
	switch c.Name[strings.LastIndexByte(c.Name, '.')+1:] {
	case "backward", "manual_backward":
		return true
	}
	return false
}

// innermost is the loop that the call stands in, None where a call of the function is the step.
func innermost(c *pyflow.Call) pysyntax.Ref {
	if c.Loop == nil {
		return pysyntax.None
	}
	return c.Loop.Node
}

// again reports whether the same round goes backward, or asks for gradients, a second time behind c, or whether the
// loop around c has no forward of its own: each round then goes through the same graph.
func again(f *pysyntax.File, fn *pyflow.Function, c *pyflow.Call, turn pysyntax.Ref) bool {
	for _, other := range fn.Calls {
		if other.Node <= c.Node || turn != pysyntax.None && !f.Within(other.Node, turn) {
			continue
		}
		if name := other.Name; backward(other) || name == "torch.autograd.grad" || strings.HasPrefix(name[strings.LastIndexByte(name, '.')+1:], "backward") {
			return true
		}
	}
	return turn != pysyntax.None && !forward(f, fn, turn)
}

// forward reports whether a module is called within turn.
func forward(f *pysyntax.File, fn *pyflow.Function, turn pysyntax.Ref) bool {
	for _, c := range fn.Calls {
		if f.Within(c.Node, turn) && (c.Result.Any(pyflow.Activation) || c.Object.Any(pyflow.Net) && c.Result.Any(pyflow.Graph)) {
			return true
		}
	}
	return false
}

// keeper is a store of the function that lets a graph live on behind the step.
func keeper(f *pysyntax.File, fn *pyflow.Function, turn pysyntax.Ref) *pyflow.Store {
	for _, s := range fn.Stores {
		if s.Holder == nil || !s.Again || (s.What.Traits|s.What.Parts)&(pyflow.Graph|pyflow.Spent) == 0 || turn != pysyntax.None && !f.Within(s.At, turn) {
			continue
		}
		if s.How == pyflow.Assigned && s.Holder.Scope == pyflow.Local || s.Holder.Emptied || s.Holder.Bounded {
			continue
		}
		return s
	}
	return nil
}

// without is the call without a keyword. It may be that something relies on the graph all the same: not safe.
func without(f *pysyntax.File, c *pyflow.Call, keyword string) *rule.Edit {
	edit := &rule.Edit{Summary: "Leave out `retain_graph=True`, and detach the tensor that is carried over or kept."}
	if e, ok := patch.WithoutKeyword(f, c.Node, keyword); ok {
		edit.Edits = []patch.Edit{e}
	}
	return edit
}

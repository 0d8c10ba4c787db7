package higherordercycle

import (
	"strings"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	for _, f := range p.Flow.Functions {
		for _, c := range f.Calls {
			if (c.Name == ".backward" || c.Name == "torch.autograd.backward") && createsGraph(p.File, c) && !cut(p.File, c.Node) {
				p.Report(rule.Mark{At: p.File.Statement(c.Node), Severity: rule.Heavy, Fix: repair(p.File, c),
					Why: "create_graph=True leaves gradients with a graph in `.grad`, and that graph refers back to the leaf: a cycle through C++ that no collector frees, one for every call."})
			}
		}
	}
}

func createsGraph(f *pysyntax.File, c *pyflow.Call) bool {
	for _, a := range c.Args {
		if a.Name == "create_graph" && f.Kind(a.Node) == pysyntax.TrueValue {
			return true
		}
	}
	return false
}

// cut reports whether the gradients are set to None around: by hand, or by an optimizer where they are those of
// its parameters and not of a leaf made here.
func cut(f *pysyntax.File, call pysyntax.Ref) bool {
	text := f.Text(f.Function(call)) // of the whole file where no function is around
	if strings.Contains(text, ".grad = None") {
		return true
	}
	leaf := strings.Contains(text, "requires_grad_(") || strings.Contains(text, "requires_grad=True") || strings.Contains(text, "requires_grad = True")
	return !leaf && strings.Contains(text, "zero_grad(") && !strings.Contains(text, "set_to_none=False")
}

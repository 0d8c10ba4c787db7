package zerogradsettononefalse

import (
	"bytes"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func check(p *rule.Pass) {
	if bytes.Contains(p.File.Source, []byte("torch.cuda.graph")) || bytes.Contains(p.File.Source, []byte("CUDAGraph")) {
		return // a captured graph needs the gradients where they are
	}
	rule.EachCall(p, func(c *pyflow.Call) {
		if !strings.HasSuffix(c.Name, ".zero_grad") {
			return
		}
		argument, ok := rule.Keyword(c, "set_to_none")
		if !ok || p.File.Kind(argument.Node) != pysyntax.FalseValue {
			return
		}
		n := p.File.Node(argument.Node)
		p.Report(rule.Mark{At: c.Node, Severity: rule.Remark, Why: reason, Fix: &rule.Edit{
			Summary: summary, // code that reads a gradient before the first backward finds None
			Edits:   []patch.Edit{{Start: n.Start, End: n.End, Text: "True"}},
		}})
	})
}

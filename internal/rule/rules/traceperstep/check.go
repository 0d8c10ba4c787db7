package traceperstep

import (
	"fmt"
	"slices"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

var functions = []string{"torch.jit.trace", "torch.jit.script", "torch.jit.trace_module", "torch.jit.freeze", "torch.compile",
	"torch.export.export", "torch.onnx.export"}

func check(p *rule.Pass) {
	rule.EachCall(p, func(c *pyflow.Call) {
		if !slices.Contains(functions, c.Name) {
			return
		}
		traced, ok := rule.Positional(c, 0)
		if !ok {
			return // a decorator with options
		}
		often, turn := rule.Often(p, c), rule.Turn(p, c)
		switch {
		case often == rule.Once:
			// The same module again in each round of any loop is one set of functions a round, whatever the loop is for.
			if turn = rule.ManyRounds(p.File, c); turn == pysyntax.None || rule.BoundWithin(p.File, traced.Node, turn) {
				return
			}
		case often == rule.PerEpoch && rule.MadeWithin(p.File, traced.Node, turn):
			return // a trial with a module of its own, of which there is a handful
		}
		if conditions := rule.Conditions(p.File, c.Node, turn); len(conditions) > 0 && !rule.Every(p.File, conditions) {
			return // once, when it is wanted first
		}
		p.Report(rule.Mark{At: c.Node, Severity: rule.Light, Fix: repair(p, c),
			Why: fmt.Sprintf("`%s` is called %s. Each call registers types and functions that are not freed with the Python object: host memory that nothing in Python refers to.",
				calledAs(p.File, c), often.Phrase())})
	})
}

func calledAs(f *pysyntax.File, c *pyflow.Call) string {
	return f.Text(f.Child(c.Node, pysyntax.FieldFunction))
}

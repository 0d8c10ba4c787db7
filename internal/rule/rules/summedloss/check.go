package summedloss

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	for f, s := range p.Kept(Rule.Name) {
		m := rule.Mark{At: s.At, Severity: rule.Cost(s), Why: fmt.Sprintf(
			"`%s`%s is a running sum of tensors with a graph, so its own graph grows by that of every round. %s", s.Holder.Path, rule.Through(s), rule.Behind(s))}
		if s.Term != pysyntax.None {
			m.Fix = rule.Cut(p, f, s, []pysyntax.Ref{s.Term}, ".detach()", "Add the value without its graph: `.detach()`, or `.item()` for a plain number.")
		}
		p.Report(m)
	}
}

package carriedstate

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	optimizers(p)
	for _, s := range p.Kept(Rule.Name) {
		p.Report(rule.Mark{At: s.At, Severity: rule.Cost(s), Why: fmt.Sprintf(
			"`%s`%s is computed from its own value of the round before and nothing cuts the graph between them, so the chain behind it grows with every round.",
			s.Holder.Path, rule.Through(s)), Fix: at(s.Site.File, repair(s))})
	}
}

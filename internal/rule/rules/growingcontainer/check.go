package growingcontainer

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	metrics(p)
	callbacks(p)
	for _, s := range p.Kept(Rule.Name) {
		p.Report(rule.Mark{At: s.At, Further: rule.Bound(p, s), Severity: rule.Light,
			Why: fmt.Sprintf("%s gets a tensor or an array in every step of the training, and nothing takes one out.", rule.HolderText(s))})
	}
}

package keptstatedict

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	files(p)
	for _, s := range p.Kept(Rule.Name) {
		p.Report(rule.Mark{At: s.At, Further: rule.Bound(p, s), Severity: rule.Heavy,
			Why: fmt.Sprintf("%s gets another copy of the model's weights in every round and gives none back.", rule.HolderText(s))})
	}
}

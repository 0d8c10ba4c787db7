package growingcontainer

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	metrics(p)
	callbacks(p)
	for _, s := range p.Kept(Rule.Name) {
		p.Report(rule.Mark{At: s.At, Further: rule.Bound(p, s), Severity: rule.Light,
			Why: fmt.Sprintf("%s%s gets a tensor or an array %s, and nothing takes one out.", rule.HolderText(s), rule.Through(s), when(s))})
	}
}

func when(s *pyflow.Store) string {
	if s.Loop.Feeds {
		return "with every item of the data, in each worker process of the loader"
	}
	return "in every step of the training"
}

package keptoutput

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	for f, s := range p.Kept(Rule.Name) {
		fix, further := rule.Loosen(p, f, s, "Keep the output without its graph: `.detach()`; what is made of it as a number is smaller still.")
		p.Report(rule.Mark{
			At: s.At, Severity: rule.Cost(s),
			Why: fmt.Sprintf("%s%s gets an output of the model with its graph in every round and outlives it. %s", rule.HolderText(s), rule.Through(s), rule.Behind(s)),
			Fix: fix, Further: further,
		})
	}
}

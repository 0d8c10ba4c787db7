package keptbatch

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	for _, s := range p.Kept(Rule.Name) {
		p.Report(rule.Mark{At: s.At, Further: rule.Bound(p, s), Severity: rule.Light,
			Why: fmt.Sprintf("%s keeps what the data loader made: the batch stays, and with worker processes a piece of shared memory and a file descriptor with it.", rule.HolderText(s))})
	}
}

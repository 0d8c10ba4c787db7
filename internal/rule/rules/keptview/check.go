package keptview

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	for _, s := range p.Kept(Rule.Name) {
		p.Report(rule.Mark{At: s.At, Further: rule.Bound(p, s), Severity: rule.Heavy,
			Why: fmt.Sprintf("%s keeps a part of a larger tensor. A slice shares its storage, so the whole of it stays.", rule.HolderText(s)),
			Fix: rule.Suffixed(p.File, s.Shown, ".clone()", "Copy the part that is kept: `.clone()`.", true)})
	}
}

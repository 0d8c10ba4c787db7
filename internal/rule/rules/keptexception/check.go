package keptexception

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	for _, s := range p.Kept(Rule.Name) {
		p.Report(rule.Mark{At: s.At, Further: rule.Bound(p, s), Severity: rule.Heavy,
			Why: fmt.Sprintf("%s keeps a caught exception: its traceback holds the frames it went through, and so every tensor that was local to them.", rule.HolderText(s)),
			Fix: rule.Suffixed(p.File, s.Shown, ".with_traceback(None)", "Keep the exception without its frames: `.with_traceback(None)`, or its text by `repr()`.", false)})
	}
}

package keptactivation

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/rule"
)

func init() { Rule.Check = check }

func check(p *rule.Pass) {
	forBackward(p)
	for f, s := range p.Kept(Rule.Name) {
		who := "each forward"
		if f.Role == pyflow.Hook {
			who = "each call of the hook"
		}
		m := rule.Mark{At: s.At, Severity: rule.Heavy, Further: rule.Bound(p, s),
			Why: fmt.Sprintf("%s gets a tensor from %s and nothing empties it.", rule.HolderText(s), who)}
		if t := s.What.Traits | s.What.Parts; t&pyflow.Graph != 0 {
			m.Why += " The tensor's graph, and the activations that hang on it, stay as well."
			if reads := rule.ReadsOf(p, s); m.Further == nil || !reads.Any || reads.Whole || reads.Numbers {
				// The newest may be read for the loss of this step: that needs its graph, and keeping it ends no growth less.
				m.Fix = rule.Suffixed(p.File, s.Shown, ".detach()", "Keep it without its graph (`.detach()`), and empty the container or keep only the newest.", false)
			}
		}
		p.Report(m)
	}
}

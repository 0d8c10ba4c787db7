package rule

import (
	"slices"

	"github.com/torchleak/torchleak/internal/pyflow"
)

// NoteEveryStep returns the check of an advice: it remarks on calls of one of the functions that are made in every
// step, whatever happens in it. Only those for which also says yes are remarked on; nil is all.
func NoteEveryStep(functions []string, why, advice string, also func(p *Pass, c *pyflow.Call) bool) func(*Pass) {
	return func(p *Pass) {
		EachCall(p, func(c *pyflow.Call) {
			if !slices.Contains(functions, c.Name) || Often(p, c) != PerStep || len(Conditions(p.File, c.Node, Turn(p, c))) > 0 {
				return
			}
			if also == nil || also(p, c) {
				p.Report(Mark{At: c.Node, Severity: Remark, Why: why, Fix: &Edit{Summary: advice}})
			}
		})
	}
}

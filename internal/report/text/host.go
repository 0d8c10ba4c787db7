package text

import (
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// host writes where the host's memory is, where any of it does more than stand still.
func (p *printer) host(r finding.Report) {
	if r.Host == nil || !slices.ContainsFunc(r.Memories, moves) {
		return
	}
	for i, process := range r.Host.Processes {
		if i > maxWorkers {
			p.labelled("", "", p.more(len(r.Host.Processes)-i))
			break
		}
		p.labelled(plain.Text(process.Name), bold, plain.Text(p.say.Sentences(p.say.Process(process))))
	}
	if bound := p.say.Bound(*r.Host); bound != "" {
		p.labelled(p.say.Say("host.limit"), bold, plain.Text(p.say.Sentences(bound)))
	}
}

// moves reports a memory of the host's that grows, or has grown.
func moves(m finding.Memory) bool {
	return m.Kind != "device" && m.Verdict.Rank() <= finding.Bounded.Rank()
}

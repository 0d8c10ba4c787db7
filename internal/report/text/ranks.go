package text

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// maxGroups and maxOdd bound what is said of a job's ranks; the report has it all.
const (
	maxGroups = 8
	maxOdd    = 8
)

// ranks writes what the ranks of a job do alike, and in what single ones differ.
func (p *printer) ranks(r finding.Report) {
	if r.Job == nil {
		return
	}
	p.line("")
	j := *r.Job
	if j.WorldSize > 1 {
		p.labelled(p.say.Say("ranks.label"), bold, plain.Text(p.say.Job(j, max(len(r.Ranks), 1))))
		for i, a := range j.Alike {
			if i == maxGroups {
				p.labelled("", "", p.more(len(j.Alike)-i))
				break
			}
			p.labelled("", "", plain.Text(p.say.Ranks(a.Ranks)+p.say.Say("text.colon")+p.say.List(p.say.Label(a.Verdict), p.say.Alike(a))))
		}
	}
	odd, name := p.say.Odd(j.Odd), p.say.Say("ranks.odd")
	for i, text := range odd {
		if i == maxOdd {
			p.labelled("", "", p.more(len(odd)-i))
			break
		}
		p.labelled(name, bold, plain.Text(text))
		name = ""
	}
}

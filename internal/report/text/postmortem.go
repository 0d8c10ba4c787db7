package text

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// maxLive bounds the tensors, modules and lines shown of each.
const maxLive = 4

// postMortem writes what was alive when memory ran out, and what would make it fit.
func (p *printer) postMortem(m finding.PostMortem) {
	p.line("")
	p.labelled(p.say.Say("shortage.label"), verdictColor(m.Verdict)+bold, plain.Text(p.say.Sentences(p.say.Refused(m))))
	if alive := p.say.Alive(m); alive != "" {
		p.labelled(p.say.Say("shortage.alive"), bold, plain.Text(alive))
	}
	for i, t := range m.Largest[:min(len(m.Largest), maxLive)] {
		p.labelled(onlyFirst(i, p.say.Say("shortage.largest")), bold, plain.Text(p.say.Live(t)))
	}
	for i, l := range m.Lines[:min(len(m.Lines), maxLive)] {
		p.labelled(onlyFirst(i, p.say.Say("shortage.lines")), bold, plain.Text(p.say.MadeAt(l)))
	}
	for i, s := range m.Modules[:min(len(m.Modules), maxLive)] {
		p.labelled(onlyFirst(i, p.say.Say("shortage.saved")), bold, plain.Text(p.say.SavedBy(s)))
	}
	p.reasons(m.Why, m.Next, m.Unknown)
}

// reasons writes the sentences of a judgement: why it is so, what to do, what is not known.
func (p *printer) reasons(why, next, unknown []string) {
	for _, part := range []struct {
		name      string
		sentences []string
	}{{p.say.Say("text.why"), why}, {p.say.Say("text.fix"), next}, {p.say.Say("text.unknown"), unknown}} {
		for i, s := range part.sentences {
			p.labelled(onlyFirst(i, part.name), bold, plain.Text(p.say.Sentences(plain.Upper(p.say.Text(s)))))
		}
	}
}

func onlyFirst(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

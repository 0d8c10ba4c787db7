package html

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// postMortem is what was alive when memory ran out, and what would make it fit.
type postMortem struct {
	Says  string
	Title string     // of what was alive
	Alive []phaseRow // by category, each as a share of the largest
	Live  []listed
	Parts []sentences
}

// listed is a named list of what needs no sentence.
type listed struct {
	Name  string
	Items []string
}

// sentences is a named list of sentences.
type sentences struct {
	Name  string
	Items []prose
}

func (v view) postMortem(p *finding.PostMortem) *postMortem {
	if p == nil {
		return nil
	}
	out := &postMortem{Says: plain.Text(v.say.Sentences(v.say.Refused(*p))), Title: plain.Upper(v.say.Say("shortage.alive"))}
	most := int64(1)
	for _, a := range p.Alive {
		most = max(most, a.Bytes)
	}
	for _, a := range p.Alive {
		out.Alive = append(out.Alive, phaseRow{plain.Text(v.say.AliveAs(a.Category)), units.Bytes(a.Bytes), 100 * float64(a.Bytes) / float64(most)})
	}
	out.Live = append(out.Live,
		list(plain.Upper(v.say.Say("shortage.largest")), p.Largest, v.say.Live),
		list(plain.Upper(v.say.Say("shortage.lines")), p.Lines, v.say.MadeAt),
		list(plain.Upper(v.say.Say("shortage.saved")), p.Modules, v.say.SavedBy))
	for _, part := range []struct {
		name  string
		texts []string
	}{{v.say.Say("text.why"), p.Why}, {v.say.Say("text.fix"), p.Next}, {v.say.Say("text.unknown"), p.Unknown}} {
		if len(part.texts) == 0 {
			continue
		}
		s := sentences{Name: plain.Upper(part.name)}
		for _, text := range part.texts {
			s.Items = append(s.Items, newProse(v.say.Sentences(plain.Upper(v.say.Text(text)))))
		}
		out.Parts = append(out.Parts, s)
	}
	return out
}

func list[T any](name string, items []T, say func(T) string) listed {
	l := listed{Name: name}
	for _, item := range items {
		l.Items = append(l.Items, plain.Text(say(item)))
	}
	return l
}

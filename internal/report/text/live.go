package text

import (
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/curve"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// Live is the status line of a running training: the memory with the gravest verdict, its curve, and
// what is known of it so far. It has no line end and fits o.Width: the curve gets shorter first.
func Live(memories []finding.Memory, o Options) string {
	p := newPrinter(o)
	m := phrase.Worst(memories)
	if m == nil || len(m.Steps) == 0 {
		return "torchleak  " + cut(p.say.Say("live.waiting"), p.width-11)
	}
	line := ""
	for _, f := range []form{{12, inFull}, {7, inFull}, {7, inSteps}, {7, inTime}, {0, inTime}, {0, noForecast}} {
		line = p.status(*m, f)
		if plain.Columns(strip(line)) <= p.width {
			return line
		}
	}
	return cut(strip(line), p.width) // without colour, so that none is left open
}

// form is how long the status line may be: bars of the curve, and words of the forecast.
type form struct {
	bars     int
	forecast forecast
}

type forecast int

const (
	inFull  forecast = iota // out of memory in 71,720 steps (41 min)
	inSteps                 // OOM in 71,720 steps (41 min)
	inTime                  // OOM in 41 min
	noForecast
)

func (p *printer) status(m finding.Memory, f form) string {
	level := cut(plain.Text(m.Name), 24)
	if now, ok := last(curve.Judged(m)); ok {
		level += " " + units.Bytes(now)
	}
	parts := []string{"torchleak", p.say.Say("live.step", "step", units.Count(m.Steps[len(m.Steps)-1])), level}
	if f.bars > 0 && len(curve.Judged(m)) > 0 {
		parts = append(parts, p.paint(verdictColor(m.Verdict), spark(m, f.bars)))
	}
	if m.BytesPerStep != nil && *m.BytesPerStep != 0 {
		parts = append(parts, units.SignedBytes(*m.BytesPerStep)+p.say.Say("live.per_step"))
	}
	return strings.Join(append(parts, p.state(m, f.forecast)), "  ")
}

// state is the verdict so far, with what a reader needs to know next.
func (p *printer) state(m finding.Memory, length forecast) string {
	label := plain.Text(p.say.Label(m.Verdict))
	text := p.paint(verdictColor(m.Verdict), label)
	if m.Verdict.Rank() < finding.Bounded.Rank() {
		text = p.paint(verdictColor(m.Verdict)+bold, strings.ToUpper(label))
	}
	if m.Verdict == finding.Undecided && m.NeedSteps != nil {
		text += p.say.Say("text.comma") + p.say.Say("live.need", "steps", units.Count(*m.NeedSteps))
	}
	if !phrase.Grows(m.Verdict) {
		return text
	}
	if m.SinceStep != nil {
		text += " " + p.say.Say("live.since", "step", units.Count(*m.SinceStep))
	}
	if end := p.end(m, length); end != "" {
		text += p.say.Say("text.comma") + end
	}
	return text
}

// end is the forecast in the length asked for; without a time only the full one exists.
func (p *printer) end(m finding.Memory, length forecast) string {
	if length == inFull || m.SecondsToOOM == nil || m.StepsToOOM == nil {
		return p.say.OutOfMemory(m)
	}
	steps, time := units.Count(*m.StepsToOOM), p.say.Time(*m.SecondsToOOM)
	switch length {
	case inSteps:
		return p.say.Say("oom.short", "steps", steps, "time", time)
	case inTime:
		return p.say.Say("oom.shortest", "time", time)
	}
	return ""
}

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
	for _, form := range []struct {
		bars  int
		short bool
	}{{12, false}, {7, false}, {7, true}, {0, true}} {
		line = p.status(*m, form.bars, form.short)
		if columns(strip(line)) <= p.width {
			return line
		}
	}
	return cut(strip(line), p.width) // without colour, so that none is left open
}

// status is the line with so many bars, and with a shorter forecast where short is set.
func (p *printer) status(m finding.Memory, bars int, short bool) string {
	level := cut(plain.Text(m.Name), 24)
	if now, ok := last(curve.Judged(m)); ok {
		level += " " + units.Bytes(now)
	}
	parts := []string{"torchleak", p.say.Say("live.step", "step", units.Count(m.Steps[len(m.Steps)-1])), level}
	if bars > 0 && len(curve.Judged(m)) > 0 {
		parts = append(parts, p.paint(verdictColor(m.Verdict), spark(curve.Judged(m), bars)))
	}
	if m.BytesPerStep != nil && *m.BytesPerStep != 0 {
		parts = append(parts, units.SignedBytes(*m.BytesPerStep)+p.say.Say("live.per_step"))
	}
	return strings.Join(append(parts, p.state(m, short)), "  ")
}

// state is the verdict so far, with what a reader needs to know next.
func (p *printer) state(m finding.Memory, short bool) string {
	label := plain.Text(p.say.Label(m.Verdict))
	text := p.paint(verdictColor(m.Verdict), label)
	if m.Verdict.Rank() < finding.Bounded.Rank() {
		text = p.paint(verdictColor(m.Verdict)+bold, strings.ToUpper(label))
	}
	if m.Verdict == finding.Undecided && m.NeedSteps != nil {
		text += ", " + p.say.Say("live.need", "steps", units.Count(*m.NeedSteps))
	}
	if !phrase.Grows(m.Verdict) {
		return text
	}
	if m.SinceStep != nil {
		text += " " + p.say.Say("live.since", "step", units.Count(*m.SinceStep))
	}
	forecast := p.say.OutOfMemory(m)
	if short && m.StepsToOOM != nil && m.SecondsToOOM != nil {
		forecast = p.say.Say("oom.short", "steps", units.Count(*m.StepsToOOM), "time", units.Seconds(*m.SecondsToOOM))
	}
	if forecast != "" {
		text += ", " + forecast
	}
	return text
}

// Package text writes the report for people at a terminal: the final diagnosis and the one line that
// is shown while the training runs. What the target wrote (paths, code, names) is neutralised first,
// so that it cannot move the cursor or hide text.
package text

import (
	"cmp"
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/curve"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/units"
)

// Options says how to write for the terminal at hand.
type Options struct {
	Color      bool   // use colours; the caller knows whether it is a terminal that wants them
	Width      int    // columns; 0 means 100
	Lang       string // "en" or "zh"
	ReportPath string // where the full report lies; empty when none was written
}

// maxFindings bounds how many findings are written in full; the report has them all.
const maxFindings = 5

// maxNotes bounds the notes.
const maxNotes = 6

// label is how wide the column left of the sentences is.
const label = 14

// Write writes the diagnosis of r.
func Write(w io.Writer, r finding.Report, o Options) error {
	p := newPrinter(o)
	p.headline(r)
	for i, f := range r.Findings {
		if i == maxFindings {
			p.line("")
			p.labelled("", "", p.more(len(r.Findings)-i))
			break
		}
		p.line("")
		p.finding(f)
	}
	if len(r.Findings) == 0 && r.Steps.Seen > 0 && grows(r.Verdict) {
		p.line("")
		p.labelled("", "", p.say.Sentences(p.say.Say("text.none")))
	}
	p.line("")
	p.measured(r)
	p.notes(r.Notes)
	if o.ReportPath != "" {
		p.labelled(p.say.Say("text.report"), bold, clean(o.ReportPath))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// grows says whether a verdict calls for a statement to change.
func grows(v finding.Verdict) bool {
	return v == finding.Leak || v == finding.Outside || v == finding.Cycle
}

// printer collects the lines of one report.
type printer struct {
	out   strings.Builder
	say   *phrase.Catalogue
	color bool
	width int
}

func newPrinter(o Options) *printer {
	return &printer{say: phrase.In(o.Lang), color: o.Color, width: max(cmp.Or(o.Width, 100), 40)}
}

// headline writes the verdict of the run, then a line for each memory.
func (p *printer) headline(r finding.Report) {
	sentence := p.say.Headline(r)
	if r.Steps.Seen == 0 {
		hint := p.say.Say("nosteps.hint")
		if exit := r.Target.Exit; exit != nil && *exit != 0 {
			hint = p.say.Say("nosteps.failed", "status", units.Count(int64(*exit)))
		}
		sentence = p.say.Sentences(sentence, hint)
	} else if worst := phrase.Worst(r.Memories); worst != nil && grows(worst.Verdict) {
		sentence = p.say.Sentences(sentence, upper(p.say.OutOfMemory(*worst)))
	} else {
		sentence = p.say.Sentences(sentence)
	}
	badge := strings.ToUpper(p.say.Label(r.Verdict))
	p.hanging("torchleak  "+p.paint(verdictColor(r.Verdict)+bold, badge)+"  ", "torchleak  ", clean(sentence))
	if leaking := leakingRanks(r.Ranks); len(leaking) > 0 && len(leaking) < len(r.Ranks) {
		names := make([]string, len(leaking))
		for i, rank := range leaking {
			names[i] = p.say.Say("text.rank", "rank", units.Count(int64(rank)))
		}
		count := p.say.Say("text.ranks", "leaking", units.Count(int64(len(leaking))), "all", units.Count(int64(len(r.Ranks))))
		p.labelled("", "", count+": "+strings.Join(names, ", "))
	}
	p.memories(r)
}

// memories writes one line a memory: name, curve, verdict. A single memory was said already.
func (p *printer) memories(r finding.Report) {
	if len(r.Memories) == 0 || len(r.Memories) == 1 && r.Memories[0].Why == "" {
		return
	}
	p.line("")
	worst, widest := phrase.Worst(r.Memories), 0
	for _, m := range r.Memories {
		widest = max(widest, columns(clean(m.Name)))
	}
	widest = min(max(widest, label-4), p.width/3)
	for _, m := range r.Memories {
		name := cut(clean(m.Name), widest)
		head := "  " + name + strings.Repeat(" ", widest-columns(name)+2) + p.paint(verdictColor(m.Verdict), spark(curve.Judged(m), 8)) + "  "
		body := p.say.Sentences(p.say.Verdict(m), m.Why)
		if m.Why != "" && worst != nil && m.Name == worst.Name && grows(m.Verdict) {
			body = m.Why // the headline said the rest
		}
		p.hanging(head, strings.Repeat(" ", columns(strip(head))), clean(body))
	}
}

// measured writes what was measured and what it cost.
func (p *printer) measured(r finding.Report) {
	if r.Steps.Seen == 0 {
		return
	}
	steps := p.say.Say("measured.steps", "steps", units.Count(r.Steps.Seen), "clock", p.say.Clock(r.Steps.Clock))
	if r.Steps.Warmup > 0 {
		steps += p.say.Say("measured.warmup", "steps", units.Count(r.Steps.Warmup))
	}
	cost := ""
	if c := r.Cost; c != nil && c.Evidences > 0 {
		cost = p.say.Say("measured.cost", "each", units.Seconds(c.MicrosecondsPerStep/1e6), "stopped", units.Seconds(c.EvidenceSeconds))
	} else if c != nil {
		cost = p.say.Say("measured.probe", "each", units.Seconds(c.MicrosecondsPerStep/1e6))
	}
	p.labelled(p.say.Say("text.measured"), bold, clean(p.say.Sentences(steps, upper(cost))))
}

func (p *printer) notes(notes []string) {
	for i, note := range notes {
		if i == maxNotes {
			p.labelled("", "", p.more(len(notes)-i))
			return
		}
		p.labelled(p.say.Say("text.note"), bold, clean(note))
	}
}

func (p *printer) more(n int) string {
	if n == 1 {
		return p.say.Say("text.one_more")
	}
	return p.say.Say("text.more", "count", units.Count(int64(n)))
}

// leakingRanks lists the ranks whose verdict calls for a change.
func leakingRanks(ranks []finding.Report) []int {
	var out []int
	for _, r := range ranks {
		if grows(r.Verdict) {
			out = append(out, r.Target.Rank)
		}
	}
	return out
}

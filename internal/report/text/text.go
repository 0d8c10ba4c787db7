// Package text writes the report for people at a terminal: the final diagnosis and the one line that
// is shown while the training runs. What the target wrote (paths, code, names) is neutralised first,
// so that it cannot move the cursor or hide text.
package text

import (
	"cmp"
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
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
	if r.OOM != nil {
		p.postMortem(*r.OOM)
	}
	for i, f := range r.Findings {
		if i == maxFindings {
			p.line("")
			p.labelled("", "", p.more(len(r.Findings)-i))
			break
		}
		p.line("")
		p.finding(f, r.Findings)
	}
	if len(r.Findings) == 0 && r.Steps.Seen > 0 && phrase.Grows(r.Verdict) {
		p.line("")
		p.labelled("", "", p.say.Sentences(p.say.Say("text.none")))
	}
	p.line("")
	p.host(r)
	p.measured(r)
	p.notes(r.Notes)
	if o.ReportPath != "" {
		p.labelled(p.say.Say("text.report"), bold, plain.Text(o.ReportPath))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// WriteFinding writes one finding by itself.
func WriteFinding(w io.Writer, f finding.Finding, o Options) error {
	p := newPrinter(o)
	p.line("")
	p.finding(f, nil)
	_, err := io.WriteString(w, p.out.String())
	return err
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
		sentence = p.say.Sentences(sentence, p.say.NoSteps(r))
	} else if worst := phrase.Worst(r.Memories); worst != nil && phrase.Grows(worst.Verdict) {
		sentence = p.say.Sentences(sentence, plain.Upper(p.say.OutOfMemory(*worst)))
	} else {
		sentence = p.say.Sentences(sentence)
	}
	if state := p.say.State(r); state != "" {
		sentence = p.say.Say("text.state", "state", plain.Upper(state), "sentence", sentence)
	}
	badge := strings.ToUpper(p.say.Label(r.Verdict))
	p.hanging("torchleak  "+p.paint(verdictColor(r.Verdict)+bold, badge)+"  ", "torchleak  ", plain.Text(sentence))
	if ranks := p.say.LeakingRanks(r.Ranks); ranks != "" {
		p.labelled("", "", ranks)
	}
	if end := p.say.Ending(r); end != "" && len(r.Ranks) == 0 {
		p.labelled("", "", plain.Text(plain.Upper(end)))
	}
	p.memories(r)
	p.ranks(r)
}

// memories writes one line a memory: name, curve, verdict. A single memory was said already.
func (p *printer) memories(r finding.Report) {
	if len(r.Memories) == 0 || len(r.Memories) == 1 && p.say.Reason(r.Memories[0]) == "" {
		return
	}
	p.line("")
	subject, widest := phrase.Subject(r), 0
	for _, m := range r.Memories {
		widest = max(widest, plain.Columns(plain.Text(m.Name)))
	}
	widest = min(max(widest, label-4), p.width/3)
	shown, left := fewWorkers(r.Memories)
	for _, m := range shown {
		name := cut(plain.Text(m.Name), widest)
		head := "  " + name + strings.Repeat(" ", widest-plain.Columns(name)+2) + p.paint(verdictColor(m.Verdict), spark(m, 8)) + "  "
		why := plain.Upper(p.say.Reason(m))
		body := p.say.Sentences(p.say.Verdict(m), why)
		if why != "" && subject != nil && m.Name == subject.Name {
			body = p.say.Sentences(why) // the headline said the rest
		}
		p.hanging(head, strings.Repeat(" ", plain.Columns(strip(head))), plain.Text(body))
	}
	if left > 0 {
		p.line("  " + p.say.Say("text.workers", "count", units.Count(int64(left))))
	}
}

// measured writes what was measured and what it cost.
func (p *printer) measured(r finding.Report) {
	if r.Steps.Seen == 0 {
		return
	}
	p.labelled(p.say.Say("text.measured"), bold, plain.Text(p.say.Sentences(p.say.Steps(r.Steps), plain.Upper(p.say.Cost(r.Cost)), plain.Upper(p.say.Attached(r.Target.Attached)))))
}

func (p *printer) notes(notes []string) {
	for i, note := range notes {
		if i == maxNotes {
			p.labelled("", "", p.more(len(notes)-i))
			return
		}
		p.labelled(p.say.Say("text.note"), bold, plain.Text(p.say.Sentences(plain.Upper(p.say.Text(note)))))
	}
}

func (p *printer) more(n int) string {
	if n == 1 {
		return p.say.Say("text.one_more")
	}
	return p.say.Say("text.more", "count", units.Count(int64(n)))
}

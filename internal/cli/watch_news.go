package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/sentinel"
	"github.com/torchleak/torchleak/internal/units"
)

// news says on standard error what trainings have come to, where that is not what was said last.
type news struct {
	lang   string
	stderr io.Writer
	silent bool
	said   []saying // oldest first
	path   string   // where that is kept for an agent that is started again; empty where it is not
	unkept bool     // it could not be, which was said
}

// saying is what was said last of a process.
type saying struct {
	Recording string `json:"recording"`
	PID       int    `json:"pid"`
	Text      string `json:"text"`
}

// maxSayings bounds what is remembered, of trainings that ended long ago too.
const maxSayings = 1000

// remember goes on with what an agent before has said, and writes down in a file of that path what this one says.
func (n *news) remember(path string) {
	if n.silent {
		return
	}
	n.path = path
	if err := sentinel.Kept(path, &n.said); err != nil {
		n.said = nil // not a part of it
		n.say(fmt.Sprintf("what was said before cannot be read, and is said once more: %v", err))
	}
}

// changed takes a new report.
func (n *news) changed(recording string, r finding.Report) {
	if n.silent {
		return
	}
	what := saying{recording, r.Target.PID, n.outcome(r)}
	i := slices.IndexFunc(n.said, func(s saying) bool { return s.Recording == what.Recording && s.PID == what.PID })
	switch {
	case i < 0 && r.Verdict.Rank() >= finding.Bounded.Rank():
		return
	case i >= 0 && n.said[i] == what:
		return
	case i >= 0:
		n.said = slices.Delete(n.said, i, i+1)
	}
	n.said = append(n.said, what)
	n.said = n.said[max(0, len(n.said)-maxSayings):]
	n.say(phrase.In(n.lang).Say("watch.changed", "script", r.Target.Script(), "rank", units.Count(int64(r.Target.Rank)),
		"step", units.Count(r.Steps.Seen), "verdict", what.Text) + "  (" + recording + ")")
	n.keep()
}

// outcome is the verdict, with the first finding.
func (n *news) outcome(r finding.Report) string {
	text := phrase.In(n.lang).Label(r.Verdict)
	if len(r.Findings) == 0 {
		return text
	}
	f := r.Findings[0]
	text += "  " + f.Rule + " " + f.Name
	if f.Location != nil {
		text += fmt.Sprintf("  %s:%d", f.Location.File, f.Location.Line)
	}
	return text
}

func (n *news) keep() {
	if n.path == "" {
		return
	}
	err := sentinel.Keep(n.path, n.said)
	if err != nil && !n.unkept {
		n.say(fmt.Sprintf("an agent that is started again will say this once more: %v", err))
	}
	n.unkept = err != nil
}

func (n *news) say(text string) { fmt.Fprintln(n.stderr, "torchleak:", plain.Text(text)) }

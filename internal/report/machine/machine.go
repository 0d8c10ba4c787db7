// Package machine shows all trainings and GPUs of a machine: as a table for people and as JSON.
package machine

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// training is a rank in JSON.
type training struct {
	Recording string   `json:"recording"`
	Running   bool     `json:"running"`
	LastStep  *float64 `json:"last_step_timestamp_seconds,omitempty"` // since the epoch
	StepTime  float64  `json:"step_seconds,omitempty"`
	finding.Report
}

// WriteJSON writes schema 1: the reports of all ranks, the GPUs, and what the agent says of itself.
func WriteJSON(w io.Writer, s metrics.State) error {
	trainings := []training{}
	for _, r := range s.Ranks {
		r.Report.Memories = []finding.Memory{}
		for _, m := range r.Memories {
			m.Steps, m.Series = []int64{}, map[string][]int64{}
			r.Report.Memories = append(r.Report.Memories, m.Memory)
		}
		t := training{Recording: r.Recording, Running: r.Running, StepTime: r.StepTime.Seconds(), Report: r.Report}
		if !r.LastStep.IsZero() {
			seconds := float64(r.LastStep.UnixMilli()) / 1000
			t.LastStep = &seconds
		}
		trainings = append(trainings, t)
	}
	gpus := s.GPUs
	if gpus == nil {
		gpus = []metrics.GPU{}
	}
	return plain.JSON(w, struct {
		Schema     int           `json:"schema"`
		Trainings  []training    `json:"trainings"`
		GPUs       []metrics.GPU `json:"gpus"`
		NoNVML     string        `json:"no_nvml,omitempty"`
		Running    int           `json:"running_recordings"`
		Ended      int           `json:"ended_recordings"`
		Unreadable int           `json:"unreadable_recordings"`
	}{1, trainings, gpus, s.NoNVML, s.Agent.Running, s.Agent.Ended, s.Agent.Unreadable})
}

// WriteText writes for people, in the language asked for.
func WriteText(w io.Writer, s metrics.State, lang string) error {
	p := printer{say: phrase.In(lang)}
	p.trainings(s)
	p.gpus(s)
	if s.Agent.Ended > 0 {
		p.line(p.say.Plural(s.Agent.Ended, "machine.ended.one", "machine.ended"))
	}
	if s.Agent.Unreadable > 0 {
		p.line(p.say.Plural(s.Agent.Unreadable, "machine.unreadable.one", "machine.unreadable"))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

type printer struct {
	say *phrase.Catalogue
	out strings.Builder
}

func (p *printer) line(text string) { p.out.WriteString(text + "\n") }

func (p *printer) trainings(s metrics.State) {
	if len(s.Ranks) == 0 {
		text := p.say.Say("machine.none")
		if s.Agent.Running > 0 {
			text = p.say.Plural(s.Agent.Running, "machine.waiting.one", "machine.waiting")
		}
		p.line(text)
		return
	}
	rows := [][]string{p.heads("training", "rank", "pid", "step", "pace", "memory", "verdict", "allocated", "reserved", "growth", "oom")}
	for _, r := range s.Ranks {
		rows = append(rows, p.row(r))
	}
	p.table(rows)
	for _, r := range s.Ranks {
		if len(r.Report.Findings) > 0 {
			p.line(p.finding(r, r.Report.Findings[0]))
		}
	}
}

func (p *printer) heads(names ...string) []string {
	heads := make([]string, len(names))
	for i, name := range names {
		heads[i] = p.say.Say(phrase.Key("machine." + name))
	}
	return heads
}

// row is a rank by its worst memory.
func (p *printer) row(r metrics.Rank) []string {
	t := r.Report.Target
	row := []string{script(t), strconv.Itoa(t.Rank), strconv.Itoa(t.PID), units.Count(r.Report.Steps.Seen), pace(r), "", "", "", "", "", ""}
	switch {
	case t.Attached != nil && t.Attached.LetGo:
		row[4] = p.say.Say("machine.let_go")
	case !r.Running:
		row[4] = p.say.Say("machine.over")
	}
	m := worst(r.Memories)
	if m == nil {
		return row
	}
	row[5], row[6] = plain.Text(m.Name), p.say.Label(m.Verdict)
	if m.LastBytes != nil {
		row[7] = units.Bytes(*m.LastBytes)
	}
	if reserved, ok := m.Reserved(); ok {
		row[8] = units.Bytes(reserved)
	}
	if m.BytesPerStep != nil {
		row[9] = units.SignedBytes(*m.BytesPerStep)
	}
	if m.SecondsToOOM != nil {
		row[10] = units.Seconds(*m.SecondsToOOM)
	}
	return row
}

// script is what a training is known by, without its folder.
func script(t finding.Target) string {
	if name := t.Script(); name != "" {
		return plain.Text(filepath.Base(name))
	}
	return "?"
}

// worst is the memory with the gravest verdict; of those with one, a device before the host.
func worst(memories []metrics.Memory) *metrics.Memory {
	var found *metrics.Memory
	for i := range memories {
		m := &memories[i]
		switch {
		case found == nil:
			found = m
		case m.Verdict == found.Verdict && !phrase.Grows(m.Verdict): // nothing is wrong: a device tells most
			if m.Kind == "device" && found.Kind != "device" {
				found = m
			}
		case phrase.Worse(m.Memory, found.Memory):
			found = m
		}
	}
	return found
}

func pace(r metrics.Rank) string {
	if r.StepTime <= 0 {
		return ""
	}
	if ms := float64(r.StepTime.Microseconds()) / 1000; ms < 1000 {
		return fmt.Sprintf("%.3g ms", ms)
	}
	return fmt.Sprintf("%.3g s", r.StepTime.Seconds())
}

func (p *printer) finding(r metrics.Rank, f finding.Finding) string {
	text := "  " + p.say.Say("text.rank", "rank", strconv.Itoa(r.Report.Target.Rank)) + "  " + f.Rule + " " + f.Name
	if l := f.Location; l != nil {
		text += "  " + plain.Text(l.File) + ":" + strconv.Itoa(l.Line) + "  " + plain.Text(l.Code)
	}
	return text + "  (" + plain.Text(r.Recording) + ")"
}

func (p *printer) gpus(s metrics.State) {
	if s.NoNVML != "" {
		p.line("\n" + p.say.Say("machine.no_nvml", "reason", plain.Text(p.say.Words(s.NoNVML))))
		return
	}
	p.line("")
	for _, g := range s.GPUs {
		p.line(fmt.Sprintf("GPU %d  %s  %s", g.Index, plain.Text(g.Model), p.say.Say("machine.used", "used", size(g.Used), "total", size(g.Total))))
		for _, q := range g.Processes {
			p.line(fmt.Sprintf("       %10s  %d %s%s", size(q.Used), q.PID, plain.Text(q.Command), p.owner(s, q.PID)))
		}
	}
}

// owner names the training that a process is of.
func (p *printer) owner(s metrics.State, pid int) string {
	for _, r := range s.Ranks {
		if r.Report.Target.PID == pid {
			return "  " + script(r.Report.Target)
		}
	}
	return ""
}

func size(n uint64) string { return units.Bytes(int64(n)) }

// table writes rows in columns, those of words to the left, those of figures to the right.
func (p *printer) table(rows [][]string) {
	for _, line := range plain.Table(rows, func(column int) bool { return column != 0 && column != 5 && column != 6 }) {
		p.line(line)
	}
}

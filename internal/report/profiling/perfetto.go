package profiling

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/torchleak/torchleak/internal/profile"
)

// traceEvent is one event of the trace event format, which Perfetto and chrome://tracing open. Times are microseconds.
type traceEvent struct {
	Name     string   `json:"name"`
	Category string   `json:"cat,omitempty"`
	Phase    string   `json:"ph"`
	Time     float64  `json:"ts"`
	Duration *float64 `json:"dur,omitempty"`
	Process  int      `json:"pid"`
	Track    int      `json:"tid"`
	Args     any      `json:"args,omitempty"`
}

// Tracks of a process.
const (
	stepTrack = iota + 1
	operatorTrack
)

// WritePerfetto writes a time line: the steps, the operators, and live memory by category behind each operator.
func WritePerfetto(w io.Writer, all []profile.Process) error {
	events := []traceEvent{}
	for i := range all {
		events = append(events, timeline(&all[i])...)
	}
	return json.NewEncoder(w).Encode(map[string]any{"displayTimeUnit": "ms", "traceEvents": events})
}

func timeline(p *profile.Process) (events []traceEvent) {
	name := func(what string, track int, text string) {
		events = append(events, traceEvent{Name: what, Phase: "M", Process: p.Rank, Track: track, Args: map[string]string{"name": text}})
	}
	name("process_name", 0, fmt.Sprintf("rank %d", p.Rank))
	name("thread_name", stepTrack, "steps")
	name("thread_name", operatorTrack, "operators")
	slice := func(track int, name, category string, from, to int64, args any) {
		duration := micros(to - from)
		events = append(events, traceEvent{Name: name, Category: category, Phase: "X", Time: micros(from), Duration: &duration, Process: p.Rank, Track: track, Args: args})
	}
	begin := 0
	for i, end := range p.StepEnds {
		if end > begin {
			slice(stepTrack, fmt.Sprintf("step %d", p.FirstStep+int64(i)), "", p.Calls[begin].Begin, p.Calls[end-1].End, nil)
		}
		begin = end
	}
	for i := range p.Calls {
		c := &p.Calls[i]
		slice(operatorTrack, operator(c.Origin()), c.Phase, c.Begin, c.End, argsOf(c))
	}
	for i := range p.Memories {
		events = append(events, counters(p, &p.Memories[i])...)
	}
	return events
}

func argsOf(c *profile.Call) map[string]string {
	args := map[string]string{}
	if c.Module != "" {
		args["module"] = c.Module
	}
	if c.Site.File != "" {
		args["line"] = fmt.Sprintf("%s:%d", c.Site.File, c.Site.Line)
	}
	return args
}

// counters is live memory behind each operator that made some, and behind what was freed until the next one.
func counters(p *profile.Process, m *profile.Memory) (events []traceEvent) {
	live := map[profile.Category]int64{}
	for i, c := range m.Changes {
		live[m.Blocks[c.Block].Category] += c.Bytes
		if i+1 < len(m.Changes) {
			if next := m.Changes[i+1]; next.Op == c.Op && (next.Bytes < 0) == (c.Bytes < 0) {
				continue
			}
		}
		args := map[string]int64{}
		for category, bytes := range live {
			args[string(category)] = bytes
		}
		events = append(events, traceEvent{Name: m.Name, Phase: "C", Time: micros(timeOf(p, c)), Process: p.Rank, Args: args})
	}
	return events
}

// timeOf is when an operator had made memory, or when it was seen that memory was freed.
func timeOf(p *profile.Process, c profile.Change) int64 {
	switch {
	case c.Op < 0:
		return 0
	case c.Bytes < 0 && c.Op+1 < len(p.Calls):
		return p.Calls[c.Op+1].Begin
	}
	return p.Calls[c.Op].End
}

func micros(nanoseconds int64) float64 { return float64(nanoseconds) / 1e3 }

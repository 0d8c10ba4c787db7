// Package json writes the report for programs: schema 1, described in docs/report.md and checked
// against docs/format/report.schema.json.
package json

import (
	"fmt"
	"io"
	"math"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// Write writes r as indented JSON. Lists are never null; what is not known is left out.
func Write(w io.Writer, r finding.Report) error {
	if err := plain.JSON(w, Normal(r)); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// Normal returns r as the schema wants it, without changing r: every list is there, and figures JSON
// cannot say (infinite, not a number) are left out.
func Normal(r finding.Report) finding.Report {
	r.Schema = finding.Schema
	r.Target.Argv = list(r.Target.Argv)
	r.Notes = list(r.Notes)
	r.Memories = each(r.Memories, normalMemory)
	r.Findings = each(r.Findings, normalFinding)
	if len(r.Sites) > 0 {
		r.Sites = each(r.Sites, func(s finding.Site) finding.Site { s.Frames = list(s.Frames); return s })
	}
	if r.Job != nil {
		job := *r.Job
		job.Hosts, job.Missing, job.Odd = list(job.Hosts), list(job.Missing), list(job.Odd)
		job.Alike = each(job.Alike, func(a finding.Alike) finding.Alike { a.Ranks = list(a.Ranks); return a })
		r.Job = &job
	}
	if len(r.Ranks) > 0 {
		r.Ranks = each(r.Ranks, Normal)
	}
	if r.OOM != nil {
		oom := normalPostMortem(*r.OOM)
		r.OOM = &oom
	}
	if r.Cost != nil {
		cost := *r.Cost
		cost.MicrosecondsPerStep = finite(cost.MicrosecondsPerStep)
		cost.EvidenceSeconds = finite(cost.EvidenceSeconds)
		r.Cost = &cost
	}
	return r
}

func normalMemory(m finding.Memory) finding.Memory {
	m.Steps = list(m.Steps)
	series := make(map[string][]int64, len(m.Series))
	for name, values := range m.Series {
		series[name] = list(values)
	}
	m.Series = series
	if m.SecondsToOOM != nil && (math.IsNaN(*m.SecondsToOOM) || math.IsInf(*m.SecondsToOOM, 0)) {
		m.SecondsToOOM = nil
	}
	return m
}

func normalPostMortem(p finding.PostMortem) finding.PostMortem {
	p.At, p.Alive, p.Modules = list(p.At), list(p.Alive), list(p.Modules)
	p.Largest = each(p.Largest, func(t finding.LiveTensors) finding.LiveTensors { t.Shape = list(t.Shape); return t })
	p.Lines = each(p.Lines, func(l finding.LiveLine) finding.LiveLine { l.Frames = list(l.Frames); return l })
	p.Why, p.Unknown, p.Next = list(p.Why), list(p.Unknown), list(p.Next)
	return p
}

func normalFinding(f finding.Finding) finding.Finding {
	f.AllocatedAt = list(f.AllocatedAt)
	f.Calls = list(f.Calls)
	if f.Location != nil && f.Location.Excerpt != nil {
		location, excerpt := *f.Location, *f.Location.Excerpt
		excerpt.Lines = list(excerpt.Lines)
		location.Excerpt = &excerpt
		f.Location = &location
	}
	return f
}

// list returns s, or an empty list for nil.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// each returns the list of change(x) for every x of s.
func each[T any](s []T, change func(T) T) []T {
	out := make([]T, len(s))
	for i, x := range s {
		out[i] = change(x)
	}
	return out
}

// finite returns x, or 0 where it is not a number JSON knows: a cost that could not be measured.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// Package ranks makes one report of the recordings of one job: which ranks leak, since when, and in what each differs from
// the others. Recordings come one after the other, and little is kept of each, so that their number is not bounded by memory.
package ranks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
)

// Of so many ranks everything is kept. Of more, each keeps its verdicts, figures and findings; curves get coarser and the
// growth by site is left out, but of the one on top.
const (
	inFull       = 32
	coarsePoints = 64
)

// Merger collects the reports of a job's ranks.
type Merger struct {
	reports []finding.Report
	top     int            // place of the gravest, -1 before there is one
	whole   finding.Report // that one, in full
	places  map[int]int    // of the newest report of a rank, where the job has several
	twice   map[int]int    // how many processes say at the same time that they are a rank
}

// New makes a merger.
func New() *Merger { return &Merger{top: -1, places: map[int]int{}, twice: map[int]int{}} }

// Add takes the report of a rank and returns whether it is the one on top from now on.
func (m *Merger) Add(r finding.Report) (top bool) {
	at := m.place(r.Target)
	if at < len(m.reports) { // a rank that was started again
		before := m.reports[at]
		if before.Target.Began > r.Target.Began {
			return false
		}
		r.Notes = append(slices.Clone(r.Notes), fmt.Sprintf("rank %d was started again after step %d; this report is of its last start", r.Target.Rank, before.Steps.Seen))
		m.reports[at] = r
		if at == m.top { // what that was does not count any more
			m.top = gravest(m.reports)
			m.whole = m.reports[m.top]
		}
	} else {
		m.reports = append(m.reports, r)
	}
	if top = m.top < 0 || m.top == at || r.Verdict.Rank() < m.whole.Verdict.Rank(); top {
		m.top, m.whole = at, r
	}
	switch n := len(m.reports); {
	case n == inFull+1:
		for i := range m.reports {
			m.reports[i] = coarse(m.reports[i])
		}
	case n > inFull:
		m.reports[at] = coarse(r)
	}
	return top
}

func gravest(reports []finding.Report) int {
	worst := 0
	for i, r := range reports {
		if r.Verdict.Rank() < reports[worst].Verdict.Rank() {
			worst = i
		}
	}
	return worst
}

// place is where the report of a process goes: into that of an earlier start of its rank, or behind all.
func (m *Merger) place(t finding.Target) int {
	last := len(m.reports)
	if t.WorldSize < 2 { // processes that are no ranks
		return last
	}
	at, known := m.places[t.Rank]
	if known {
		before := m.reports[at].Target
		if before.Latest != 0 && t.Latest != 0 && (before.Latest <= t.Began || t.Latest <= before.Began) {
			return at
		}
		m.twice[t.Rank]++
	}
	m.places[t.Rank] = last
	return last
}

// Len is how many ranks there are.
func (m *Merger) Len() int { return len(m.reports) }

// Report is that of the job, made of so many recordings. It is the one of the gravest rank, with all ranks below it.
func (m *Merger) Report(tool finding.Tool, argv []string, exit *int, id string, recordings int) finding.Report {
	if len(m.reports) == 0 {
		return finding.Merge(nil, tool, argv, exit)
	}
	sorted := slices.Clone(m.reports)
	slices.SortStableFunc(sorted, func(a, b finding.Report) int { return cmp.Compare(a.Target.Rank, b.Target.Rank) })
	top := m.whole
	for _, rank := range slices.Sorted(maps.Keys(m.twice)) {
		top.Notes = append(slices.Clone(top.Notes), fmt.Sprintf("%d processes say at the same time that they are rank %d: they are not of one job, or were started without a rank of their own", m.twice[rank]+1, rank))
	}
	if len(sorted) > 1 {
		top.Ranks = sorted
	}
	if len(sorted) > 1 || top.Target.WorldSize > 1 {
		top.Job = job(sorted, id, recordings)
	}
	return top
}

// Merge makes the report of one run of the reports of its processes.
func Merge(reports []finding.Report, tool finding.Tool, argv []string, exit *int) finding.Report {
	m := New()
	for _, r := range reports {
		m.Add(r)
	}
	return m.Report(tool, argv, exit, "", 1)
}

// coarse is a report with less detail.
func coarse(r finding.Report) finding.Report {
	r.Sites, r.Steps.Marks = nil, nil
	r.Memories = slices.Clone(r.Memories)
	for i := range r.Memories {
		m := &r.Memories[i]
		by := (len(m.Steps) + coarsePoints - 1) / coarsePoints
		if by < 2 {
			continue
		}
		n, series := len(m.Steps), map[string][]int64{}
		for name, values := range m.Series {
			if len(values) == n {
				series[name] = everyNth(values, by)
			}
		}
		m.Steps, m.Series = everyNth(m.Steps, by), series
	}
	return r
}

// everyNth is every n-th of the values, counted from the last one, which is always there.
func everyNth(values []int64, n int) []int64 {
	var out []int64
	for i := (len(values) - 1) % n; i < len(values); i += n {
		out = append(out, values[i])
	}
	return out
}

// job says what the ranks have in common and where they differ.
func job(reports []finding.Report, id string, recordings int) *finding.Job {
	j := &finding.Job{ID: id, Recordings: recordings, Hosts: []string{}, WorldSize: 1, Missing: []int{}, Odd: odd(reports)}
	seen := map[int]bool{}
	for _, r := range reports {
		seen[r.Target.Rank] = true
		j.WorldSize = max(j.WorldSize, r.Target.WorldSize)
		if h := r.Target.Host; h != "" && !slices.Contains(j.Hosts, h) {
			j.Hosts = append(j.Hosts, h)
		}
	}
	for rank := range min(j.WorldSize, maxWorld) {
		if !seen[rank] {
			j.Missing = append(j.Missing, rank)
		}
	}
	j.Alike = alike(reports)
	return j
}

// maxWorld bounds what a recording may claim: the list of missing ranks grows with it.
const maxWorld = 1 << 17

// Package diagnose joins what was decided about each memory with the evidence of the probe and the user's
// sources, and says which rule it is, which statement to change, who holds the memory, why, and how to fix it.
package diagnose

import (
	"errors"
	"slices"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

// Input is all that is known of one training process.
type Input struct {
	Memories []finding.Memory
	Evidence []*evidence.Evidence // in the order of their requests
	Locator  *locate.Locator      // nil: no sources are at hand
	Target   finding.Target
	Datasets map[string]Dataset // what loader workers read, by the worker's memory
}

// Report returns the report of the process. What only the caller knows (tool, steps, cost) is left for it to fill in.
func Report(in Input) finding.Report {
	in = in.normal()
	findings := Findings(in)
	return finding.Report{
		Schema:   finding.Schema,
		Target:   in.Target,
		Verdict:  verdict(in.Memories),
		Memories: memories(in),
		Findings: findings,
		Sites:    sites(in),
		Notes:    notes(in, findings),
	}
}

// Findings returns what explains the growth of the memories, dearest first.
func Findings(in Input) []finding.Finding {
	in = in.normal()
	var all []*candidate
	for _, m := range in.Memories {
		all = append(all, explain(in, m)...)
	}
	findings := []finding.Finding{}
	ranked := rank(unshadowed(all))
	charged := map[*evidence.Group]bool{}
	for i, c := range ranked {
		f := c.finding(in.Locator, charged)
		if first := sameGrowth(ranked, i); first != nil {
			f.SameGrowthAs, f.RetainedBytes = first, findings[*first].RetainedBytes
		}
		findings = append(findings, f)
	}
	return findings
}

func (in Input) normal() Input {
	if in.Locator == nil {
		in.Locator = locate.New(func(string) ([]byte, error) { return nil, errors.New("no sources at hand") }, in.Target.Cwd)
	}
	return in
}

func verdict(memories []finding.Memory) finding.Verdict {
	verdicts := make([]finding.Verdict, len(memories))
	for i, m := range memories {
		verdicts[i] = m.Verdict
	}
	return finding.Gravest(verdicts...)
}

// explain returns the candidates for one memory, as far as its verdict asks for any.
func explain(in Input, m finding.Memory) []*candidate {
	switch m.Verdict {
	case finding.Leak, finding.Cycle:
		return growing(in, m)
	case finding.Outside:
		return outside(in, m)
	case finding.Cache:
		return []*candidate{{rule: "TL201", memory: m}}
	case finding.Fragmentation:
		return []*candidate{{rule: "TL202", memory: m}}
	case finding.Capacity:
		return []*candidate{{rule: "TL203", memory: m}}
	case finding.Bounded:
		if m.Copies {
			return copying(in, m)
		}
	}
	return nil
}

// growing explains a memory that leaks, or grows until the collector runs.
func growing(in Input, m finding.Memory) []*candidate {
	if m.Kind == "worker" {
		return loaderWorker(in, m)
	}
	found, limited := gather(in, m)
	for _, e := range relevant(in.Evidence, m) {
		found = append(found, facts(in.Locator, e, m, found)...)
	}
	charge(m, found)
	found = append(found, unseen(in, m, found, limited)...)
	if found = worthy(m, found); len(found) > 0 {
		return followed(in.Locator, found)
	}
	if m.Verdict == finding.Cycle {
		return []*candidate{{rule: "TL117", memory: m, bytes: rate(m)}}
	}
	return nil
}

// relevant returns the evidence that can speak of a memory, the best first: what was asked for it before what was
// asked for others, whole answers that looked at whole periods of the growth before the rest, newer before older. One
// census alone says nothing of growth.
func relevant(all []*evidence.Evidence, m finding.Memory) []*evidence.Evidence {
	var whole, asked, others []*evidence.Evidence
	for i := len(all) - 1; i >= 0; i-- {
		switch e := all[i]; {
		case e == nil || len(e.Censuses) < 2:
		case e.Memory != m.Name:
			others = append(others, e)
		case e.Complete && !e.Truncated && !e.Uncounted && wholePeriods(e, m):
			whole = append(whole, e)
		default:
			asked = append(asked, e)
		}
	}
	return slices.Concat(whole, asked, others)
}

// wholePeriods reports that every window of the evidence holds as many rises of the memory as every other.
func wholePeriods(e *evidence.Evidence, m finding.Memory) bool {
	if m.Period == nil {
		return true
	}
	for i := 1; i < len(e.Censuses); i++ {
		if (e.Censuses[i].Step-e.Censuses[i-1].Step)%*m.Period != 0 {
			return false
		}
	}
	return true
}

func rate(m finding.Memory) int64 {
	if m.BytesPerStep == nil {
		return 0
	}
	return *m.BytesPerStep
}

package diagnose

import (
	"fmt"
	"math"
	"sort"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

// maxSites bounds the allocation sites of a report.
const maxSites = 50

// sites returns the growth of each leaking memory by the stack that allocated it: by the allocator's own history where
// there is one, else by the births that were seen in the watch.
func sites(in Input) []finding.Site {
	var all []finding.Site
	for _, m := range in.Memories {
		for _, e := range relevant(in.Evidence, m) {
			found := siteGrowth(e, m.Name)
			if len(found) == 0 {
				found = within(birthGrowth(e, m.Name), rate(m))
			}
			for i := range found {
				found[i].Frames = shortened(in.Locator, found[i].Frames)
			}
			if all = append(all, found...); len(found) > 0 {
				break
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].BytesPerStep > all[j].BytesPerStep })
	return all[:min(len(all), maxSites)]
}

func siteGrowth(e *evidence.Evidence, memory string) []finding.Site {
	var found []finding.Site
	for i := range e.Sites {
		s := &e.Sites[i]
		if !onMemory(s.Device, memory) || grown(s.Bytes) <= 0 || len(s.Frames) == 0 {
			continue
		}
		found = append(found, finding.Site{Memory: memory, Frames: s.Frames, BytesPerStep: grown(s.Bytes) / siteSteps(e, s), Count: number(last(s.Count))})
	}
	return found
}

// siteSteps is how many steps a site's figures span: its history starts after the first census.
func siteSteps(e *evidence.Evidence, s *evidence.Site) int64 {
	n := len(e.Censuses)
	if first := n - len(s.Bytes); len(s.Bytes) >= 2 && first >= 0 {
		return max(e.Censuses[n-1].Step-e.Censuses[first].Step, 1)
	}
	return steps(e)
}

// birthGrowth splits the growth of each group over the stacks that were seen to make its tensors.
func birthGrowth(e *evidence.Evidence, memory string) []finding.Site {
	var found []finding.Site
	for i := range e.Groups {
		g := &e.Groups[i]
		bytes := storageGrowth(g, memory) + max(grown(g.GraphBytes), 0)
		if !lies(g, memory) || bytes <= 0 {
			continue
		}
		var total int64
		for _, b := range e.Births {
			if b.Group == g.ID && len(b.Frames) > 0 && b.Count > 0 {
				total += b.Count
			}
		}
		for _, b := range e.Births {
			if b.Group == g.ID && len(b.Frames) > 0 && b.Count > 0 {
				share := float64(bytes) * float64(b.Count) / float64(total) / float64(steps(e))
				found = append(found, finding.Site{Memory: memory, Frames: b.Frames, BytesPerStep: int64(share + 0.5), Count: number(last(g.Count) * b.Count / total)})
			}
		}
	}
	return found
}

// within brings sites down to what the memory grows by: tensors of one graph are in several groups, and each group is
// charged with the graph.
func within(found []finding.Site, rate int64) []finding.Site {
	sum := int64(0)
	for _, s := range found {
		sum += s.BytesPerStep
	}
	if rate <= 0 || sum <= rate {
		return found
	}
	for i := range found {
		found[i].BytesPerStep = int64(float64(found[i].BytesPerStep)*float64(rate)/float64(sum) + 0.5)
	}
	return found
}

// largestSite is the site of the allocator's history that grew most, nil without one.
func largestSite(e *evidence.Evidence, memory string) *evidence.Site {
	var best *evidence.Site
	for i := range e.Sites {
		s := &e.Sites[i]
		if onMemory(s.Device, memory) && len(s.Frames) > 0 && grown(s.Bytes) > 0 && (best == nil || grown(s.Bytes) > grown(best.Bytes)) {
			best = s
		}
	}
	return best
}

// ownSite is the allocation site that grew by just what the candidate's tensors did, nil when none did.
func ownSite(c *candidate) *evidence.Site {
	for i := range c.evidence.Sites {
		s := &c.evidence.Sites[i]
		if !onMemory(s.Device, c.memory.Name) || len(s.Frames) == 0 || c.tensorBytes <= 0 {
			continue
		}
		if each := float64(grown(s.Bytes)) / float64(siteSteps(c.evidence, s)); math.Abs(each-c.tensorBytes) < 0.05*c.tensorBytes {
			return s
		}
	}
	return nil
}

// memories returns the memories with the growth of each phase, where a watch saw it.
func memories(in Input) []finding.Memory {
	out := make([]finding.Memory, 0, len(in.Memories))
	for _, m := range in.Memories {
		for _, e := range relevant(in.Evidence, m) {
			if e.Memory == m.Name && len(e.Phases) > 0 && len(m.Phases) == 0 {
				m.Phases = phaseGrowth(e, m)
				if m.Phase == "" && len(m.Phases) > 0 && m.Phases[0].BytesPerStep > 0 {
					m.Phase = m.Phases[0].Phase
				}
			}
		}
		if m.Steps == nil {
			m.Steps = []int64{}
		}
		if m.Series == nil {
			m.Series = map[string][]int64{}
		}
		out = append(out, m)
	}
	return out
}

// phaseGrowth is per step, largest first. What the memory grows by beside the parts of the step is its rest, so that all
// of it together is the growth; below zero where something is given back between them.
func phaseGrowth(e *evidence.Evidence, m finding.Memory) []finding.PhaseGrowth {
	phases := []finding.PhaseGrowth{}
	parts, rest := int64(0), int64(0)
	for _, p := range e.Phases {
		each := p.Bytes / max(e.WatchSteps, 1)
		if p.Phase == "rest" {
			rest = each
			continue
		}
		parts += each
		phases = append(phases, finding.PhaseGrowth{Phase: p.Phase, BytesPerStep: each})
	}
	if m.BytesPerStep != nil {
		rest = *m.BytesPerStep - parts
	}
	if rest != 0 {
		phases = append(phases, finding.PhaseGrowth{Phase: "rest", BytesPerStep: rest})
	}
	sort.SliceStable(phases, func(i, j int) bool { return phases[i].BytesPerStep > phases[j].BytesPerStep })
	return phases
}

// notes says what was measured and what could not be.
func notes(in Input, findings []finding.Finding) []string {
	out := []string{}
	seen := map[string]bool{}
	add := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	for _, m := range in.Memories {
		if m.Verdict == finding.Leak && m.Kind != "worker" && len(relevant(in.Evidence, m)) == 0 {
			add("%s: no evidence could be gathered, so the verdict rests on the growth alone and no holder is named", m.Name)
		} else if m.Verdict == finding.Leak && !covered(in, m) && len(findings) == 0 {
			add("%s: grows every %d steps, and no evidence spans that many; what holds it may not have been seen", m.Name, *m.Period)
		}
	}
	newest := newestOf(in.Evidence)
	for _, e := range in.Evidence {
		if e == nil {
			continue
		}
		if !e.Complete && e.Failed == "" {
			add("%s: the target ended before request %d for evidence was answered whole", e.Memory, e.Request)
		}
		if !e.GC.Enabled && len(e.Censuses) > 0 {
			add("Python's collector is switched off in the target: reference cycles are never freed")
		}
		if newest.GC.Frozen > 0 {
			add("gc.freeze() hides %d objects of the target from the search", newest.GC.Frozen)
		}
		for _, n := range e.Notes {
			add("%s", n)
		}
	}
	for _, w := range in.Locator.Warnings() {
		add("%s", w)
	}
	return out
}

// newestOf is the last evidence that there is, nil for none.
func newestOf(all []*evidence.Evidence) (newest *evidence.Evidence) {
	for _, e := range all {
		if e != nil {
			newest = e
		}
	}
	return newest
}

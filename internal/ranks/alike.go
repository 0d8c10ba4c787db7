package ranks

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/stats"
)

// kind is what makes ranks alike: the verdict, and what is to be changed.
type kind struct {
	verdict      finding.Verdict
	memory, rule string
	place        finding.Place
}

func kindOf(r finding.Report) kind {
	k := kind{verdict: r.Verdict}
	if !grave(r.Verdict) {
		return k
	}
	if m := worst(r); m != nil {
		k.memory = m.Kind
	}
	if len(r.Findings) > 0 {
		f := r.Findings[0]
		k.rule = f.Rule
		if f.Location != nil {
			k.place = finding.Place{File: f.Location.File, Line: f.Location.Line}
		}
	}
	return k
}

// grave reports whether a verdict asks for something to be done.
func grave(v finding.Verdict) bool { return v.Rank() < finding.Bounded.Rank() }

// worst is the memory that the report's verdict is of; nil where it has none.
func worst(r finding.Report) *finding.Memory {
	var found *finding.Memory
	for i := range r.Memories {
		m := &r.Memories[i]
		if found == nil || m.Verdict.Rank() < found.Verdict.Rank() || m.Verdict == found.Verdict && rate(m) > rate(found) {
			found = m
		}
	}
	return found
}

func rate(m *finding.Memory) int64 {
	if m.BytesPerStep == nil {
		return 0
	}
	return *m.BytesPerStep
}

// alike groups the ranks by what they do, the gravest first, of the same verdict the most.
func alike(reports []finding.Report) []finding.Alike {
	groups := []finding.Alike{}
	for _, same := range byKind(reports) {
		k := kindOf(same[0])
		g := finding.Alike{Verdict: k.verdict, Rule: k.rule, BytesPerStep: typical(same, bytesPerStep), SinceStep: typical(same, since), LastBytes: typical(same, last)}
		if !grave(k.verdict) {
			g.BytesPerStep, g.SinceStep = nil, nil
		}
		if m := worst(same[0]); m != nil {
			g.Memory = m.Kind
		}
		if k.rule != "" {
			g.Name = same[0].Findings[0].Name
		}
		if k.place.File != "" {
			place := k.place
			g.Location = &place
		}
		for _, r := range same {
			if !slices.Contains(g.Ranks, r.Target.Rank) {
				g.Ranks = append(g.Ranks, r.Target.Rank)
			}
		}
		groups = append(groups, g)
	}
	return groups
}

// byKind sorts reports into those that are alike.
func byKind(reports []finding.Report) [][]finding.Report {
	places := map[kind]int{}
	var groups [][]finding.Report
	for _, r := range reports {
		k := kindOf(r)
		i, known := places[k]
		if !known {
			i = len(groups)
			places[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	slices.SortStableFunc(groups, func(a, b []finding.Report) int {
		return cmp.Or(cmp.Compare(a[0].Verdict.Rank(), b[0].Verdict.Rank()), cmp.Compare(len(b), len(a)))
	})
	return groups
}

// Figures of the memory that a report's verdict is of.
func bytesPerStep(r finding.Report) (float64, bool) { return figure(worst(r), bytesPerStepOf) }
func since(r finding.Report) (float64, bool)        { return figure(worst(r), sinceOf) }
func last(r finding.Report) (float64, bool)         { return figure(worst(r), lastOf) }

func bytesPerStepOf(m *finding.Memory) *int64 { return m.BytesPerStep }
func sinceOf(m *finding.Memory) *int64        { return m.SinceStep }
func lastOf(m *finding.Memory) *int64         { return m.LastBytes }

func figure(m *finding.Memory, of func(*finding.Memory) *int64) (float64, bool) {
	if m == nil || of(m) == nil {
		return 0, false
	}
	return float64(*of(m)), true
}

// typical is the median of a figure over the ranks that have it; nil where none has.
func typical(reports []finding.Report, of func(finding.Report) (float64, bool)) *int64 {
	var all []float64
	for _, r := range reports {
		if v, ok := of(r); ok {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil
	}
	v := int64(stats.Median(all))
	return &v
}

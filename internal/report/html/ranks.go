package html

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// Of a job of many ranks the page shows so many one by one, and draws the curves of so many: the gravest and odd ones, and
// as many others as there is room for.
const (
	maxRows   = 48
	maxCurves = 12
)

// jobView is what a page says of a job's ranks beside their table.
type jobView struct {
	Says  string
	Alike []alikeRow
	Odd   []prose
	More  string
}

type alikeRow struct{ Ranks, Tone, Label, Says string }

type rankRow struct{ Rank, Tone, Label, Spark, Says, Finding string }

func (v view) job(r finding.Report) jobView {
	if r.Job == nil {
		return jobView{}
	}
	j := *r.Job
	var view jobView
	if j.WorldSize > 1 {
		view.Says = plain.Text(v.say.Job(j, max(len(r.Ranks), 1)))
		for _, a := range j.Alike {
			view.Alike = append(view.Alike, alikeRow{plain.Text(plain.Upper(v.say.Ranks(a.Ranks))), tone(a.Verdict), plain.Text(v.say.Label(a.Verdict)), plain.Text(v.say.Alike(a))})
		}
	}
	for _, text := range v.say.Odd(j.Odd) {
		view.Odd = append(view.Odd, newProse(plain.Upper(text)))
	}
	if more := len(r.Ranks) - maxRows; more > 0 {
		view.More = v.say.Sentences(v.say.Say("ranks.more", "count", units.Count(int64(more))))
	}
	return view
}

func (v view) rank(r finding.Report) rankRow {
	row := rankRow{Rank: plain.Text(v.say.RankNumber(r)), Tone: tone(r.Verdict), Label: plain.Text(v.say.Label(r.Verdict)),
		Says: plain.Text(v.say.Sentences(v.say.Headline(r)))}
	if m := phrase.Worst(r.Memories); m != nil {
		row.Spark = sparkPath(*m, judged(*m, r.Steps.Warmup))
	}
	if len(r.Findings) > 0 && r.Findings[0].Location != nil {
		row.Finding = place(r.Findings[0].Location.File, r.Findings[0].Location.Line)
	}
	return row
}

// rankNote says which ranks leak, and of a single process how it was ended.
func rankNote(r finding.Report, say *phrase.Catalogue) string {
	if len(r.Ranks) == 0 {
		return plain.Upper(say.Ending(r))
	}
	return say.LeakingRanks(r.Ranks)
}

// telling is as many ranks as there is room for, in their order: where they are more, the gravest, the odd ones, then the
// others.
func telling(r finding.Report, room int) []finding.Report {
	if len(r.Ranks) <= room {
		return r.Ranks
	}
	odd := map[int]bool{}
	if r.Job != nil {
		for _, o := range r.Job.Odd {
			odd[o.Rank] = true
		}
	}
	weight := func(r finding.Report) int {
		if odd[r.Target.Rank] {
			return min(r.Verdict.Rank(), finding.Bounded.Rank()-1)
		}
		return r.Verdict.Rank()
	}
	chosen := slices.Clone(r.Ranks)
	slices.SortStableFunc(chosen, func(a, b finding.Report) int { return cmp.Compare(weight(a), weight(b)) })
	chosen = chosen[:room]
	slices.SortStableFunc(chosen, func(a, b finding.Report) int { return cmp.Compare(a.Target.Rank, b.Target.Rank) })
	return chosen
}

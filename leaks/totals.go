package leaks

import (
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
)

// Figure is one line of the score: a share or a number, and what it has to reach.
type Figure struct {
	What  string
	Value float64
	Count string // right of all, or how many it is the median of
	Limit float64
	Most  bool // Value must be at most Limit, not at least
	Share bool // Value is a share of 1
}

// OK says whether the figure reaches its limit.
func (f Figure) OK() bool {
	if f.Most {
		return f.Value <= f.Limit
	}
	return f.Value >= f.Limit
}

// Figures adds the results up. Figures that no result bears on are left out.
func Figures(results []Result) []Figure {
	var verdict, first, three, rule, holder, found tally
	var alarms, benign int
	var steps, periods []float64
	for i := range results {
		r := &results[i]
		verdict.add(r.Score.VerdictOK)
		if r.Program == "fixed.py" || !r.Case.Leaks() {
			benign++
			if r.Score.FalseAlarm {
				alarms++
			}
			continue
		}
		first.add(r.Score.Place == First)
		three.add(r.Score.Place != NoPlace)
		rule.add(r.Score.RuleOK)
		if len(r.Case.Holder) > 0 {
			holder.add(r.Score.HolderOK)
		}
		// Reference cycles have no step from which they count as seen: the collector sets their rhythm.
		if r.Case.Verdict != finding.Leak {
			continue
		}
		found.add(r.Score.Detected)
		if r.Score.Detected {
			if r.Case.Period > 1 {
				periods = append(periods, float64(r.Score.Latency)/float64(r.Case.Period))
			} else {
				steps = append(steps, float64(r.Score.Latency))
			}
		}
	}
	var figures []Figure
	figures = verdict.share(figures, "verdict right", 0.97)
	if benign > 0 {
		figures = append(figures, Figure{What: "look-alikes called leak", Value: float64(alarms), Count: count(alarms, benign), Most: true})
	}
	figures = first.share(figures, "statement right, first finding", 0.92)
	figures = three.share(figures, "statement right, first three findings", 0.97)
	figures = holder.share(figures, "holder named", 0.92)
	figures = rule.share(figures, "rule right", 0.92)
	figures = found.share(figures, "step of detection said", 0.97)
	figures = median(figures, "steps to detection, growth every step, median", steps, 8)
	return median(figures, "periods to detection, periodic growth, median", periods, 3)
}

type tally struct{ right, all int }

func (t *tally) add(ok bool) {
	t.all++
	if ok {
		t.right++
	}
}

func (t tally) share(to []Figure, what string, limit float64) []Figure {
	if t.all == 0 {
		return to
	}
	return append(to, Figure{What: what, Value: float64(t.right) / float64(t.all), Count: count(t.right, t.all), Limit: limit, Share: true})
}

func median(to []Figure, what string, values []float64, limit float64) []Figure {
	if len(values) == 0 {
		return to
	}
	slices.Sort(values)
	middle := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
	return append(to, Figure{What: what, Value: middle, Count: count(len(values), len(values)), Limit: limit, Most: true})
}

package bisect

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/experiment"
)

// parts are the kinds of statements in the order in which they are switched off. What stores comes first: without a
// statement that computes, nothing is stored either, so that computations prove little. The last is tried only when
// the others were not it.
var parts = [][]experiment.Kind{
	{experiment.Keep, experiment.Store, experiment.Carry, experiment.Call},
	{experiment.Update},
	{experiment.Value},
}

// groupsOf sorts the statements into parts. In a part the kinds stand in order. Where memory grows in every step, what runs
// in few of them comes behind the rest of its kind. Then the statement that begins last in a step comes first: those of a
// function that is called before the call. Of values that are carried, the call comes before: what its function carries by
// itself ends with it, unless the caller keeps it.
func groupsOf(all []experiment.Statement, period int64) [][]int {
	groups := make([][]int, len(parts))
	var most int64
	for i, s := range all {
		most = max(most, s.Steps)
		for p, kinds := range parts {
			if slices.Contains(kinds, s.Kind) && !s.Ticks {
				groups[p] = append(groups[p], i)
			}
		}
	}
	rare := func(s experiment.Statement) int {
		if period <= 1 && 2*s.Steps < most {
			return 1
		}
		return 0
	}
	for p, kinds := range parts {
		slices.SortStableFunc(groups[p], func(a, b int) int {
			x, y := all[a], all[b]
			later := cmp.Compare(y.Order, x.Order)
			if x.Kind == experiment.Carry {
				later = -later
			}
			return cmp.Or(cmp.Compare(slices.Index(kinds, x.Kind), slices.Index(kinds, y.Kind)), cmp.Compare(rare(x), rare(y)), later)
		})
	}
	return groups
}

// repeated are the statements that ran in at least two steady steps: what runs once makes nothing grow.
func repeated(all []experiment.Statement) []experiment.Statement {
	return slices.DeleteFunc(slices.Clone(all), func(s experiment.Statement) bool { return s.Steps < 2 })
}

// inside are the places of the statements that ran in calls of one.
func inside(all []experiment.Statement, outer int) []int {
	var found []int
	for i, s := range all {
		if s.Inside(all[outer]) && !s.Ticks {
			found = append(found, i)
		}
	}
	return found
}

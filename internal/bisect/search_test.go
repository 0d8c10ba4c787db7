package bisect

import (
	"fmt"
	"slices"
	"testing"
)

// world is a training in which statements cause growth: each cause has a share of it and goes on while one of its
// statements' sets is whole, as when two lists hold the same tensor.
type world struct {
	causes []cause
	breaks func(off []int) bool // the training does not run without these
}

// cause ends when all statements of one of its keys are off.
type cause struct {
	share float64
	keys  [][]int
}

func (w world) try(off []int) Trial {
	if w.breaks != nil && w.breaks(off) {
		return Trial{}
	}
	left := 0.0
	for _, c := range w.causes {
		ended := slices.ContainsFunc(c.keys, func(key []int) bool {
			return !slices.ContainsFunc(key, func(i int) bool { return !slices.Contains(off, i) })
		})
		if !ended {
			left += c.share
		}
	}
	return Trial{Resolved: true, Left: left}
}

// list counts from first to last.
func list(first, last int) (all []int) {
	for i := first; i <= last; i++ {
		all = append(all, i)
	}
	return all
}

func TestSearch(t *testing.T) {
	groups := [][]int{list(0, 9), list(10, 12), list(13, 40)}
	for _, c := range []struct {
		name  string
		world world
		want  []int
		runs  int // at most
	}{
		// One run for the group of 10, then halves: 5, 2 or 3, 1 or 2, 1, and one to be sure.
		{"one that stores", world{causes: []cause{{1, [][]int{{7}}}}}, []int{7}, 6},
		// Two groups before it end nothing; 28 statements are halved five times.
		{"one that computes", world{causes: []cause{{1, [][]int{{30}}}}}, []int{30}, 9},
		{"the only one of its group that can be", world{causes: []cause{{1, [][]int{{11}}}}}, []int{11}, 5},
		{"two leaks of different size", world{causes: []cause{{0.6, [][]int{{1}}}, {0.4, [][]int{{8}}}}}, []int{1, 8}, 9},
		{"two leaks in different groups", world{causes: []cause{{0.5, [][]int{{1}}}, {0.5, [][]int{{11}}}}}, []int{1, 11}, 10},
		// What one half tells of the other is wrong here, three times; then the first guess is left out again.
		{"two that hold the same", world{causes: []cause{{1, [][]int{{2, 8}}}}}, []int{2, 8}, 14},
		{"either of two", world{causes: []cause{{1, [][]int{{2}, {8}}}}}, []int{2}, 6},
		{"a group that the training needs", world{causes: []cause{{1, [][]int{{7}}}},
			breaks: func(off []int) bool { return slices.Contains(off, 0) && len(off) > 3 }}, []int{7}, 8},
	} {
		s := &search{try: c.world.try, runs: 20}
		got := s.find(groups)
		slices.Sort(got)
		if !slices.Equal(got, c.want) || len(s.trials) > c.runs {
			t.Errorf("%s: found %v in %d runs, want %v in %d", c.name, got, len(s.trials), c.want, c.runs)
		}
		if last := c.world.try(got); !last.Gone() {
			t.Errorf("%s: %v do not end the growth", c.name, got)
		}
	}
}

// TestSearchBounded gives every search too few runs: no more are made, and what is named ends the growth where a run has
// shown that.
func TestSearchBounded(t *testing.T) {
	w := world{causes: []cause{{1, [][]int{{30}}}}}
	for runs := range 9 {
		made := 0
		s := &search{runs: runs, try: func(off []int) Trial { made++; return w.try(off) }}
		found := s.find([][]int{list(0, 9), list(10, 12), list(13, 40)})
		if made > runs {
			t.Errorf("%d runs were made of %d", made, runs)
		}
		if runs >= 4 && !slices.Contains(found, 30) {
			t.Errorf("%d runs: %v does not hold the statement", runs, found)
		}
	}
}

// TestSearchNothing: a growth that no statement causes is laid at none.
func TestSearchNothing(t *testing.T) {
	for name, w := range map[string]world{
		"from a library":        {causes: []cause{{1, nil}}},
		"that crashes whatever": {breaks: func([]int) bool { return true }},
	} {
		s := &search{try: w.try, runs: 11}
		if found := s.find([][]int{list(0, 3), list(4, 9)}); len(found) > 0 {
			t.Errorf("%s: found %v", name, found)
		}
	}
}

func ExampleTrial_Gone() {
	fmt.Println(Trial{Resolved: true, Left: 0.1}.Gone(), Trial{Left: 0}.Gone())
	// Output: true false
}

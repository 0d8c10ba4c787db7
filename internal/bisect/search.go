package bisect

import (
	"slices"

	"github.com/torchleak/torchleak/internal/experiment"
)

// Trial is what a run with some statements off came to.
type Trial struct {
	Off      []int   // places in the list of statements
	Resolved bool    // the training ran and stepped; only then is the rest evidence
	Left     float64 // the part of the growth that was left: 0 gone, 1 all of it
	Rate     float64 // what is left, a step
}

// Which part of the growth counts as gone, and as untouched. What lies between is the growth of one of several causes.
const (
	goneBelow = experiment.GoneBelow
	sameAbove = 1 - goneBelow
)

// Gone reports that the growth ended.
func (t Trial) Gone() bool { return t.Resolved && t.Left <= goneBelow }

// search looks for the smallest set of statements without which the growth ends.
type search struct {
	try    func(off []int) Trial // makes a run
	runs   int                   // that may still be made
	trials []Trial
	base   []int // statements that are off in every run: each is needed, and together they are not enough
}

// test makes a run with the statements off, or remembers it. ok is false when no more runs may be made.
func (s *search) test(off []int) (t Trial, ok bool) {
	off = slices.Sorted(slices.Values(slices.Concat(s.base, off)))
	off = slices.Compact(off)
	for _, t := range s.trials {
		if slices.Equal(t.Off, off) {
			return t, true
		}
	}
	if s.runs <= 0 {
		return Trial{}, false
	}
	s.runs--
	t = s.try(off)
	t.Off = off
	s.trials = append(s.trials, t)
	return t, true
}

// find goes through the groups, most likely first, until one of them ends the growth, and narrows that. Groups that end a
// part of it are narrowed too, and the search goes on for the rest.
func (s *search) find(groups [][]int) []int {
	var found []int
	ended := 0.0
	for i := 0; i < len(groups) && ended < sameAbove; i++ {
		g := groups[i]
		if len(g) == 0 {
			continue
		}
		t, ok := s.test(g)
		if !ok {
			break
		}
		switch share := 1 - t.Left; {
		case !t.Resolved && len(g) > 1:
			// A crash says nothing of the parts.
			middle := (len(g) + 1) / 2
			groups = slices.Insert(groups, i+1, g[:middle], g[middle:])
		case t.Resolved && share > goneBelow:
			found = append(found, s.narrow(g, share)...)
			ended += share
		}
	}
	return s.confirm(found)
}

// narrow looks for the part of a group, all of which ends share of the growth, that ends it too. One half tells of the
// other: what it does not end, the other does.
func (s *search) narrow(g []int, share float64) []int {
	if len(g) == 1 {
		return g
	}
	middle := (len(g) + 1) / 2
	first, second := g[:middle], g[middle:]
	t, ok := s.test(first)
	if ok && !t.Resolved {
		first, second = second, first
		t, ok = s.test(first)
	}
	if !ok || !t.Resolved {
		return g
	}
	switch of := (1 - t.Left) / share; {
	case of >= sameAbove:
		return s.narrow(first, share)
	case of <= goneBelow:
		return s.narrow(second, share)
	default:
		return slices.Concat(s.narrow(first, 1-t.Left), s.narrow(second, share-(1-t.Left)))
	}
}

// confirm makes sure that the statements found end the growth by themselves. Where they do not, others that were off
// with them at the time are needed too: the smallest set that did end it is narrowed with the found ones off for good.
func (s *search) confirm(found []int) []int {
	if len(found) == 0 {
		return nil
	}
	for {
		t, ok := s.test(found)
		if ok && t.Gone() {
			return s.reduce(t.Off)
		}
		whole := s.smallestGone(found)
		if !ok || whole == nil || len(s.base) > maxBase {
			break
		}
		s.base = slices.Sorted(slices.Values(slices.Concat(s.base, found)))
		rest := slices.DeleteFunc(slices.Clone(whole), func(i int) bool { return slices.Contains(s.base, i) })
		if len(rest) == 0 {
			break
		}
		found = s.narrow(rest, max(sameAbove, t.Left))
	}
	if whole := s.smallestGone(nil); whole != nil {
		return whole
	}
	return found
}

// reduce leaves out what was taken to be needed and is not: one half was told by the other, and the other may have been
// needed too.
func (s *search) reduce(found []int) []int {
	maybe := s.base
	s.base = nil
	for _, i := range maybe {
		less := slices.DeleteFunc(slices.Clone(found), func(j int) bool { return j == i })
		if t, ok := s.test(less); ok && len(less) > 0 && t.Gone() {
			found = less
		}
	}
	return found
}

// maxBase bounds how many statements are taken to be needed only together.
const maxBase = 3

// smallestGone is the smallest set that ended the growth and holds all of part; nil where none did.
func (s *search) smallestGone(part []int) []int {
	var best []int
	for _, t := range s.trials {
		if !t.Gone() || best != nil && len(t.Off) >= len(best) {
			continue
		}
		holds := true
		for _, i := range part {
			holds = holds && slices.Contains(t.Off, i)
		}
		if holds {
			best = t.Off
		}
	}
	return best
}

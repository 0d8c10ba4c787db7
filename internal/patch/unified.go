package patch

import (
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Unified returns what makes after, which has no byte order mark, of f, as a unified diff, byte for byte: empty
// where they are the same. `git apply` and `patch -p1` read it.
func Unified(f *pysyntax.File, after []byte) string {
	edits := lineEdits(f, split(string(f.Source)), split(string(after)))
	if len(edits) == 0 {
		return ""
	}
	return unified(f, edits)
}

// lineEdits returns few replacements of whole lines that make after of before, the lines of f.
func lineEdits(f *pysyntax.File, before, after []string) []Edit {
	var edits []Edit
	offset := uint32(0)
	i, j := 0, 0
	add := func(toI, toJ int) {
		if toI == i && toJ == j {
			return
		}
		e := Edit{Start: offset, Text: strings.Join(after[j:toJ], "")}
		for ; i < toI; i++ {
			offset += uint32(len(before[i]))
		}
		e.End, j = offset, toJ
		edits = append(edits, e)
	}
	for _, m := range matches(before, after) {
		add(m.i, m.j)
		offset += uint32(len(before[i]))
		i, j = m.i+1, m.j+1
	}
	add(len(before), len(after))
	return edits
}

// match says that line i of one text is line j of the other.
type match struct{ i, j int }

// maxEdits bounds how many lines may differ in a stretch that is matched as a whole. The work grows with its square, but
// only in proportion to the number of stretches.
const maxEdits = 256

// matches returns a common subsequence of lines, the longest one of each stretch.
func matches(a, b []string) []match {
	var all []match
	for i, j := 0, 0; i < len(a) || j < len(b); {
		found, end := stretch(a[i:], b[j:])
		for _, m := range found {
			all = append(all, match{i + m.i, j + m.j})
		}
		i, j = i+end.i, j+end.j
	}
	return all
}

// stretch matches the lines that a and b begin with, by Myers' greedy way: as far as at most maxEdits lines differ. It
// returns where that ends too.
func stretch(a, b []string) (found []match, end match) {
	var trail [][]int // by number of edits: the line of a reached on each diagonal i-j, of which every other one can be
	for d := 0; d <= maxEdits; d++ {
		next := make([]int, d+1)
		for n := range next {
			i := 0
			if d > 0 {
				i = step(trail[d-1], n)
			}
			k := 2*n - d
			for i < len(a) && i-k < len(b) && a[i] == b[i-k] {
				i++
			}
			next[n] = i
			if at := (match{i, i - k}); at.i <= len(a) && at.j <= len(b) && at.i+at.j >= end.i+end.j {
				end = at
			}
		}
		trail = append(trail, next)
		if end == (match{len(a), len(b)}) {
			break
		}
	}
	return backtrack(end, trail), end
}

// step is the line of a that one edit more leads to on the n-th diagonal: one of a left out, or one of b put in.
func step(furthest []int, n int) int {
	if putsIn(furthest, n) {
		return furthest[n]
	}
	return furthest[n-1] + 1
}

// putsIn reports whether the furthest way to the n-th diagonal puts a line of b in.
func putsIn(furthest []int, n int) bool {
	return n == 0 || n < len(furthest) && furthest[n-1] < furthest[n]
}

// backtrack follows the trail of furthest points back from at, which is one of the last.
func backtrack(at match, trail [][]int) []match {
	var found []match
	for d := len(trail) - 1; d >= 0; d-- {
		var from match
		if d > 0 {
			n := (at.i - at.j + d) / 2
			if before := trail[d-1]; putsIn(before, n) {
				from = match{before[n], before[n] - (2*n - d + 1)}
			} else {
				from = match{before[n-1], before[n-1] - (2*n - d - 1)}
			}
		}
		for at.i > from.i && at.j > from.j {
			at = match{at.i - 1, at.j - 1}
			found = append(found, at)
		}
		at = from
	}
	slices.Reverse(found)
	return found
}

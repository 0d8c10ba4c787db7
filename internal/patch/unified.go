package patch

import (
	"slices"

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

// lineEdits returns the fewest replacements of whole lines that make after of before, the lines of f.
func lineEdits(f *pysyntax.File, before, after []string) []Edit {
	var edits []Edit
	offset := uint32(0)
	i, j := 0, 0
	add := func(toI, toJ int) {
		if toI == i && toJ == j {
			return
		}
		e := Edit{Start: offset}
		for ; i < toI; i++ {
			offset += uint32(len(before[i]))
		}
		e.End = offset
		for ; j < toJ; j++ {
			e.Text += after[j]
		}
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

// matches returns a longest common subsequence of lines, by Myers' greedy way: quick where few lines differ.
func matches(a, b []string) []match {
	furthest := map[int]int{1: 0} // line of a reached on each diagonal i-j
	var trail []map[int]int
	for d := 0; ; d++ {
		trail = append(trail, furthest)
		next := map[int]int{}
		for k := -d; k <= d; k += 2 {
			i := furthest[from(furthest, d, k)]
			if from(furthest, d, k) < k {
				i++
			}
			for i < len(a) && i-k < len(b) && a[i] == b[i-k] {
				i++
			}
			next[k] = i
			if i >= len(a) && i-k >= len(b) {
				return backtrack(len(a), len(b), trail)
			}
		}
		furthest = next
	}
}

// from is the diagonal that the d-th step comes from to reach diagonal k.
func from(furthest map[int]int, d, k int) int {
	if k == -d || k != d && furthest[k-1] < furthest[k+1] {
		return k + 1
	}
	return k - 1
}

// backtrack follows the trail of furthest points back to the beginning.
func backtrack(i, j int, trail []map[int]int) []match {
	var found []match
	for d := len(trail) - 1; d >= 0; d-- {
		k := from(trail[d], d, i-j)
		fromI := trail[d][k]
		fromJ := fromI - k
		for i > fromI && j > fromJ && i > 0 && j > 0 {
			i, j = i-1, j-1
			found = append(found, match{i, j})
		}
		i, j = fromI, fromJ
	}
	slices.Reverse(found)
	return found
}

package verify

import (
	"fmt"
	"math"
	"strconv"
)

// Losses is how far the losses of two runs are the same.
type Losses struct {
	Compared int     // how many
	Equal    int     // of them bit for bit, up to the first that differs
	Apart    float64 // mean difference, relative to the losses' own size
	Noise    float64 // the same between two runs of the unchanged training, where that was needed
}

// Of trainings that do not repeat themselves, the losses may differ by so many times what they differ by themselves.
const timesNoise = 5

// Exact reports that all are the same, bit for bit.
func (l Losses) Exact() bool { return l.Compared > 0 && l.Equal == l.Compared }

// Same reports that they are the same, as far as the training repeats itself.
func (l Losses) Same() bool {
	return l.Exact() || l.Compared > 0 && l.Noise > 0 && l.Apart <= timesNoise*l.Noise
}

// String says it in words.
func (l Losses) String() string {
	switch {
	case l.Compared == 0:
		return noLosses
	case l.Exact():
		return fmt.Sprintf("all %d losses are the same, bit for bit", l.Compared)
	case l.Same():
		return fmt.Sprintf("%d losses are the same as far as the training repeats itself (apart by %s, by itself by %s)", l.Compared, short(l.Apart), short(l.Noise))
	}
	return fmt.Sprintf("the losses differ from number %d on (by %s of their size)", l.Equal+1, short(l.Apart))
}

const noLosses = "no losses were seen to compare: the training calls no backward"

func short(part float64) string { return strconv.FormatFloat(part, 'g', 2, 64) }

// compare compares losses by rank, as many as both runs have.
func compare(a, b [][]string) Losses {
	var l Losses
	sum, size := 0.0, 0.0
	for rank := range min(len(a), len(b)) {
		x, y := a[rank], b[rank]
		n := min(len(x), len(y))
		l.Compared += n
		equal := 0
		for equal < n && x[equal] == y[equal] {
			equal++
		}
		l.Equal += equal
		for i := range n {
			v, w := number(x[i]), number(y[i])
			if x[i] != y[i] {
				sum += math.Abs(v - w)
			}
			size += math.Abs(v)
		}
	}
	if size > 0 {
		l.Apart = sum / size
	}
	return l
}

// number reads a float as Python writes its bits; what is none, as nan, counts as 0.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

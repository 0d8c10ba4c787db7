package experiment

import (
	"math"
	"slices"

	"github.com/torchleak/torchleak/internal/report/curve"
	"github.com/torchleak/torchleak/internal/units"
)

// Amount is a growth in the unit of the counter.
func (g Growth) Amount(rate float64) string {
	n := int64(math.Round(rate))
	if g.Curve.Unit == "bytes" {
		return units.Rate(n)
	}
	return units.Count(n) + " " + g.Curve.Unit + "/step"
}

// bars is how many bars a drawn curve has at most.
const bars = 40

// Drawn is a counter from the step on at which growth is measured, counted from there.
type Drawn struct {
	Values []int64
	Bars   string // for a terminal
}

// Compare draws the growth and the same counter in another run up to a step, to one scale.
func (g Growth) Compare(other Curve, to int64) (with, without Drawn) {
	with.Values, without.Values = g.Curve.between(g.From, to), other.between(g.From, to)
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for _, v := range slices.Concat(with.Values, without.Values) {
		low, high = min(low, v), max(high, v)
	}
	with.Bars, without.Bars = curve.Bars(with.Values, low, high, bars), curve.Bars(without.Values, low, high, bars)
	return with, without
}

// between are the values of the steps, counted from the first.
func (c Curve) between(from, to int64) []int64 {
	first, _ := slices.BinarySearch(c.Steps, from)
	end, _ := slices.BinarySearch(c.Steps, to+1)
	values := slices.Clone(c.Values[first:max(first, end)])
	for i := range values {
		values[i] -= c.Values[first]
	}
	return values
}

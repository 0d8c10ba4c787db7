// Package stats has the few order statistics the detectors rest on. They are distribution free: a jump,
// a gap or a heavy tail may cost precision but never moves an answer far. It deliberately offers no
// means and no normal theory.
package stats

import (
	"math"
	"slices"
)

// Quantile returns the q-quantile (0 ≤ q ≤ 1) of xs by linear interpolation, NaN for none. xs is not changed.
func Quantile(xs []float64, q float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	s := slices.Clone(xs)
	slices.Sort(s)
	return quantileSorted(s, q)
}

// Median returns the middle of xs, NaN for none.
func Median(xs []float64) float64 { return Quantile(xs, 0.5) }

// MAD returns the median distance of xs from their median, NaN for none.
func MAD(xs []float64) float64 {
	m := Median(xs)
	d := make([]float64, len(xs))
	for i, x := range xs {
		d[i] = math.Abs(x - m)
	}
	return Median(d)
}

func quantileSorted(s []float64, q float64) float64 {
	at := q * float64(len(s)-1)
	i := int(at)
	if i >= len(s)-1 {
		return s[len(s)-1]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}

package stats

import (
	"math"
	"slices"
)

// Slope is the steepness of a line through points, with its 95 % interval.
type Slope struct{ Mid, Lo, Hi float64 }

// TheilSen returns the median of the slopes of all pairs of points, and the interval that Kendall's
// statistic gives (Sen 1968). Under five points the interval is all that was seen. Points on one line give
// an interval of no width. It is quadratic in the number of points; ok is false for fewer than two
// different abscissae.
func TheilSen(x, y []float64) (s Slope, ok bool) {
	slopes := make([]float64, 0, len(x)*(len(x)-1)/2)
	for i := range x {
		for j := i + 1; j < len(x); j++ {
			if x[j] != x[i] {
				slopes = append(slopes, (y[j]-y[i])/(x[j]-x[i]))
			}
		}
	}
	if len(slopes) == 0 {
		return Slope{}, false
	}
	slices.Sort(slopes)
	s = Slope{Mid: quantileSorted(slopes, 0.5), Lo: slopes[0], Hi: slopes[len(slopes)-1]}
	if n := float64(len(x)); n >= 5 {
		const z = 1.96
		spread := z * math.Sqrt(n*(n-1)*(2*n+5)/18)
		m := float64(len(slopes))
		s.Lo = slopes[clamp(int(math.Floor((m-spread)/2)), len(slopes))]
		s.Hi = slopes[clamp(int(math.Ceil((m+spread)/2)), len(slopes))]
	}
	return s, true
}

func clamp(i, n int) int { return max(0, min(i, n-1)) }

// WithoutJumps returns y, the floors of windows that begin at x, with single jumps taken out: an increment that
// lies far from all the others is replaced by the median one, and everything behind it is shifted. After a drop
// the next increment goes too, since the drop cut its window short. Increments are compared by the length of
// their windows. At most one in eight is taken for a jump: more of them are what the series does.
func WithoutJumps(x, y []float64) []float64 {
	out := slices.Clone(y)
	if len(y) < 5 {
		return out
	}
	rate := make([]float64, len(y)-1)
	for i := range rate {
		rate[i] = (y[i+1] - y[i]) / (x[i+1] - x[i])
	}
	mid := Median(rate)
	spread := max(1.4826*MAD(rate), math.Abs(mid)/4)
	jumps := make([]int, 0, 4)
	for i, d := range rate {
		if math.Abs(d-mid) > 6*spread {
			jumps = append(jumps, i)
		}
	}
	if len(jumps) > max(1, len(rate)/8) {
		return out
	}
	for _, i := range jumps {
		if rate[i] < mid && i+1 < len(rate) {
			rate[i+1] = mid
		}
		rate[i] = mid
	}
	for i, d := range rate {
		out[i+1] = out[i] + d*(x[i+1]-x[i])
	}
	return out
}

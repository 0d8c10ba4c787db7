package experiment

import "testing"

// What a training gathers over an epoch and lets go is no growth, wherever in an epoch the steps begin that are looked at; what its
// floor rises by is.
func TestTeeth(t *testing.T) {
	for _, c := range []struct {
		name  string
		curve Curve
		want  float64
		grows bool
	}{
		{"epochs of 30 steps", curveOf(120, func(s int64) int64 { return 4500 * ((s - 1) % 30) }), 0, false},
		{"epochs of unlike length", curveOf(150, func(s int64) int64 { return 4500 * ((s * s / 100) % 30) }), 0, false},
		{"a floor that rises", curveOf(120, func(s int64) int64 { return 4500*((s-1)%30) + 500*s }), 500, true},
		{"a heap that becomes smaller", curveOf(120, func(s int64) int64 { return 4500*s - s/99*600_000 }), 4500, true},
		{"ripples before a slow rise", curveOf(120, func(s int64) int64 { return 5000*(min(s, 30)%5) + 300*s }), 300, true},
		{"epochs that end", curveOf(120, func(s int64) int64 { return 4500 * (min(s, 60)%30 + max(0, s-60)) }), 4500, false},
	} {
		got, ok := c.curve.rate(Settled, c.curve.Last(), 1, 8)
		if !ok || got != c.want || c.curve.Grows(Settled, 1) != c.grows {
			t.Errorf("%s: %v a step, grows %v; want %v, %v", c.name, got, !c.grows, c.want, c.grows)
		}
	}
}

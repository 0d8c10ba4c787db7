package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		xs      []float64
		q, want float64
	}{
		{[]float64{3}, 0.9, 3},
		{[]float64{4, 1, 3, 2}, 0.5, 2.5},   // between the two middle ones
		{[]float64{4, 1, 3, 2}, 0, 1},       // smallest
		{[]float64{4, 1, 3, 2}, 1, 4},       // largest
		{[]float64{0, 10, 20}, 0.25, 5},     // half way from the first to the second
		{[]float64{-1, -1, -1, 9}, 0.5, -1}, // ties
	} {
		if got := Quantile(c.xs, c.q); got != c.want {
			t.Errorf("Quantile(%v, %v) = %v, want %v", c.xs, c.q, got, c.want)
		}
	}
	if !math.IsNaN(Median(nil)) || !math.IsNaN(MAD(nil)) {
		t.Error("the median of nothing must not be a number")
	}
	// Distances of 1, 2, 3, 4, 100 from 3 are 2, 1, 0, 1, 97.
	if got := MAD([]float64{1, 2, 3, 4, 100}); got != 1 {
		t.Errorf("MAD = %v, want 1", got)
	}
}

func TestTheilSen(t *testing.T) {
	// Slopes of the six pairs of (0,0) (1,1) (2,2) (3,9): 1, 1, 3, 1, 4, 7; the middle is (1+3)/2.
	s, ok := TheilSen([]float64{0, 1, 2, 3}, []float64{0, 1, 2, 9})
	if want := (Slope{2, 1, 7}); !ok || s != want {
		t.Errorf("got %v, want %v", s, want)
	}
	if _, ok := TheilSen([]float64{1, 1}, []float64{0, 5}); ok {
		t.Error("one abscissa has no slope")
	}
	if s, _ := TheilSen(ramp(20, 1), ramp(20, 7)); s != (Slope{7, 7, 7}) {
		t.Errorf("exact growth gives %v, want no width", s)
	}
}

func ramp(n int, by float64) []float64 {
	r := make([]float64, n)
	for i := range r {
		r[i] = float64(i) * by
	}
	return r
}

// A shift of the points moves nothing, a scale scales the answer.
func TestTheilSenShiftAndScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := ramp(25, 1), make([]float64, 25)
	moved, scaled := make([]float64, 25), make([]float64, 25)
	for i := range y {
		y[i] = float64(rng.IntN(1000))
		moved[i], scaled[i] = y[i]+4096, y[i]*8
	}
	a, _ := TheilSen(x, y)
	if b, _ := TheilSen(x, moved); b != a {
		t.Errorf("shifted: %v, want %v", b, a)
	}
	if b, _ := TheilSen(x, scaled); b != (Slope{8 * a.Mid, 8 * a.Lo, 8 * a.Hi}) {
		t.Errorf("scaled: %v, want 8 × %v", b, a)
	}
}

// The interval holds the true slope in at least 93 % of 1000 draws (95 % meant; the standard error of the
// share is 0.7 %).
func TestTheilSenCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, hit := ramp(20, 1), 0
	for range 1000 {
		y := make([]float64, len(x))
		for i := range y {
			y[i] = 3*x[i] + rng.NormFloat64()*5
		}
		if s, _ := TheilSen(x, y); s.Lo <= 3 && 3 <= s.Hi {
			hit++
		}
	}
	if hit < 930 {
		t.Errorf("the interval held the slope in %d of 1000 draws", hit)
	}
}

func TestWithoutJumps(t *testing.T) {
	y := ramp(20, 4)
	for i := 10; i < 20; i++ {
		y[i] -= 1000
	}
	if got := WithoutJumps(ramp(20, 1), y); got[19] != 76 { // 19 × 4
		t.Errorf("after taking the drop out the end is %v, want 76", got[19])
	}
	// A window three times as long that grew three times as much did not jump.
	long := []float64{0, 1, 2, 3, 6, 7, 8, 9, 10}
	if got := WithoutJumps(long, long); got[8] != 10 {
		t.Errorf("a gap was taken for a jump: end %v, want 10", got[8])
	}
	steps := []float64{0, 0, 0, 9, 9, 9, 18, 18, 18, 27, 27, 27} // three in eleven are the pattern
	if got := WithoutJumps(ramp(12, 1), steps); got[11] != 27 {
		t.Errorf("repeated rises were taken out: end %v, want 27", got[11])
	}
	if y[19] != 76-1000 {
		t.Error("the argument was changed")
	}
}

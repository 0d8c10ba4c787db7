package detect

import "testing"

// Evaluations every 5 steps, a heap read every third: rises are seen 6, 6 and 3 steps apart.
func TestBeat(t *testing.T) {
	var b beat
	for step := int64(5); step <= 20; step += 5 {
		b.mark(step)
	}
	for _, c := range []struct {
		period int64
		stride float64
		want   int64
	}{{6, 3, 5}, {4, 1, 5}, {5, 1, 5}, {9, 3, 9}, {20, 3, 20}} {
		if got := b.instead(c.period, c.stride); got != c.want {
			t.Errorf("period %d, stride %v: %d, want %d", c.period, c.stride, got, c.want)
		}
	}
	b.mark(27) // a beat that is lost is none
	if got := b.instead(6, 3); got != 6 {
		t.Errorf("without a beat: %d, want 6", got)
	}
}

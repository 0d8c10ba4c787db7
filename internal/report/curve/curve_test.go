package curve

import (
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

func TestNames(t *testing.T) {
	some := []int64{1}
	for _, c := range []struct {
		kind   string
		series map[string][]int64
		want   []string
	}{
		{"device", map[string][]int64{"reserved": some, "zeta": some, "allocated": some, "alpha": some}, []string{"allocated", "reserved", "alpha", "zeta"}},
		{"reserved", map[string][]int64{"reserved": some, "allocated": some}, []string{"reserved", "allocated"}},
		{"host", map[string][]int64{"rss": some, "used": some, "held": nil}, []string{"used", "rss"}},
		{"host", nil, []string{}},
	} {
		if got := Names(finding.Memory{Kind: c.kind, Series: c.series}); !slices.Equal(got, c.want) {
			t.Errorf("%s %v: %v, want %v", c.kind, c.series, got, c.want)
		}
	}
	if Judged(finding.Memory{}) != nil {
		t.Error("a memory without series is judged by one")
	}
}

func TestFlat(t *testing.T) {
	for _, c := range []struct {
		values []int64
		want   bool
	}{{nil, true}, {[]int64{5}, true}, {[]int64{5, 5}, true}, {[]int64{1_000_000, 1_000_500}, true}, {[]int64{1_000_000, 1_002_000}, false}, {[]int64{0, 1}, false}} {
		if got := Flat(c.values); got != c.want {
			t.Errorf("Flat(%v) = %v", c.values, got)
		}
	}
}

// A thinned series keeps its ends and its extremes, in order, within the limit.
func TestThin(t *testing.T) {
	for _, n := range []int{0, 1, 3, 99, 100, 101, 5000} {
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(i * 7919 % 1000)
		}
		if n > 50 {
			values[n/3], values[n/2] = 5000, -5000
		}
		places := Thin(values, 100)
		if len(places) > 100 || !slices.IsSorted(places) || len(slices.Compact(slices.Clone(places))) != len(places) {
			t.Fatalf("%d figures: %d places, sorted %v", n, len(places), slices.IsSorted(places))
		}
		if n > 50 && (places[0] != 0 || places[len(places)-1] != n-1 || !slices.Contains(places, n/3) || !slices.Contains(places, n/2)) {
			t.Errorf("%d figures: an end or an extreme is lost", n)
		}
	}
}

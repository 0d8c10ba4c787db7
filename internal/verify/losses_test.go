package verify

import "testing"

func TestLosses(t *testing.T) {
	a := [][]string{{"0x1.0p+0", "0x1.8p+0", "0x1.0p+1"}}
	for _, c := range []struct {
		name  string
		b     [][]string
		noise float64
		equal int
		same  bool
	}{
		{"the same", a, 0, 3, true},
		{"fewer", [][]string{{"0x1.0p+0", "0x1.8p+0"}}, 0, 2, true},
		{"one bit apart", [][]string{{"0x1.0p+0", "0x1.8000000000001p+0", "0x1.0p+1"}}, 0, 1, false},
		// Apart by 0.45 of 4.5 in all: a tenth. By itself the training differs by a fortieth: five of these are more.
		{"within what it differs by itself", [][]string{{"0x1.0p+0", "0x1.8p+0", "2.45"}}, 0.025, 2, true},
		{"beyond that", [][]string{{"0x1.0p+0", "0x1.8p+0", "2.45"}}, 0.01, 2, false},
		{"nothing to compare", nil, 0, 0, false},
		{"no losses", [][]string{{}}, 0, 0, false},
		{"not a number in both", [][]string{{"0x1.0p+0", "nan", "0x1.0p+1"}}, 0, 1, false},
	} {
		l := compare(a, c.b)
		l.Noise = c.noise
		if l.Equal != c.equal || l.Same() != c.same {
			t.Errorf("%s: %d equal, same %v (%s); want %d, %v", c.name, l.Equal, l.Same(), l, c.equal, c.same)
		}
	}
	nan := [][]string{{"nan", "inf"}}
	if l := compare(nan, nan); !l.Same() {
		t.Errorf("equal nan: %s", l)
	}
}

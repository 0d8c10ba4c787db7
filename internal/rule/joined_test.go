package rule

import "testing"

func TestAlong(t *testing.T) {
	for dim, want := range map[int]string{0: "-8:", 1: ":, -8:", 2: ":, :, -8:", -1: "..., -8:", -2: "..., -8:, :"} {
		if got := along(dim, "-8:"); got != want {
			t.Errorf("dimension %d: %s", dim, got)
		}
	}
}

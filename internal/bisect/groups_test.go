package bisect

import (
	"reflect"
	"testing"

	"github.com/torchleak/torchleak/internal/experiment"
)

// The order in which statements are tried: what runs as often as memory grows before what does not, an inner store before
// the call around it, and the call that carries a state before what its function carries by itself.
func TestGroups(t *testing.T) {
	all := []experiment.Statement{
		0: {Kind: experiment.Store, Steps: 7, Order: 9},
		1: {Kind: experiment.Store, Steps: 100, Order: 3},
		2: {Kind: experiment.Carry, Steps: 100, Order: 4, End: 4},
		3: {Kind: experiment.Carry, Steps: 100, Order: 2, End: 6},
		4: {Kind: experiment.Keep, Steps: 100, Order: 1, End: 2},
		5: {Kind: experiment.Keep, Steps: 100, Order: 2, End: 2},
		6: {Kind: experiment.Value, Steps: 100},
		7: {Kind: experiment.Value, Steps: 100, Ticks: true},
		8: {Kind: experiment.Update, Steps: 100},
	}
	for period, want := range map[int64][][]int{
		1: {{5, 4, 1, 0, 3, 2}, {8}, {6}},
		5: {{5, 4, 0, 1, 3, 2}, {8}, {6}}, // what runs in few steps may be what makes memory grow in few
	} {
		if got := groupsOf(all, period); !reflect.DeepEqual(got, want) {
			t.Errorf("growth every %d steps: %v, want %v", period, got, want)
		}
	}
}

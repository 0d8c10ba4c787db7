package main

import (
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/dev/engine"
)

// TestMeasure has a small fleet judged: the alerts are those of the shares that writeFleet says.
func TestMeasure(t *testing.T) {
	engine.Need(t, "prometheus", "prometheus")
	o, err := measure(t.Context(), t.TempDir(), 160, 0, "../../deploy/prometheus/torchleak.rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{
		"TorchleakLeak":            8, // 0, 20, … 140
		"TorchleakOutOfMemorySoon": 2, // 0, 100
		"TorchleakFragmentation":   4, // 1, 51, 101, 151; pending, for they have to last
		"TorchleakTrainingStalled": 1, // 3
		"TorchleakWatchErrors":     0,
	} {
		if i := slices.IndexFunc(o.rules, func(r timing) bool { return r.name == name }); i < 0 || o.rules[i].alerts != want {
			t.Errorf("%s: want %d alerts of %+v", name, want, o.rules)
		}
	}
	if o.series < 20*160 {
		t.Errorf("%d series", o.series)
	}
}

package simulate

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// A run is one program of testdata/record.py under one setting, on a device.
type run struct {
	Program, Conf, Trace string
	Fraction             float64
	Capacity             uint64
	Stats                struct {
		PeakReserved uint64 `json:"reserved_bytes.all.peak"`
		Retries      int    `json:"num_alloc_retries"`
	}
}

func deviceRuns(t *testing.T) (runs []run) {
	t.Helper()
	raw, err := os.ReadFile("testdata/runs.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &runs); err != nil {
		t.Fatal(err)
	}
	return runs
}

// Streams, an emptied cache, garbage collection under a limit, a full device, expandable segments and the private
// pool of a graph: all of it is foretold.
func TestDeviceReplay(t *testing.T) {
	for _, r := range deviceRuns(t) {
		if r.Trace == "" {
			continue
		}
		t.Run(r.Trace, func(t *testing.T) {
			got := compile(load(t, "testdata/"+r.Trace)).replay(uint64(r.Fraction * float64(r.Capacity)))
			exact(t, got)
			if got.PeakReserved != r.Stats.PeakReserved || got.Retries != r.Stats.Retries || !got.Complete {
				t.Errorf("peak %d after %d retries, complete %v; the device said %+v", got.PeakReserved, got.Retries, got.Complete, r.Stats)
			}
		})
	}
}

// From each trace follows what the same program reserved under every other setting, within 1 %: where the
// driver put its segments then is not known.
func TestDeviceOtherSettings(t *testing.T) {
	runs := deviceRuns(t)
	for _, from := range runs {
		if from.Trace == "" {
			continue
		}
		trace := load(t, "testdata/"+from.Trace)
		for _, to := range runs {
			if to.Program != from.Program {
				continue
			}
			t.Run(from.Trace+" to "+to.Conf, func(t *testing.T) {
				result, err := Simulate(trace, Options{Confs: []string{to.Conf}, Fraction: to.Fraction, Capacity: to.Capacity})
				if err != nil {
					t.Fatal(err)
				}
				got := result.Configs[0]
				if off := float64(got.PeakReserved)/float64(to.Stats.PeakReserved) - 1; math.Abs(off) > 0.01 || got.Retries != to.Stats.Retries || got.OOM {
					t.Errorf("peak %d (%+.2f %%), %d retries, out of memory %v; on the device %+v", got.PeakReserved, 100*off, got.Retries, got.OOM, to.Stats)
				}
			})
		}
	}
}

// Without the limit that snapshots do not hold, garbage collection cannot be foretold, and the reason is given.
func TestDeviceUnknownLimit(t *testing.T) {
	for _, r := range deviceRuns(t) {
		if r.Trace == "" || r.Fraction == 0 || r.Conf == "" {
			continue
		}
		got := compile(load(t, "testdata/"+r.Trace)).replay(0)
		if got.FirstDivergence == nil || got.FirstDivergence.Cause != causeNoLimit {
			t.Errorf("%s: %+v", r.Trace, got.FirstDivergence)
		}
	}
}

package simulate

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/snapshot"
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

// Snapshots without stacks, or of programs that leave entries out with skip_actions.
func TestDevicePartialEntries(t *testing.T) {
	for name, change := range map[string]func([]Event) []Event{
		"no stacks": func(events []Event) []Event {
			for i := range events {
				events[i].Stack = 0
			}
			return events
		},
		"no free_requested": func(events []Event) []Event {
			return slices.DeleteFunc(events, func(e Event) bool { return e.Kind == snapshot.FreeRequested })
		},
		"no free_completed": func(events []Event) []Event {
			return slices.DeleteFunc(events, func(e Event) bool { return e.Kind == snapshot.FreeCompleted })
		},
	} {
		for _, file := range []string{"cnn_0", "cnn_1", "gpt_9", "graph_11"} {
			trace := load(t, "testdata/"+file+".pickle.gz")
			trace.Events = change(trace.Events)
			r := compile(trace).replay(0)
			if r.Exact < r.Events*999/1000 {
				t.Errorf("%s of %s: %d of %d foretold, first %+v", name, file, r.Exact, r.Events, r.FirstDivergence)
			}
		}
	}
}

// A limit that is not the run's is named as the cause, and so are entries that were left out.
func TestDeviceCauses(t *testing.T) {
	trace := load(t, "testdata/gpt_9.pickle.gz")
	r := compile(trace).replay(2 << 30)
	if d := r.FirstDivergence; d == nil || d.Cause != causeOtherLimit {
		t.Errorf("%+v", d)
	}
	model := &recorder{allocator: newAllocator(Default(), low{&card{place: ascending()}}, 0)}
	model.logging = true
	for _, n := range []int{255, 255, 255} { // asked for and freed, while a stream still uses it
		model.do(2, n)
		model.do(6, 0)
	}
	for model.pending.first != nil {
		model.complete(model.pending.first)
	}
	streams := &Trace{Settings: Default(), Events: model.events, Segments: model.layout()}
	if d := compile(streams).replay(0).FirstDivergence; d == nil || d.Cause != causeLeftOut {
		t.Errorf("%+v", d)
	}
}

package simulate

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// load reads the first device of a recorded snapshot.
func load(t testing.TB, path string) *Trace {
	t.Helper()
	s, err := snapshot.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return Recorded(s, s.Devices[0])
}

const whole = "testdata/trace_default.pickle.gz"

// exact wants everything foretold: every address, every call of the driver, every block at the end.
func exact(t *testing.T, r *Replay) {
	t.Helper()
	if r.Exact != r.Events || r.Addresses.Exact != r.Addresses.Of || r.SegmentEvents.Exact != r.SegmentEvents.Of ||
		r.FinalBlocks.Exact != r.FinalBlocks.Of || r.FinalBlocks.Of == 0 || r.FirstDivergence != nil {
		t.Errorf("%d of %d entries, addresses %v, calls %v, final blocks %v, first divergence %+v",
			r.Exact, r.Events, r.Addresses, r.SegmentEvents, r.FinalBlocks, r.FirstDivergence)
	}
}

// Entries and allocations were counted with Python's pickle; peaks are what torch.cuda.memory_stats said.
func TestReplay(t *testing.T) {
	r := compile(load(t, whole)).replay(0)
	exact(t, r)
	if r.Events != 89857 || r.Addresses.Of != 29925 || r.SegmentEvents.Of != 88 || !r.Complete {
		t.Errorf("%d entries, %d allocations, %d calls, complete %v", r.Events, r.Addresses.Of, r.SegmentEvents.Of, r.Complete)
	}
	if r.PeakReserved != 5343543296 || r.PeakAllocated != 4471067648 {
		t.Errorf("peaks %d and %d", r.PeakReserved, r.PeakAllocated)
	}
}

// A ring buffer forgets the oldest entries. What was then is worked out from the final segments, all but how
// long blocks had been idle, by which garbage is collected.
func TestReplayWithoutBeginning(t *testing.T) {
	for _, c := range []struct {
		file  string
		limit uint64
	}{{"trace_default", 0}, {"cnn_0", 0}, {"cnn_1", 0}, {"cnn_4", 4503296409}, {"gpt_9", 0}, {"graph_11", 0}} {
		trace := load(t, "testdata/"+c.file+".pickle.gz")
		all := trace.Events
		for _, lost := range []int{1, 2, 50, 77, len(all) / 7, len(all) / 3, len(all) * 53 / 100, len(all) * 9 / 10} {
			trace.Events = slices.Clone(all[lost:])
			r := compile(trace).replay(c.limit)
			if r.Complete {
				t.Errorf("%s: %d entries are missing and the trace is called complete", c.file, lost)
			}
			if d := r.FirstDivergence; d == nil || c.limit == 0 || d.Cause != causeAges {
				exact(t, r)
			}
		}
	}
}

// One address that is not where the allocator would have put it: the entry is named, and what follows is
// foretold from where the trace says things are.
func TestDivergence(t *testing.T) {
	trace := load(t, whole)
	events := trace.Events
	i := 20000
	for events[i].Kind != snapshot.Alloc || events[i].Size > 512 || events[i+1].Addr != events[i].Addr {
		i++ // to one that is freed at once, so that nothing is put beside it
	}
	events[i].Addr = unused(trace, i)
	events[i+1].Addr, events[i+2].Addr = events[i].Addr, events[i].Addr
	r := compile(trace).replay(0)
	d := r.FirstDivergence
	if d == nil || d.Event != i || d.Action != "alloc" || d.Cause == "" || !strings.Contains(d.Recorded, "0x") {
		t.Fatalf("entry %d was moved, the first divergence is %+v", i, d)
	}
	if r.Exact != r.Events-1 {
		t.Errorf("%d of %d entries foretold", r.Exact, r.Events)
	}
}

// unused is where 512 B are free in a small segment before entry i and will be used for nothing until the end.
func unused(trace *Trace, i int) uint64 {
	live := map[uint64]uint64{}
	for _, e := range trace.Events[:i] {
		if e.Kind == snapshot.Alloc {
			live[e.Addr] = e.Addr + e.Size
		} else {
			delete(live, e.Addr)
		}
	}
	for _, s := range trace.Segments {
		for _, b := range s.Blocks {
			addr := b.Addr + b.Size - 512
			taken := !s.Small || b.Live
			for from, to := range live {
				taken = taken || from <= addr && addr < to
			}
			if !taken {
				return addr
			}
		}
	}
	return 0
}

// Replaying under settings that are not the trace's must show.
func TestReplayWrongSettings(t *testing.T) {
	trace := load(t, whole)
	trace.Settings = mustParse(t, "max_split_size_mb:32")
	if r := compile(trace).replay(0); r.FirstDivergence == nil || r.close() {
		t.Errorf("%d of %d entries foretold under settings that were others", r.Exact, r.Events)
	}
}

type rerun struct {
	Conf          string
	PeakReserved  uint64 `json:"peak_reserved"`
	PeakAllocated uint64 `json:"peak_allocated"`
	Retries       int
	DeviceAllocs  int `json:"device_allocs"`
}

// The program of the trace was run again on the device under each of these settings.
func TestOtherSettings(t *testing.T) {
	raw, err := os.ReadFile("testdata/reruns.json")
	if err != nil {
		t.Fatal(err)
	}
	var runs []rerun
	if err := json.Unmarshal(raw, &runs); err != nil {
		t.Fatal(err)
	}
	var o Options
	for _, r := range runs {
		o.Confs = append(o.Confs, r.Conf)
	}
	result, err := Simulate(load(t, whole), o)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range runs {
		got := result.Configs[i]
		if got.PeakReserved != want.PeakReserved || got.DeviceAllocs != want.DeviceAllocs || got.Retries != want.Retries || got.OOM {
			t.Errorf("%s: peak %d, %d calls, %d retries; on the device %d, %d, %d", want.Conf, got.PeakReserved, got.DeviceAllocs, got.Retries,
				want.PeakReserved, want.DeviceAllocs, want.Retries)
		}
		if off := float64(got.PeakAllocated)/float64(want.PeakAllocated) - 1; off < -0.001 || off > 0.001 {
			t.Errorf("%s: peak allocated %d, on the device %d", want.Conf, got.PeakAllocated, want.PeakAllocated)
		}
	}
	if len(result.Advice) != 1 || result.Advice[0].Conf != "expandable_segments:True" || result.Advice[0].Saved != 5343543296-4588568576 || result.Advice[0].Percent != 14 {
		t.Errorf("advice %+v", result.Advice)
	}
}

package residence

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/pytorch"
	"github.com/torchleak/torchleak/internal/snapshot"
)

const data = "../snapshot/testdata"

func open(t testing.TB, name string) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Open(filepath.Join(data, name+".pickle.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func summarize(t testing.TB, name, at string) Summary {
	t.Helper()
	all, err := Summarize(open(t, name), at)
	if err != nil || len(all) != 1 {
		t.Fatalf("%s: %d devices, %v", name, len(all), err)
	}
	return all[0]
}

// facts is what oracle.py show works out anew, by brute force.
type facts struct {
	Allocated    int64   `json:"allocated"`
	Reserved     int64   `json:"reserved"`
	Peak         int64   `json:"peak"`
	PeakAt       int     `json:"peak_at"`
	PeakReserved int64   `json:"peak_reserved"`
	LargestFree  int64   `json:"largest_free"`
	Sites        [][]any `json:"sites"`
	Last         int     `json:"last"`
	LastSites    [][]any `json:"last_sites"`
}

func oracle(t testing.TB, name string) (f facts) {
	t.Helper()
	cmd := exec.Command(pytorch.Find(t)[0].Path, filepath.Join(data, "oracle.py"), "show", filepath.Join(data, name+".pickle.gz"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sites prints rows as the oracle's, which knows nothing of backward().
func sites(rows []Row) (out [][]any) {
	for _, r := range rows {
		if r.Backward {
			r.Site = Site{}
		}
		out = append(out, []any{r.File, float64(r.Line), r.Function, float64(r.Bytes), float64(r.Count)})
	}
	return sorted(out)
}

// sorted orders rows by their text: rows of equal size have no order of their own.
func sorted(rows [][]any) [][]any {
	slices.SortFunc(rows, func(x, y []any) int {
		if fmt.Sprint(x) < fmt.Sprint(y) {
			return -1
		}
		return 1
	})
	return rows
}

// TestAgainstBruteForce compares figures, and who holds memory at two moments, with what Python works out.
func TestAgainstBruteForce(t *testing.T) {
	for _, name := range []string{"none", "hook", "cpp", "val", "varlen_expandable", "oom"} {
		t.Run(name, func(t *testing.T) {
			want := oracle(t, name)
			s := summarize(t, name, "end")
			got := facts{s.Allocated, s.Reserved, s.PeakAllocated, s.PeakEvent, s.PeakReserved, s.Free.Largest, sites(s.Sites), want.Last, nil}
			if name != "oom" { // which has not ended, so that nothing was let go
				got.Last = s.Teardown
				got.LastSites = sites(summarize(t, name, "last").Sites)
			} else {
				want.LastSites = nil
			}
			want.Sites, want.LastSites = sorted(want.Sites), sorted(want.LastSites)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNativeFrames compares the same training recorded without and with frames of C++: there the entry of a free has the
// stack of the allocation, which must not end the call of backward() that is under way.
func TestNativeFrames(t *testing.T) {
	for _, at := range []string{"peak", "step:20", "end"} {
		if diff := cmp.Diff(summarize(t, "hook", at).Sites, summarize(t, "cpp", at).Sites); diff != "" {
			t.Errorf("%s: %s", at, diff)
		}
	}
}

// TestMoments walks to moments whose state is known otherwise.
func TestMoments(t *testing.T) {
	for _, name := range []string{"val", "varlen_expandable", "oom"} {
		peak := summarize(t, name, "peak")
		if peak.Allocated != peak.PeakAllocated && name != "oom" {
			t.Errorf("%s: %d bytes are in use at the peak, which is %d", name, peak.Allocated, peak.PeakAllocated)
		}
		// At the end of a step the level of that step is in use.
		step := summarize(t, name, "step:3")
		if got, want := step.Allocated, step.Levels[2].Allocated; got != want && name != "oom" {
			t.Errorf("%s: %d bytes are in use behind step 3, its level is %d", name, got, want)
		}
		// The moment in front of the entry behind the last is the end.
		end := summarize(t, name, "end")
		if got := summarize(t, name, itoa(end.Events)); got.Allocated != end.Allocated || got.Reserved != end.Reserved {
			t.Errorf("%s: the last entry's end is not the end", name)
		}
		// In front of the last entry all is as at the end but for what that entry did, which was to free.
		if got := summarize(t, name, itoa(end.Events-1)); got.Reserved != end.Reserved || got.Allocated < end.Allocated {
			t.Errorf("%s: %d of %d in front of the last entry, %d of %d behind it", name, got.Allocated, got.Reserved, end.Allocated, end.Reserved)
		}
	}
	// At the beginning of a whole trace there is nothing.
	if s := summarize(t, "val", "0"); s.Allocated != 0 || s.Reserved != 0 || len(s.Sites) != 0 {
		t.Errorf("at the beginning %d bytes of %d are in use", s.Allocated, s.Reserved)
	}
	for _, bad := range []string{"", "x", "-1", "999999", "step:0", "step:41", "step:x"} {
		if _, err := Summarize(open(t, "none"), bad); err == nil {
			t.Errorf("there is a moment %q", bad)
		}
	}
}

// TestShorterDevice asks for moments that only one of two devices has: the other one stands at its end.
func TestShorterDevice(t *testing.T) {
	two := func() *snapshot.Snapshot {
		s := open(t, "hook")
		block := snapshot.Block{Addr: 1 << 50, Size: 1024, Requested: 1000, State: snapshot.Allocated}
		s.Blocks = append(s.Blocks, block)
		s.Segments = append(s.Segments, snapshot.Segment{Device: 1, Addr: block.Addr, Size: 1024, First: len(s.Blocks) - 1, Last: len(s.Blocks)})
		s.Devices = append(s.Devices, snapshot.Device{Index: 1, From: s.Trace.Len(), To: s.Trace.Len()})
		return s
	}
	for _, at := range []string{"step:5", "1000"} {
		all, err := Summarize(two(), at)
		if err != nil || len(all) != 2 || all[0].Moment.What != at || all[1].Moment.What != "end" || all[1].Allocated != 1024 {
			t.Fatalf("%s: %+v, %v", at, all, err)
		}
		pictures, err := Draw(two(), at)
		if err != nil || len(pictures) != 2 || len(pictures[1].Moments) != 1 {
			t.Errorf("%s: %d pictures, %v", at, len(pictures), err)
		}
		d, err := Compare(2, func(int) (*snapshot.Snapshot, error) { return two(), nil }, at)
		if err != nil || len(d.Sites) == 0 {
			t.Errorf("%s: %d sites, %v", at, len(d.Sites), err)
		}
	}
	s := two()
	if err := Cut(s, "step:5", "step:6"); err != nil {
		t.Fatal(err)
	}
	if held := s.Segments[len(s.Segments)-1]; s.Devices[0].To <= s.Devices[0].From || s.Devices[1].To != s.Devices[1].From || held.Device != 1 {
		t.Errorf("%+v, %+v", s.Devices, held)
	}
	for _, none := range []string{"step:41", "99999"} {
		if _, err := Summarize(two(), none); err == nil {
			t.Errorf("no device has %s", none)
		}
		if err := Cut(two(), "0", none); err == nil {
			t.Errorf("no device can be cut at %s", none)
		}
	}
}

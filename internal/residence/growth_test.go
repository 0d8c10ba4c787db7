package residence

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/snapshot"
)

const train = "/home/user/lm/train.py"

// TestGrowth looks for growth in trainings with a known leak, and in one without.
func TestGrowth(t *testing.T) {
	for name, want := range map[string]struct {
		line    int
		perStep int64
		rises   int
		bytes   int64
	}{
		"none":              {},
		"varlen_expandable": {},                                // batches of random length
		"cpp":               {12, 2 << 20, 36, 36 * (2 << 20)}, // as hook
		// The output of a block's MLP, 2 MiB, each step; the first 4 of 40 steps are warm-up.
		"hook": {12, 2 << 20, 36, 36 * (2 << 20)},
		// Every ten steps three losses with their graphs: at the ends of steps 11, 21 and 31, and behind step 40.
		"val": {12, 321748992 / 36, 3, 321748992},
	} {
		s := summarize(t, name, "end")
		if len(s.Steps.Ends) != 40 || s.Steps.By != "Optimizer.step#AdamW.step" {
			t.Errorf("%s: %d steps by %s", name, len(s.Steps.Ends), s.Steps.By)
		}
		if want.line == 0 {
			if len(s.Growth) > 0 {
				t.Errorf("%s: %+v grows", name, s.Growth)
			}
			continue
		}
		if len(s.Growth) == 0 {
			t.Errorf("%s: nothing grows", name)
			continue
		}
		g := s.Growth[0]
		if g.File != train || g.Line != want.line || g.PerStep != want.perStep || g.Rises != want.rises || g.Falls != 0 || g.Bytes != want.bytes {
			t.Errorf("%s: %+v, want %+v", name, g, want)
		}
	}
}

// TestSteps finds the same steps without annotations, by what the optimizer allocates and by what comes again evenly.
func TestSteps(t *testing.T) {
	s := open(t, "hook")
	s.Annotations = nil
	b := newBook(s)
	d := s.Devices[0]
	if got := b.steps(d); got.By != "allocations in torch.optim" || len(got.Ends) < 39 || len(got.Ends) > 40 {
		t.Errorf("by the optimizer's allocations: %d steps by %s", len(got.Ends), got.By)
	}
	if got := b.even(d); len(got.Ends) < 38 || len(got.Ends) > 41 {
		t.Errorf("by what comes again: %d steps", len(got.Ends))
	}
	if got := newBook(&snapshot.Snapshot{Stacks: s.Stacks, Trace: s.Trace}).steps(snapshot.Device{}); len(got.Ends) != 0 {
		t.Errorf("an empty trace has %d steps", len(got.Ends))
	}
}

// TestDiff compares the leaking trainings with the healthy one.
func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name   string
		line   int
		bytes  int64
		count  int
		caller int
	}{
		{"hook", 12, 40 * (2 << 20), 40, 26},
		{"cpp", 12, 40 * (2 << 20), 40, 26},
		{"val", 12, 321748992, 504, 30}, // 4 evaluations × 3 batches × 42 tensors
	} {
		files := []string{"none", c.name}
		d, err := Compare(2, func(i int) (*snapshot.Snapshot, error) { return open(t, files[i]), nil }, "last")
		if err != nil {
			t.Fatal(err)
		}
		top := d.Sites[0]
		if top.File != train || top.Line != c.line || top.Bytes != c.bytes || top.Count != c.count {
			t.Errorf("%s: first is %+v, want %+v", c.name, top, c)
		}
		if len(top.Callers) == 0 || top.Callers[0].Line != c.caller || top.Callers[0].Bytes != c.bytes {
			t.Errorf("%s: from %+v, want line %d", c.name, top.Callers, c.caller)
		}
		var sites, stacks int64
		for _, x := range d.Sites {
			sites += x.Bytes
		}
		for _, x := range d.Stacks {
			stacks += x.Bytes
		}
		if total := d.Totals[1] - d.Totals[0]; sites != total || stacks != total {
			t.Errorf("%s: %d by line and %d by stack of %d", c.name, sites, stacks, total)
		}
	}
}

// TestDiffOfOneRun compares three moments of one training: what is in all of them grows too.
func TestDiffOfOneRun(t *testing.T) {
	var parts []*snapshot.Snapshot
	for _, to := range []string{"step:10", "step:20", "step:30"} {
		s := open(t, "hook")
		if err := Cut(s, "0", to); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, s)
	}
	d, err := Compare(3, func(i int) (*snapshot.Snapshot, error) { return parts[i], nil }, "end")
	if err != nil {
		t.Fatal(err)
	}
	top := d.Sites[0]
	if top.Line != 12 || top.Bytes != 20*(2<<20) || top.Count != 20 || !top.Steady() || top.Held[0].Bytes == 0 {
		t.Errorf("first is %+v", top)
	}
	if s := d.Stacks[0]; s.Bytes != 20*(2<<20) || s.Held[0].Count == 0 || !strings.HasSuffix(s.Frames[0].File, "linear.py") {
		t.Errorf("the first stack is %+v", s)
	}
}

// TestCut cuts a part out and looks whether it says of its moments what the whole says of them.
func TestCut(t *testing.T) {
	for _, name := range []string{"val", "varlen_expandable"} {
		whole := summarize(t, name, "step:20")
		s := open(t, name)
		if err := Cut(s, "step:10", "step:20"); err != nil {
			t.Fatal(err)
		}
		all, err := Summarize(s, "end")
		if err != nil {
			t.Fatal(err)
		}
		part := all[0]
		if part.Allocated != whole.Allocated || part.Reserved != whole.Reserved || part.Requested != whole.Requested || part.Free.Largest != whole.Free.Largest {
			t.Errorf("%s: the part's end is %d of %d, that moment of the whole %d of %d", name, part.Allocated, part.Reserved, whole.Allocated, whole.Reserved)
		}
		if want := whole.Levels[19].Event - whole.Levels[9].Event; part.Events != want {
			t.Errorf("%s: %d entries, want %d", name, part.Events, want)
		}
	}
	if err := Cut(open(t, "none"), "end", "0"); err == nil {
		t.Error("a part that ends before it begins")
	}
}

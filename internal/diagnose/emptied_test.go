package diagnose

import (
	"os"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/locate"
)

// What survives in a list that the source empties is said to be there, of that age, and to await the statement. Beside
// others that hold as much it counts no more.
func TestConfirmEmptier(t *testing.T) {
	const source = `
class Trainer:
    def step(self, sample):
        self.outputs.append(sample)
        self.kept.append(sample)

    def on_train_epoch_end(self):
        self.outputs.clear()
`
	l := locate.New(func(path string) ([]byte, error) {
		if path != "/job/train.py" {
			return nil, os.ErrNotExist
		}
		return []byte(source), nil
	}, "/job")
	list := func(name string, each int64) evidence.Holder {
		return evidence.Holder{
			Kind: "container", Path: "trainer." + name, Type: "list", Elements: "Sample",
			Length: []int64{21, 22, 24}, Bytes: []int64{21 * each, 22 * each, 24 * each},
			Scope: evidence.Scope{Kind: "attribute", Name: name, Class: "Trainer", File: "/job/train.py"},
		}
	}
	for _, test := range []struct {
		about   string
		holders []evidence.Holder
		emptier string
		bytes   int64
	}{
		{"emptied", []evidence.Holder{list("outputs", 4000)}, "train.py:8", 4000},
		{"not emptied", []evidence.Holder{list("kept", 4000)}, "", 4000},
		{"mostly emptied", []evidence.Holder{list("outputs", 9000), list("kept", 2000)}, "train.py:8", 11000},
		{"hardly emptied", []evidence.Holder{list("outputs", 2000), list("kept", 9000)}, "", 9000},
		{"emptied and small", []evidence.Holder{list("outputs", 400)}, "", 0},
	} {
		e := &evidence.Evidence{Censuses: []evidence.Census{{Step: 51}, {Step: 52}, {Step: 54}}, Holders: test.holders}
		for i := range e.Holders {
			e.Holders[i].ID = i
		}
		MarkEmptiers(l, e)
		c, ok := Confirm(e, "host")
		// Each entry has a pointer in the list beside its own bytes.
		if off := c.BytesPerStep - test.bytes; !ok || c.Emptier != test.emptier || c.Survivors != (test.bytes > 0) || off < 0 || off > test.bytes/4 {
			t.Errorf("%s: Confirm = %+v, %v", test.about, c, ok)
		}
		if test.emptier != "" && c.Age != 24 {
			t.Errorf("%s: %d steps old, want 24", test.about, c.Age)
		}
	}
}

// A deque of 100 that is 24 long and gains one a step is full in 77 steps at the latest.
func TestConfirmFilling(t *testing.T) {
	most := int64(100)
	e := &evidence.Evidence{
		Censuses: []evidence.Census{{Step: 51}, {Step: 52}, {Step: 54}},
		Holders:  []evidence.Holder{{Kind: "container", Path: "a", Type: "deque", MaxLen: &most, Elements: "Sample", Length: []int64{21, 22, 24}, Bytes: []int64{42000, 44000, 48000}}},
	}
	if c, ok := Confirm(e, "host"); !ok || c.Filling != 77 || !c.Survivors || c.Bound == 0 {
		t.Errorf("Confirm = %+v, %v", c, ok)
	}
	e.Holders[0].Length = []int64{100, 100, 100}
	if c, ok := Confirm(e, "host"); !ok || c.Filling != 0 {
		t.Errorf("full: Confirm = %+v, %v", c, ok)
	}
}

// A memory for 100,000 entries is no bound of entries that carry graphs; one for 100 is, and so is any of plain entries.
func TestConfirmRemote(t *testing.T) {
	for _, test := range []struct {
		most    int64
		gradFn  string
		bounded bool
	}{{100_000, "ThresholdBackward0", false}, {100_000, "", true}, {100, "ThresholdBackward0", true}} {
		e := &evidence.Evidence{
			Censuses: []evidence.Census{{Step: 51}, {Step: 52}, {Step: 54}},
			Groups:   []evidence.Group{{Device: "cpu", DType: "float32", Shape: []int64{32, 48}, GradFn: test.gradFn, Count: []int64{21, 22, 24}, Bytes: []int64{126000, 132000, 144000}, Holders: []int{1}}},
			Holders:  []evidence.Holder{{ID: 1, Kind: "container", Path: "slots", Type: "list", MaxLen: &test.most, Elements: "Tensor", Length: []int64{21, 22, 24}, Bytes: []int64{126000, 132000, 144000}}},
		}
		if c, ok := Confirm(e, "host"); !ok || !c.Survivors || (c.Bound > 0) != test.bounded {
			t.Errorf("at most %d, grad_fn %q: Confirm = %+v, %v", test.most, test.gradFn, c, ok)
		}
	}
}

// A list that is cut down at a length of the source's is bounded by it, until it is longer.
func TestMarkEmptiersBound(t *testing.T) {
	const source = `
rows = []
for step in range(1000):
    rows.append(step)
    if len(rows) > 100:
        rows.pop(0)
`
	l := locate.New(func(string) ([]byte, error) { return []byte(source), nil }, "/job")
	for _, test := range []struct {
		length int64
		bound  bool
	}{{24, true}, {100, true}, {140, false}} {
		e := &evidence.Evidence{Holders: []evidence.Holder{{
			Kind: "container", Path: "rows", Type: "list", Length: []int64{test.length - 3, test.length - 2, test.length},
			Scope: evidence.Scope{Kind: "global", Name: "rows", File: "/job/train.py"},
		}}}
		MarkEmptiers(l, e)
		h := e.Holders[0]
		if (h.MaxLen != nil) != test.bound || test.bound && *h.MaxLen != 100 || h.Emptier != "train.py:6" {
			t.Errorf("of length %d: emptied at %q, at most %v", test.length, h.Emptier, h.MaxLen)
		}
	}
}

// A list that should be far longer by now was emptied, unless the tensors that went into it are all there: then the list is
// another one.
func TestMarkEmptied(t *testing.T) {
	at := func(step, length, tensors int64) *evidence.Evidence {
		return &evidence.Evidence{
			Censuses: []evidence.Census{{Step: step - 2}, {Step: step}},
			Holders:  []evidence.Holder{{ID: 7, Kind: "container", Path: "run.outputs", Length: []int64{length - 2, length}}},
			Groups:   []evidence.Group{{Device: "cpu", Shape: []int64{16, 64}, Count: []int64{tensors - 2, tensors}, Holders: []int{7}}},
		}
	}
	for _, test := range []struct {
		length, tensors int64
		emptied         bool
	}{{8, 8, true}, {8, 108, false}, {110, 110, false}} {
		now := at(110, test.length, test.tensors)
		MarkEmptied(at(10, 10, 10), now)
		MarkEmptied(at(108, 6, 6), now) // too near to tell
		if got := now.Holders[0].Emptied; got != test.emptied {
			t.Errorf("%d long with %d tensors: emptied is %v", test.length, test.tensors, got)
		}
	}
}

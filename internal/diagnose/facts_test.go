package diagnose

import (
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		value, target string
		want          bool
	}{
		{"total + loss", "total", true},
		{"0.9 * self.ema + x", "self.ema", true},
		{"self.tree[node] + change", "self.tree[node]", true},
		{"model(x)", "logits", false},
		{"subtotal + totals", "total", false},
		{"x", "", false},
	} {
		if got := mentions(c.value, c.target); got != c.want {
			t.Errorf("mentions(%q, %q) = %v", c.value, c.target, got)
		}
	}
}

func TestConfirmNeedsTwoCensuses(t *testing.T) {
	if _, ok := Confirm(&evidence.Evidence{Censuses: []evidence.Census{{Step: 9}}}, "host"); ok {
		t.Error("one census confirms growth")
	}
	if _, ok := Confirm(nil, "host"); ok {
		t.Error("no evidence confirms growth")
	}
}

// A holder that grew in one window only has not been seen to keep anything.
func TestConfirmNeedsEveryWindow(t *testing.T) {
	e := &evidence.Evidence{
		Censuses: []evidence.Census{{Step: 10}, {Step: 12}, {Step: 14}},
		Holders:  []evidence.Holder{{ID: 0, Kind: "container", Path: "a", Type: "list", Length: []int64{5, 7, 7}, Elements: "float"}},
	}
	if c, ok := Confirm(e, "host"); !ok || c.Survivors {
		t.Errorf("Confirm = %+v, %v", c, ok)
	}
	e.Holders[0].Length = []int64{5, 7, 9}
	if c, ok := Confirm(e, "host"); !ok || c.Survivors {
		t.Errorf("one number a step: Confirm = %+v, %v", c, ok)
	}
	e.Holders[0].Length = []int64{5, 205, 405}
	if c, ok := Confirm(e, "host"); !ok || !c.Survivors || !c.Holder || c.BytesPerStep != 3200 {
		t.Errorf("a hundred numbers a step: Confirm = %+v, %v", c, ok)
	}
}

// Beside garbage cycles, what no name of the program leads to belongs to them; it does not where they are a trifle.
func TestConfirmBesideCycles(t *testing.T) {
	for _, test := range []struct{ cycle, dict int64 }{{2500, 100}, {100, 2500}} {
		e := &evidence.Evidence{
			Censuses: []evidence.Census{{Step: 10}, {Step: 12}, {Step: 14}},
			Holders: []evidence.Holder{
				{ID: 0, Kind: "cycle", Path: "Node.owner", Type: "Node", Length: []int64{1, 3, 5}, Bytes: []int64{2 * test.cycle, 4 * test.cycle, 6 * test.cycle}},
				{ID: 1, Kind: "container", Path: "dict that no name of the program leads to", Type: "dict", Length: []int64{1, 3, 5}, Bytes: []int64{2 * test.dict, 4 * test.dict, 6 * test.dict}},
			},
			Truncated: true,
		}
		if c, ok := Confirm(e, "host"); !ok || c.Cycle != (test.cycle > test.dict) || c.Survivors == c.Cycle {
			t.Errorf("%+v: Confirm = %+v, %v", test, c, ok)
		}
	}
}

// A list of 24 entries that gains one a step began to fill 24 steps ago; what is no container tells no age.
func TestConfirmAge(t *testing.T) {
	e := &evidence.Evidence{
		Censuses: []evidence.Census{{Step: 51}, {Step: 52}, {Step: 54}},
		Holders:  []evidence.Holder{{ID: 0, Kind: "container", Path: "a", Type: "list", Length: []int64{21, 22, 24}, Elements: "Sample", Bytes: []int64{42000, 44000, 48000}}},
	}
	if c, ok := Confirm(e, "host"); !ok || !c.Survivors || c.Age != 24 {
		t.Errorf("Confirm = %+v, %v", c, ok)
	}
	e.Holders[0].Kind = "hooks"
	if c, ok := Confirm(e, "host"); !ok || c.Age != 0 {
		t.Errorf("hooks: Confirm = %+v, %v", c, ok)
	}
}

// A list that is emptied every 30 steps grows by one in each census; after 51 steps it would be 51 longer had it kept all.
func TestConfirmEmptied(t *testing.T) {
	at := func(step, length int64) *evidence.Evidence {
		return &evidence.Evidence{
			Censuses: []evidence.Census{{Step: step - 3}, {Step: step - 2}, {Step: step}},
			Groups:   []evidence.Group{{ID: 0, Device: "cpu", DType: "float32", Count: []int64{length - 3, length - 2, length}, Bytes: []int64{4 * (length - 3), 4 * (length - 2), 4 * length}, StorageBytes: 4, Holders: []int{0}}},
			Holders:  []evidence.Holder{{ID: 0, Kind: "container", Path: "outputs", Type: "list", Length: []int64{length - 3, length - 2, length}}},
		}
	}
	for _, test := range []struct {
		length  int64
		emptied bool
	}{{60, false}, {30, true}, {8, true}} {
		earlier, now := at(9, 9), at(60, test.length)
		MarkEmptied(earlier, now)
		c, ok := Confirm(now, "host")
		if !ok || c.Emptied != test.emptied || c.Survivors == test.emptied {
			t.Errorf("%d long: Confirm = %+v, %v", test.length, c, ok)
		}
	}
}

// Evidence is hostile input: figures of any sign and number, ids that lead nowhere.
func TestHostileEvidence(t *testing.T) {
	neg := int64(-1)
	e := &evidence.Evidence{
		Memory:   "host",
		Censuses: []evidence.Census{{Step: 10}, {Step: 10}, {Step: -3}},
		Groups: []evidence.Group{
			{ID: 7, Device: "cpu", Count: []int64{1}, Bytes: nil, Holders: []int{99, -1}},
			{ID: 7, Device: "cpu", Count: []int64{0, 1 << 62}, Bytes: []int64{-5, 1 << 62}, TensorBytes: -3, Shape: []int64{-1}, Holders: nil},
			{ID: 8, Device: "cpu", Count: []int64{1, 1, 1}, GraphNodes: []int64{1, 2, 3}, Holders: []int{0}},
		},
		Holders: []evidence.Holder{{Kind: "slot", MaxLen: &neg}, {Kind: "unheard", Length: []int64{1, 2}}},
		Births:  []evidence.Birth{{Group: 7, Count: -1}, {Group: 7}},
		Cycles:  []evidence.Cycle{{Bytes: 1 << 62}},
		Sites:   []evidence.Site{{Device: "cpu", Bytes: []int64{1, 5}, Frames: []finding.Frame{{File: "\x00", Line: -1}}}},
		Calls:   []evidence.Call{{What: "new_group"}, {What: "module_forward_grad_eval"}},
	}
	r := Report(Input{Memories: []finding.Memory{{Name: "host", Verdict: finding.Leak}, {Name: "cuda:0", Verdict: finding.Outside}}, Evidence: []*evidence.Evidence{e, nil}})
	if len(r.Findings) == 0 || r.Notes == nil || r.Memories[0].Series == nil {
		t.Errorf("report is %+v", r)
	}
	for _, f := range r.Findings {
		if f.Calls == nil || f.AllocatedAt == nil || f.Rule == "" {
			t.Errorf("finding is %+v", f)
		}
	}
}

// Births that cancel out leave nothing to divide by, and those below zero take no part.
func TestBirthGrowthOfHostileCounts(t *testing.T) {
	frames := []finding.Frame{{File: "train.py", Line: 1}}
	e := &evidence.Evidence{
		Memory:   "host",
		Censuses: []evidence.Census{{Step: 10}, {Step: 12}},
		Groups:   []evidence.Group{{ID: 1, Device: "cpu", Count: []int64{0, 4}, Bytes: []int64{0, 400}, TensorBytes: 100}},
		Births:   []evidence.Birth{{Group: 1, Count: 1, Frames: frames}, {Group: 1, Count: -1, Frames: frames}},
	}
	if got := birthGrowth(e, "host"); len(got) != 1 || got[0].BytesPerStep != 200 || *got[0].Count != 4 {
		t.Errorf("sites %+v", got)
	}
}

func TestShapesAreApart(t *testing.T) {
	// No rune can hold either length.
	c := &candidate{groups: []*evidence.Group{{Shape: []int64{1 << 21}}, {Shape: []int64{1 << 22}}}, holder: &evidence.Holder{}, tensors: 4, elements: 1}
	if !c.copiesOfState() {
		t.Error("two shapes count as one")
	}
}

// A model that is traced in every step proves growth that no object of Python's shows; one that was traced once does not.
func TestTracesProveGrowth(t *testing.T) {
	for count, want := range map[int64]bool{8: true, 1: false} {
		e := &evidence.Evidence{
			Period: 1, WatchSteps: 8, Censuses: []evidence.Census{{Step: 9}, {Step: 17}, {Step: 25}},
			Calls: []evidence.Call{{What: "jit_trace", Count: count}},
		}
		if c, ok := Confirm(e, "host"); !ok || c.Survivors != want || c.BytesPerStep != 0 {
			t.Errorf("%d traces in 8 steps: %+v", count, c)
		}
	}
}

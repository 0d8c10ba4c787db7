package diagnose

import (
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

// Parts of the step and its rest are the growth, whatever the watch's length.
func TestPhasesAddUp(t *testing.T) {
	rate := int64(1000)
	e := &evidence.Evidence{Period: 1, WatchSteps: 4, Phases: []evidence.Phase{{Phase: "forward", Bytes: 3200}, {Phase: "rest", Bytes: 4000}, {Phase: "data", Bytes: 1200}}}
	// 3200 / 4 = 800 and 1200 / 4 = 300 are 100 more than the 1000 the memory grows by.
	want := []finding.PhaseGrowth{{Phase: "forward", BytesPerStep: 800}, {Phase: "data", BytesPerStep: 300}, {Phase: "rest", BytesPerStep: -100}}
	got := phaseGrowth(e, finding.Memory{BytesPerStep: &rate})
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	sum := int64(0)
	for i := range want {
		sum += got[i].BytesPerStep
		if got[i] != want[i] {
			t.Errorf("%+v, not %+v", got[i], want[i])
		}
	}
	if sum != rate {
		t.Errorf("parts add up to %d of %d", sum, rate)
	}
	// Of a memory whose growth is not known the rest is as it was measured.
	if got := phaseGrowth(e, finding.Memory{}); got[0].BytesPerStep != 1000 || got[0].Phase != "rest" {
		t.Errorf("%+v", got)
	}
}

// twoHolders is evidence of tensors alike, 100 bytes each, under two holders.
func twoHolders(kind string, counts []int64, lengths ...[]int64) *evidence.Evidence {
	bytes := make([]int64, len(counts))
	for i, n := range counts {
		bytes[i] = 100 * n
	}
	e := &evidence.Evidence{
		Memory:   "host",
		Censuses: []evidence.Census{{Step: 9}, {Step: 10}, {Step: 11}},
		Groups:   []evidence.Group{{ID: 0, Device: "cpu", Shape: []int64{25}, Count: counts, Bytes: bytes, TensorBytes: 100, Holders: []int{0, 1}}},
	}
	for i, length := range lengths {
		e.Holders = append(e.Holders, evidence.Holder{ID: i, Kind: kind, Path: string(rune('a' + i)), Type: "list", Elements: "Tensor", Length: length})
	}
	return e
}

func TestContainersShareByWhatTheyGained(t *testing.T) {
	// Of 4 tensors a step one list took 1 and the other 3: 12 tensors are 3 and 9.
	e := twoHolders("container", []int64{4, 8, 12}, []int64{1, 2, 3}, []int64{3, 6, 9})
	found := all(e, finding.Memory{Name: "host"})
	if len(found) != 2 {
		t.Fatalf("%d candidates", len(found))
	}
	for i, want := range []struct {
		tensors float64
		held    int64
	}{{1, 300}, {3, 900}} {
		c := found[i]
		if held := c.held(map[*evidence.Group]bool{}); c.tensors != want.tensors || held != want.held {
			t.Errorf("%s: %g tensors per step, %d bytes held", c.holder.Path, c.tensors, held)
		}
	}
}

func TestTheSameTensorsInTwoContainers(t *testing.T) {
	// Both lists take the one tensor of each step.
	e := twoHolders("container", []int64{1, 2, 3}, []int64{1, 2, 3}, []int64{1, 2, 3})
	found := all(e, finding.Memory{Name: "host"})
	charged, sum := map[*evidence.Group]bool{}, int64(0)
	for _, c := range found {
		sum += c.held(charged)
		if c.tensors != 1 {
			t.Errorf("%s: %g tensors per step", c.holder.Path, c.tensors)
		}
	}
	if len(found) != 2 || sum != 300 {
		t.Errorf("%d candidates hold %d bytes", len(found), sum)
	}
}

func TestGraphsHoldNoMoreThanTheGrowth(t *testing.T) {
	rate := int64(1000)
	c := &candidate{
		memory:   finding.Memory{Name: "host", BytesPerStep: &rate},
		evidence: &evidence.Evidence{Censuses: []evidence.Census{{Step: 9}, {Step: 19}}},
		groups:   []*evidence.Group{{Device: "cpu", Bytes: []int64{0, 5000}, Count: []int64{0, 5}, GraphBytes: []int64{0, 90000}, GradFn: "AddBackward0"}},
	}
	if got := c.held(map[*evidence.Group]bool{}); got != 20000 { // 20 steps of 1000
		t.Errorf("%d held", got)
	}
	c.bytes = 400 // the rest is another's, whose tensors have the same graph
	if got := c.held(map[*evidence.Group]bool{}); got != 8000 {
		t.Errorf("%d held", got)
	}
	c.groups[0].Bytes[1] = 30000 // storages are counted, not estimated
	if got := c.held(map[*evidence.Group]bool{}); got != 30000 {
		t.Errorf("%d held", got)
	}
	c.groups[0].GraphBytes = []int64{0, 0}
	c.groups[0].Bytes[1] = 700
	if got := c.held(map[*evidence.Group]bool{}); got != 700 {
		t.Errorf("%d held", got)
	}
}

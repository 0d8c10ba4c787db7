package detect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
)

// testdata/nccl has two ranks on two GPUs: rows of step, allocated, reserved, device used. none is healthy; in
// groups a new process group is made every step; in buffers gathered buffers are kept; in rank1 only rank 1 leaks.
func TestCommunicators(t *testing.T) {
	for name, want := range map[string]struct {
		verdict finding.Verdict
		slope   int64
		found   Confirmation
	}{
		"none_rank0":    {finding.Healthy, 0, nothing},
		"none_rank1":    {finding.Healthy, 0, nothing},
		"groups_rank0":  {finding.Outside, 508_000_000, nothing},
		"groups_rank1":  {finding.Outside, 508_000_000, nothing},
		"buffers_rank0": {finding.Leak, 524_288, survivors},
		"buffers_rank1": {finding.Leak, 524_288, survivors},
		"rank1_rank0":   {finding.Healthy, 0, nothing},
		"rank1_rank1":   {finding.Leak, 1_048_576, survivors},
	} {
		m := watch(New("cuda:0", Options{Kind: "device"}), onTwoGPUs(t, name), want.found).memory
		if m.Verdict != want.verdict {
			t.Errorf("%s: %s (%s), want %s", name, m.Verdict, m.Why, want.verdict)
			continue
		}
		if want.slope > 0 {
			if d := *m.BytesPerStep - want.slope; 50*max(d, -d) > want.slope || m.StepsToOOM == nil || *m.StepsToOOM <= 0 {
				t.Errorf("%s: %d bytes a step, want %d", name, *m.BytesPerStep, want.slope)
			}
			t.Logf("%s: %s, %d bytes a step since %d, full in %d steps", name, m.Verdict, *m.BytesPerStep, *m.SinceStep, *m.StepsToOOM)
		}
	}
}

// onTwoGPUs reads the samples of one rank.
func onTwoGPUs(t *testing.T, name string) (samples []memory.Sample) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/nccl", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][4]int64
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		s := bare("cuda:0", row[0]+1)
		s.V[memory.DeviceAllocated], s.V[memory.DeviceReserved] = row[1], row[2]
		s.V[memory.DeviceDriverUsed], s.V[memory.DeviceDriverTotal] = row[3], 143_771<<20
		samples = append(samples, s)
	}
	return samples
}

// What fills a device is not this process's where the driver counts it for others; where they only hold memory, or nobody can say, it is.
func TestOthersOnTheDevice(t *testing.T) {
	const perStep = 508_000_000
	samples := onTwoGPUs(t, "groups_rank0")
	last := samples[len(samples)-1].Step
	course := func(from, until, every, start, grows int64) (c []Share) {
		for step := from; step <= until; step += every {
			c = append(c, Share{step, start + grows*(step-from)})
		}
		return c
	}
	for name, c := range map[string]struct {
		others  []Share
		verdict finding.Verdict
		grows   bool
	}{
		"nobody can say":                      {nil, finding.Outside, false},
		"there is nobody":                     {course(1, last, 5, 0, 0), finding.Outside, false},
		"there was nobody, at one reading":    {course(1, 1, 5, 0, 0), finding.Outside, false},
		"they hold as much as before":         {course(1, last, 5, 9<<30, 0), finding.Outside, false},
		"they give some back":                 {course(1, last, 5, 9<<30, -1<<20), finding.Outside, false},
		"they gain a little":                  {course(1, last, 5, 9<<30, perStep/10), finding.Outside, false},
		"they gain it":                        {course(1, last, 5, 9<<30, perStep), finding.Healthy, true},
		"they gain it, and have just come":    {course(1, last, 5, 0, perStep), finding.Healthy, true},
		"they hold memory, as read once":      {course(1, 1, 5, 9<<30, 0), finding.Healthy, false},
		"they grew before, and do no more":    {append(course(1, 2, 1, 0, 20<<30), course(last-1, last, 1, 20<<30, 0)...), finding.Outside, false},
		"read before this training had begun": {course(0, 0, 1, 0, 0), finding.Outside, false},
	} {
		d := New("cuda:0", Options{Kind: "device"})
		d.Others(c.others)
		m := watch(d, samples, nothing).memory
		if m.Verdict != c.verdict {
			t.Errorf("%s: %s (%s), want %s", name, m.Verdict, m.Why, c.verdict)
		}
		own := int64(perStep)
		if name == "they gain a little" {
			own -= perStep / 10
		}
		if m.Verdict == finding.Outside && (*m.BytesPerStep < own*98/100 || *m.BytesPerStep > own*102/100) {
			t.Errorf("%s: %d bytes a step, want %d", name, *m.BytesPerStep, own)
		}
		if rate, since := d.OthersGrow(); (rate > 0) != c.grows || c.grows && (rate < perStep*9/10 || since < 1) {
			t.Errorf("%s: they are said to grow by %d since %d", name, rate, since)
		}
	}
}

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
		text, err := os.ReadFile(filepath.Join("testdata/nccl", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var rows [][4]int64
		if err := json.Unmarshal(text, &rows); err != nil {
			t.Fatal(err)
		}
		var samples []memory.Sample
		for _, row := range rows {
			s := bare("cuda:0", row[0]+1)
			s.V[memory.DeviceAllocated], s.V[memory.DeviceReserved] = row[1], row[2]
			s.V[memory.DeviceDriverUsed], s.V[memory.DeviceDriverTotal] = row[3], 143_771<<20
			samples = append(samples, s)
		}
		m := watch(New("cuda:0", Options{Kind: "device"}), samples, want.found).memory
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

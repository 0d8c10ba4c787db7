package analysis

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

const datasetSource = `class Scans:
    def __init__(self):
        self.ready = {}
        self.paths = [str(i) for i in range(10)]

    def __getitem__(self, i):
        self.ready[i, random.random()] = self.paths[i]
        return self.paths[i]
`

// A recording's loader workers: one keeps what it hands out, the other copies what it shares. Both read one data set, and
// the statement that is to blame is another.
func TestRecordingOfWorkers(t *testing.T) {
	dir, sources := record(t), t.TempDir()
	data := filepath.Join(sources, "data.py")
	if err := os.WriteFile(data, []byte(datasetSource), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, pid := range []int{71, 72} {
		write(t, dir, fmt.Sprintf("%d-1.hello.json", pid),
			fmt.Sprintf(`{"hello":1,"pid":%d,"ppid":7,"role":"worker","dataset":{"class":"Scans","module":"data","file":%q}}`, pid, data))
	}
	trainer := recording.Process{Key: "7-1"}
	w, err := recording.NewSampleWriter(filepath.Join(dir, filepath.Base(trainer.WorkerSamples())))
	if err != nil {
		t.Fatal(err)
	}
	number := uint64(0)
	add := func(place, pid int, step, own, private int64) {
		s := memory.Sample{Step: step, Nanos: step * 1e6}
		for i := range s.V {
			s.V[i] = memory.Absent
		}
		s.V[memory.WorkerOwn], s.V[memory.WorkerPrivate], s.V[memory.HostAnon], s.V[memory.WorkerPID] = own, private, 400<<20, int64(pid)
		number++
		raw := make([]byte, flight.RecordSize)
		flight.Encode(raw, number, place, &s)
		if err := w.Add(flight.Record{Number: number, Raw: raw}); err != nil {
			t.Fatal(err)
		}
	}
	const level = 40 << 20
	for step := int64(1); step <= 200; step++ {
		grown := max(0, step-10) * 256 << 10
		add(0, 71, step, level+grown, level+grown)
		add(1, 72, step, level, level+grown)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	reports, warnings := Recording(recording.Dir{Path: dir}, finding.Tool{})
	if len(reports) != 1 || len(warnings) > 0 {
		t.Fatalf("%d reports, %v", len(reports), warnings)
	}
	verdicts := map[string]finding.Verdict{}
	for _, m := range reports[0].Memories {
		verdicts[m.Name] = m.Verdict
	}
	if verdicts["worker:0"] != finding.Leak || verdicts["worker:1"] != finding.Bounded {
		t.Errorf("verdicts %v", verdicts)
	}
	want := map[string]string{"TL110": "worker:0 7 Scans.ready", "TL123": "worker:1 4 Scans.paths"}
	for _, f := range reports[0].Findings {
		got := f.Memory
		if f.Location != nil && f.Holder != nil {
			got += fmt.Sprintf(" %d %s", f.Location.Line, f.Holder.Path)
		}
		if expected, ok := want[f.Rule]; ok && got != expected {
			t.Errorf("%s: %s, want %s", f.Rule, got, expected)
		}
		delete(want, f.Rule)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v in %+v", want, reports[0].Findings)
	}
}

package analysis

import (
	"os"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
)

// A recording of a process that ran out of memory before its first step, with the allocation history that it kept: the
// training of this trace reserves 56 % less with expandable segments.
func TestShortageFromRecording(t *testing.T) {
	dir := recording.Dir{Path: t.TempDir()}
	history, err := os.ReadFile("../simulate/testdata/cnn_0.pickle.gz")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"run.json":         `{"run": 1, "argv": ["python", "train.py"], "exit": 1}`,
		"7-1.hello.json":   `{"hello": 1, "pid": 7, "cwd": "/w", "torch": "2.11.0"}`,
		"7-1.oom.pickle":   string(history),
		"7-1.oom.json":     `{"oom": 1, "memory": "cuda:0", "fatal": true, "count": 1, "requested": 1048576, "limit": 4194304, "free": 0, "allocated": 4000000, "reserved": 4194304, "frames": [{"file": "/w/sub/train.py", "line": 3, "function": "f"}]}`,
		"8-1.hello.json":   `{"hello": 1, "pid": 8, "cwd": "/w", "rank": 1}`,
		"9-1.hello.json":   `{"hello": 1, "pid": 9, "cwd": "/w", "rank": 2}`,
		"9-1.oom.json":     `{"oom": 99}`,
		"9-1.oom.pickle":   "x",
		"unrelated.txt":    "",
		"10-1.oom.json":    "no hello, no process",
		"11-1.hello.jsonx": "",
	} {
		if err := os.WriteFile(dir.File(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reports, warnings := Recording(dir, finding.Tool{Name: "torchleak"})
	if len(reports) != 1 || len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "version 99") {
		t.Fatalf("%d reports, %v", len(reports), warnings)
	}
	r := reports[0]
	if r.Verdict != finding.Capacity || r.OOM == nil || r.OOM.At[0].File != "sub/train.py" || r.Steps.Seen != 0 {
		t.Fatalf("%s %+v", r.Verdict, r.OOM)
	}
	if next := strings.Join(r.OOM.Next, " "); !strings.Contains(next, "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True: by simulation") {
		t.Errorf("%s", next)
	}
}

// TestForgetForecasts forgets that of the memory that ran out, and where the host did, of all that takes its memory.
func TestForgetForecasts(t *testing.T) {
	steps, seconds := int64(9), 9.0
	memory := func(name string) finding.Memory {
		return finding.Memory{Name: name, Kind: Kind(name), StepsToOOM: &steps, SecondsToOOM: &seconds}
	}
	for _, ran := range []string{"host", "cuda:0"} {
		r := finding.Report{Memories: []finding.Memory{memory("host"), memory("shm"), memory("cuda:0")}, OOM: &finding.PostMortem{Memory: ran},
			Host: &finding.Host{StepsToOOM: &steps, SecondsToOOM: &seconds}}
		forgetForecasts(&r)
		for _, m := range r.Memories {
			if gone := m.StepsToOOM == nil && m.SecondsToOOM == nil; gone != (m.Name == ran || ran == "host" && m.Name == "shm") {
				t.Errorf("%s ran out: the forecast of %s is %v", ran, m.Name, m.StepsToOOM)
			}
		}
		if gone := r.Host.StepsToOOM == nil && r.Host.SecondsToOOM == nil; gone != (ran == "host") {
			t.Errorf("%s ran out: the forecast of the control group is %v", ran, r.Host.StepsToOOM)
		}
	}
}

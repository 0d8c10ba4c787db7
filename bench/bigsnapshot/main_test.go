package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/pytorch"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
)

// TestRepeat makes a small one: memory at the ends of its steps is always the same.
func TestRepeat(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.pickle")
	if err := run("../../internal/snapshot/testdata/none.pickle.gz", "4MB", path); err != nil {
		t.Fatal(err)
	}
	s, err := snapshot.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := residence.Summarize(s, "end")
	if err != nil {
		t.Fatal(err)
	}
	one := all[0]
	if one.Before.Count != 0 || len(one.Growth) != 0 || one.Events < 40_000 || one.PeakReserved != one.Reserved {
		t.Errorf("%d entries, %d blocks older than the trace, growth %+v, peak %d of %d", one.Events, one.Before.Count, one.Growth, one.PeakReserved, one.Reserved)
	}
}

// BenchmarkAgainstCPython compares `torchleak snapshot show` with CPython's pickle.load alone, on a file of 116 MB with
// 1.32 million entries, by processor time and by peak memory of the process. TORCHLEAK_SNAPSHOT names another file.
func BenchmarkAgainstCPython(b *testing.B) {
	path := os.Getenv("TORCHLEAK_SNAPSHOT")
	if path == "" {
		path = filepath.Join(b.TempDir(), "big.pickle")
		if err := run("../../internal/snapshot/testdata/none.pickle.gz", "116MB", path); err != nil {
			b.Fatal(err)
		}
	}
	tool := filepath.Join(b.TempDir(), "torchleak")
	if out, err := exec.Command("go", "build", "-o", tool, "../../cmd/torchleak").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	python := pytorch.Find(b)[0].Path
	var ours, theirs cost
	for b.Loop() {
		ours.add(measure(b, tool, "snapshot", "show", "--quiet", path))
		theirs.add(measure(b, python, "-c", "import pickle, sys; pickle.load(open(sys.argv[1], 'rb'))", path))
	}
	b.ReportMetric(ours.seconds, "s")
	b.ReportMetric(theirs.seconds, "cpython-s")
	b.ReportMetric(theirs.seconds/ours.seconds, "times-faster")
	b.ReportMetric(ours.megabytes, "MB")
	b.ReportMetric(theirs.megabytes, "cpython-MB")
}

// cost is the least that was measured: other programs only add to it.
type cost struct{ seconds, megabytes float64 }

func (c *cost) add(o cost) {
	if c.seconds == 0 || o.seconds < c.seconds {
		c.seconds = o.seconds
	}
	c.megabytes = max(c.megabytes, o.megabytes)
}

func measure(b *testing.B, command string, args ...string) cost {
	cmd := exec.Command(command, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%s: %v: %s", command, err, out)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	busy := time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	return cost{busy.Seconds(), float64(usage.Maxrss) * 1024 / 1e6}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// rounds is how often each program runs. What is reported are medians: other programs of the machine make single runs longer.
const rounds = 5

// BenchmarkAgainstCPython compares `torchleak snapshot show` with CPython's pickle.load alone, in turn, on a file of 116 MB
// with 1.32 million entries: by the time that it takes, by processor time, and by peak memory of the process.
// TORCHLEAK_SNAPSHOT names another file.
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
	var ours, theirs []cost
	for b.Loop() {
		for range rounds {
			ours = append(ours, measure(b, tool, "snapshot", "show", "--quiet", path))
			theirs = append(theirs, measure(b, python, "-c", "import pickle, sys; pickle.load(open(sys.argv[1], 'rb'))", path))
		}
	}
	for _, m := range []struct {
		unit string
		of   func(cost) float64
	}{{"s", cost.elapsed}, {"cpu-s", cost.busy}, {"MB", cost.memory}} {
		we, they := median(ours, m.of), median(theirs, m.of)
		b.ReportMetric(we, m.unit)
		b.ReportMetric(they, "cpython-"+m.unit)
		b.ReportMetric(they/we, "times-less-"+m.unit)
	}
}

// cost is what one run of a program took.
type cost struct {
	seconds, processor time.Duration
	bytes              int64 // at the peak
}

func (c cost) elapsed() float64 { return c.seconds.Seconds() }
func (c cost) busy() float64    { return c.processor.Seconds() }
func (c cost) memory() float64  { return float64(c.bytes) / 1e6 }

func median(all []cost, of func(cost) float64) float64 {
	var values []float64
	for _, c := range all {
		values = append(values, of(c))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func measure(b *testing.B, command string, args ...string) cost {
	cmd := exec.Command(command, args...)
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(begin)
	if err != nil {
		b.Fatalf("%s: %v: %s", command, err, out)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return cost{took, time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), usage.Maxrss * 1024}
}

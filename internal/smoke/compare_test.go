package smoke

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

// compare judges now against what was saved of before.
func compare(before, now finding.Report, t Tolerance) (Result, []Difference) {
	w := WindowsOf(200)
	saved := BaselineOf(before, Judge(before, w, onLeak), 200)
	r := Judge(now, w, onLeak)
	return r, r.Compare(saved, now, 200, t)
}

func TestCompare(t *testing.T) {
	const mib = 1 << 20
	before := reportOf(run(finding.Healthy, 200, 100*mib, 0, 0))
	for _, c := range []struct {
		name         string
		now          finding.Memory
		peak, growth Outcome
	}{
		{"the same", run(finding.Healthy, 200, 100*mib, 0, 0), Passed, Passed},
		{"less", run(finding.Healthy, 200, 10*mib, 0, 0), Passed, Passed},
		{"within 5 %", run(finding.Healthy, 200, 105*mib, 0, 0), Passed, Passed},
		{"beyond 5 %", run(finding.Healthy, 200, 106*mib, 0, 0), Failed, Passed},
		// 512 B a step are noise on a device; 1 KiB a step is growth, and 200 KiB more at the peak are within 5 %.
		{"grows by 512 B", run(finding.Healthy, 200, 100*mib, 512, 0), Passed, Passed},
		{"grows by 1 KiB", run(finding.Healthy, 200, 100*mib, 1024, 0), Passed, Failed},
	} {
		r, differs := compare(before, reportOf(c.now), 0.05)
		if len(r.Checks) != 3 || len(differs) != 0 {
			t.Fatalf("%s: %+v, %v", c.name, r.Checks, differs)
		}
		if peak, growth := r.Checks[1], r.Checks[2]; peak.Outcome != c.peak || growth.Outcome != c.growth {
			t.Errorf("%s: peak %s (%d of %d), growth %s (%d of %d); want %s, %s", c.name,
				peak.Outcome, peak.Is, peak.Limit, growth.Outcome, growth.Is, growth.Limit, c.peak, c.growth)
		}
	}
}

// How many batches are in flight, and how many workers there are, is no difference between two runs.
func TestCompareLeavesMemoriesAsideOut(t *testing.T) {
	flat := run(finding.Healthy, 200, 1<<20, 0, 0)
	with, without := reportOf(flat, aside("worker:0", finding.Healthy, 200)), reportOf(flat)
	for _, c := range [][2]finding.Report{{with, without}, {without, with}} {
		r, differs := compare(c[0], c[1], 0.05)
		if len(differs) != 0 || r.Outcome() != Passed {
			t.Errorf("%v, %s", differs, r.Outcome())
		}
	}
}

func TestDifferences(t *testing.T) {
	before := reportOf(run(finding.Healthy, 200, 1<<20, 0, 0))
	now := reportOf(run(finding.Healthy, 200, 1<<20, 0, 0))
	small, large := int64(16<<30), int64(80<<30)
	before.Memories[0].LimitBytes, now.Memories[0].LimitBytes = &small, &large
	now.Target.Torch = "2.16.0"
	r, differs := compare(before, now, 0.05)
	want := []Difference{{TorchDiffers, "2.15.0", "2.16.0"}, {DeviceDiffers, "cuda:0", ""}}
	if !slices.Equal(differs, want) || r.Outcome() != Passed {
		t.Errorf("%v, %s; want %v, passed", differs, r.Outcome(), want)
	}

	now = reportOf(run(finding.Healthy, 200, 1<<20, 0, 0))
	now.Memories[0].Name = "host"
	r, differs = compare(before, now, 0.05)
	want = []Difference{{MemoryNew, "host", ""}, {MemoryGone, "cuda:0", ""}}
	if !slices.Equal(differs, want) || r.Outcome() != Unjudged {
		t.Errorf("on another device: %v, %s; want %v, unjudged", differs, r.Outcome(), want)
	}
}

func TestTolerance(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, "0%": 0, "12.5%": 0.125, "100%": 1} {
		var got Tolerance
		if err := got.UnmarshalText([]byte(text)); err != nil || float64(got) != want {
			t.Errorf("%s is %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "5", "%", "-1%", "NaN%", "Inf%", "5 %", "0.05"} {
		if err := new(Tolerance).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for a tolerance", text)
		}
	}
}

func TestBaselineFile(t *testing.T) {
	r := reportOf(run(finding.Healthy, 200, 1<<20, 100, 0))
	saved := BaselineOf(r, Judge(r, WindowsOf(200), onLeak), 200)
	var b bytes.Buffer
	if err := saved.Write(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "baseline.json")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ReadBaseline(path)
	if err != nil || got.Torch != "2.15.0" || len(got.Memories) != 1 || got.Memories[0].BytesPerStep != 100 {
		t.Errorf("read %+v, %v", got, err)
	}
	for _, text := range []string{"", "[]", "{}", "nonsense", `{"baseline":9,"memories":[{"memory":"host","peak_bytes":1}]}`, `{"baseline":1}`,
		`{"baseline":1,"memories":[{"memory":"host"}]}`, `{"baseline":1,"memories":[{"peak_bytes":5}]}`} {
		if _, err := decode([]byte(text)); !errors.Is(err, ErrBaseline) {
			t.Errorf("%q: %v, want ErrBaseline", text, err)
		}
	}
}

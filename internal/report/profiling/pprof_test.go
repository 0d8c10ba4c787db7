package profiling

import (
	"bytes"
	"os/exec"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/torchleak/torchleak/internal/profile"
	"github.com/torchleak/torchleak/internal/pytorch"
	"github.com/torchleak/torchleak/internal/recording"
)

// sample is the profile of a process whose memory is told by its allocator's history.
func sample(t testing.TB) []profile.Process {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command(pytorch.Interpreters(t)[0].Path, "../../profile/testdata/history.py", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return read(t, dir)
}

func read(t testing.TB, dir string) []profile.Process {
	t.Helper()
	all, warnings := profile.Read(recording.Dir{Path: dir})
	if len(warnings) > 0 {
		t.Fatal(warnings)
	}
	return all
}

// TestPprof reads what was written with pprof's own reader.
func TestPprof(t *testing.T) {
	all := sample(t)
	var file bytes.Buffer
	if err := WritePprof(&file, all); err != nil {
		t.Fatal(err)
	}
	got, err := pprof.Parse(&file)
	if err != nil {
		t.Fatal(err)
	}
	if got.DefaultSampleType != "inuse_space" {
		t.Errorf("by default %q is shown", got.DefaultSampleType)
	}
	var inuse, alloc int64
	leaves := map[string]int64{}
	for _, s := range got.Sample {
		alloc += s.Value[1]
		inuse += s.Value[3]
		leaves[s.Location[0].Line[0].Function.Name] += s.Value[3]
		if s.Label["device"][0] != "cuda:0" || len(s.Label["category"]) != 1 {
			t.Errorf("labels %v", s.Label)
		}
	}
	for _, f := range got.Function {
		if f.SystemName != "" { // which pprof would read as C++, where <…> is left out
			t.Errorf("%q has a name of the linker's, %q", f.Name, f.SystemName)
		}
	}
	// The peak, and what four operators made: 2048 + 1024 + 2048 + 512 + 4096; internal/profile derives both.
	if inuse != 13824 || alloc != 9728 {
		t.Errorf("%d bytes in use, %d allocated", inuse, alloc)
	}
	if leaves["aten::mm in backward of aten::addmm"] != 4096 || leaves["Net.weight"] != 4096 {
		t.Errorf("by leaf: %v", leaves)
	}
}

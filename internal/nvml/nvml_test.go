package nvml

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// fake builds a library that answers as NVIDIA's, by the compiler that the program itself is built with.
func fake(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libfake.so")
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "gcc"
	}
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", path, filepath.Join("testdata", "fake.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// set sets what the fake library reads: a program with C in it hands its environment on.
func set(t *testing.T, name string, value int) {
	t.Helper()
	t.Setenv(name, strconv.Itoa(value))
}

func TestGPUs(t *testing.T) {
	set(t, "FAKE_PID", os.Getpid())
	r := &Reader{path: fake(t)}
	defer r.Close()
	gpus, err := r.GPUs()
	if err != nil || len(gpus) != 1 {
		t.Fatalf("%+v, %v", gpus, err)
	}
	g := gpus[0]
	if g.Index != 1 || g.UUID != "GPU-1" || g.Model != "NVIDIA H200" || g.Used != 40 || g.Total != 100 {
		t.Errorf("%+v", g)
	}
	if len(g.Processes) != 41 || g.Processes[0].PID != os.Getpid() || g.Processes[0].Used != 30 || g.Processes[0].Command == "" || g.Processes[1].Command != "" {
		t.Errorf("%d processes, %+v", len(g.Processes), g.Processes[:min(2, len(g.Processes))])
	}
}

func TestFaults(t *testing.T) {
	path := fake(t)
	for _, c := range []struct {
		init, count int
		want        string
	}{
		{9, 0, "not loaded"},
		{4, 0, "loading NVML failed with its code 4"},
		{0, 15, "counting the GPUs failed with its code 15"},
	} {
		set(t, "FAKE_INIT", c.init)
		set(t, "FAKE_COUNT", c.count)
		r := &Reader{path: path}
		if _, err := r.GPUs(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v: %v", c.init, c.count, err)
		}
		// A driver that has come back is read.
		set(t, "FAKE_INIT", 0)
		set(t, "FAKE_COUNT", 0)
		if gpus, err := r.GPUs(); err != nil || len(gpus) != 1 {
			t.Errorf("after %v, %v: %d GPUs, %v", c.init, c.count, len(gpus), err)
		}
		r.Close()
	}
}

func TestNone(t *testing.T) {
	r := &Reader{path: filepath.Join(t.TempDir(), "libnone.so.1")}
	if _, err := r.GPUs(); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
}

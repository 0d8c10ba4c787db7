// Package backendtest is the suite that every backend passes: complete facts, a reader that fails softly
// without hardware and, where there is hardware, figures that follow what is allocated.
package backendtest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/backend"
	"github.com/torchleak/torchleak/internal/dev/need"
	"github.com/torchleak/torchleak/internal/probe"
	"github.com/torchleak/torchleak/internal/pytorch"
)

//go:embed conformance.py
var conformance string

// functions are what a reader consists of.
var functions = []string{"available", "start", "memory_name", "devices", "read", "level", "limit"}

// result is what the conformance program prints about one reader in one torch.
type result struct {
	Available bool     `json:"available"` // torch was built for it
	Hardware  bool     `json:"hardware"`  // and there is a device
	Memories  []string `json:"memories"`
	Read      []int    `json:"read"` // indexes of the figures that were read at least once
	Faults    []string `json:"faults"`
}

// conformed is what the conformance program prints in a Python: results by the backends' names. It runs once in each.
func conformed(python string) (map[string]result, error) {
	once, _ := answers.LoadOrStore(python, sync.OnceValues(func() (map[string]result, error) { return conform(python) }))
	return once.(func() (map[string]result, error))()
}

var answers sync.Map

func conform(python string) (map[string]result, error) {
	dir, err := os.MkdirTemp("", "torchleak-backends-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	laid := filepath.Join(dir, "probe")
	if err := probe.Layout(laid); err != nil {
		return nil, err
	}
	cmd := exec.Command(python, "-c", conformance)
	cmd.Env = pytorch.Environ("PYTHONPATH=" + laid)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, stderr.String())
	}
	var results map[string]result
	if err := json.Unmarshal(out, &results); err != nil {
		return nil, fmt.Errorf("%w in %s", err, out)
	}
	return results, nil
}

// Run checks a backend. With TORCHLEAK_REQUIRE naming it, absent hardware is a failure.
func Run(t *testing.T, b *backend.Backend) {
	t.Helper()
	t.Run("facts", func(t *testing.T) { facts(t, b) })
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) { reader(t, b, python) })
	}
}

func facts(t *testing.T, b *backend.Backend) {
	if b.Name == "" || b.Memory == nil || len(b.Caveats) == 0 || b.Verified == "" || len(b.Offers) == 0 {
		t.Errorf("%s: a name, memories, figures, caveats and where it was run belong to a backend", b.Name)
	}
	last := -1
	for _, index := range b.Offers {
		if index <= last || index >= len(b.Values()) {
			t.Errorf("figure %d is out of order or unknown", index)
		}
		last = index
	}
	if b.Device && !strings.HasPrefix(b.Memory.String(), "^"+b.Name+":") {
		t.Errorf("the memories of a device are called %s:0 and so on, and %v does not match that", b.Name, b.Memory)
	}
	for _, function := range functions {
		if !strings.Contains(b.Reader, "\ndef "+function+"(") {
			t.Errorf("the reader has no %s", function)
		}
	}
}

func reader(t *testing.T, b *backend.Backend, python pytorch.Python) {
	results, err := conformed(python.Path)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := results[b.Name]
	if !ok {
		t.Fatalf("the probe has no reader %s", b.Name)
	}
	for _, fault := range got.Faults {
		t.Error(fault)
	}
	if !got.Hardware {
		need.Lacks(t, b.Name, fmt.Sprintf("no hardware for %s; without it the reader keeps still", b.Name))
	}
	for _, memory := range got.Memories {
		if !b.Memory.MatchString(memory) {
			t.Errorf("memory %q does not match %v", memory, b.Memory)
		}
	}
	offered := map[int]bool{}
	for _, index := range b.Offers {
		offered[index] = true
	}
	for _, index := range got.Read {
		if !offered[index] {
			t.Errorf("figure %d is read and not in Offers %s", index, cmp.Diff(b.Offers, got.Read))
		}
	}
	if len(got.Read) == 0 {
		t.Error("no figure was read")
	}
}

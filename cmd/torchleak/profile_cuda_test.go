package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// onDevice is a training all of whose tensors but the smallest are multiples of 512 bytes, so that the allocator rounds nothing.
// It has no biases: the sum that is their gradient takes buffers of its own, and how large depends on the device.
// It says the most that was allocated in its last step, and a digest of its weights.
const onDevice = `
import hashlib, torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(256, 512, bias=False), nn.ReLU(), nn.Linear(512, 128, bias=False)).cuda()
optimizer = torch.optim.Adam(model.parameters())
for step in range(6):
    x = torch.randn(1024, 256, device="cuda")
    y = torch.randn(1024, 128, device="cuda")
    torch.cuda.reset_peak_memory_stats()
    loss = (model(x) - y).pow(2).mean()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
most = torch.cuda.max_memory_allocated()
print(hashlib.sha256(b"".join(p.detach().cpu().numpy().tobytes() for p in model.parameters())).hexdigest(), most)
`

// deviceMemory is what the test reads of the profile.
type deviceMemory struct {
	Name       string
	Source     string
	Peak       int64 `json:"peak_bytes"`
	Categories []struct {
		Name  string
		Bytes int64
	}
	Lines []struct {
		Bytes    int64
		Backward bool
		Location *struct{ Line int }
	}
	Modules []struct {
		Module string
		Bytes  int64
	}
}

// TestProfileCUDA profiles steps on a device by the allocator's history: categories are exact, backward lies at the line of
// its forward, and the training computes the same.
func TestProfileCUDA(t *testing.T) {
	bin := program(t)
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			python.NeedCUDA(t)
			base := t.TempDir()
			if err := os.WriteFile(filepath.Join(base, "train.py"), []byte(onDevice), 0o600); err != nil {
				t.Fatal(err)
			}
			alone := output(t, base, python.Path, "train.py")
			profiled := output(t, base, bin, "profile", "--go-on", "--json", "profile.json", "--", python.Path, "train.py")
			digest, _, _ := strings.Cut(alone, " ")
			again, allocated, _ := strings.Cut(profiled, " ")
			if digest != again {
				t.Errorf("the training computes %s alone, %s profiled", digest, again)
			}
			m := device(t, filepath.Join(base, "profile.json"))
			checkDevice(t, m)
			var most int64
			if _, err := fmt.Sscan(allocated, &most); err != nil || m.Peak != most {
				t.Errorf("peak %d, PyTorch's own figure is %q", m.Peak, allocated)
			}
		})
	}
}

// output runs a command and returns what it wrote to standard output.
func output(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, pytorch.Environ("CUBLAS_WORKSPACE_CONFIG=:4096:8")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

func device(t *testing.T, path string) deviceMemory {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Processes []struct{ Memories []deviceMemory }
	}
	if err := json.Unmarshal(text, &r); err != nil || len(r.Processes) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	for _, m := range r.Processes[0].Memories {
		if m.Name == "cuda:0" {
			return m
		}
	}
	t.Fatalf("no cuda:0 in %s", text)
	return deviceMemory{}
}

// checkDevice checks the peak, which is in the backward of the ReLU as in testdata/script/profile.txtar.
func checkDevice(t *testing.T, m deviceMemory) {
	t.Helper()
	const (
		first, second = 4 * 256 * 512, 4 * 512 * 128
		hidden        = 4 * 1024 * 512
		scalar        = 512 // what the allocator gives for four bytes
	)
	if m.Source != "history" {
		t.Errorf("the source is %q", m.Source)
	}
	got, sum := map[string]int64{}, int64(0)
	for _, c := range m.Categories {
		got[c.Name] = c.Bytes
		sum += c.Bytes
	}
	if sum != m.Peak {
		t.Errorf("the categories sum up to %d, the peak is %d", sum, m.Peak)
	}
	for category, want := range map[string]int64{
		"parameter":       first + second,
		"gradient":        second,
		"optimizer state": 2 * (first + second), // the counters are on the host
		"activation":      hidden + scalar,
		"input":           4 * 1024 * (256 + 128),
		"temporary":       2*hidden + scalar,
	} {
		if got[category] != want {
			t.Errorf("%s: %d bytes, want %d; all: %v", category, got[category], want, got)
		}
	}
	modules := map[string]int64{}
	for _, s := range m.Modules {
		modules[s.Module] = s.Bytes
	}
	if modules["Sequential.1"] != 2*hidden || modules["Sequential.0"] != 3*first {
		t.Errorf("by module: %v", modules)
	}
	const forward = 11 // the line of the model's call in onDevice
	var tied int64
	for _, l := range m.Lines {
		if l.Backward && l.Location != nil && l.Location.Line == forward {
			tied += l.Bytes
		}
	}
	if want := int64(2*hidden + second); tied != want {
		t.Errorf("%d bytes of backward lie at the line of the forward, want %d: %+v", tied, want, m.Lines)
	}
}

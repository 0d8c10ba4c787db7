package probe

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// BenchmarkStep measures the probe's own time in each step of a real training, as it accounts for it
// itself, on the CPU and on a CUDA device where there is one.
func BenchmarkStep(b *testing.B) {
	for _, python := range pytorch.Find(b) {
		for _, device := range []string{"cpu", "cuda"} {
			b.Run(python.Name()+"/"+device, func(b *testing.B) { benchmarkStep(b, python, device) })
		}
	}
}

func benchmarkStep(b *testing.B, python pytorch.Python, device string) {
	if device == "cuda" {
		python.NeedCUDA(b)
	}
	cmd := exec.Command(python.Path, filepath.Join("pytest", "bench", "step.py"), fmt.Sprint(max(b.N, 1000)), device)
	cmd.Env = pytorch.Environ("PYTHONPATH="+layout(b), "TORCHLEAK_DIR="+b.TempDir())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%v\n%s", err, stderr.String())
	}
	var median, mean, first float64
	if _, err := fmt.Sscan(string(out), &median, &mean, &first); err != nil {
		b.Fatalf("%v in %q", err, out)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median, "µs-median/step")
	b.ReportMetric(mean, "µs-mean/step")
	b.ReportMetric(first, "µs-mean/first-steps")
}

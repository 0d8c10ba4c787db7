package probe

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// TestShortageCUDA runs trainings out of a CUDA device's memory.
func TestShortageCUDA(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			if err := exec.Command(python.Path, "-c", "import torch; assert torch.cuda.is_available()").Run(); err != nil {
				if strings.Contains(os.Getenv("TORCHLEAK_REQUIRE"), "cuda") {
					t.Fatal("no CUDA device")
				}
				t.Skip("no CUDA device")
			}
			runPython(t, python.Path, "cuda")
		})
	}
}

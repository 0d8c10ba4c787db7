package probe

import (
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// TestShortageCUDA runs trainings out of a CUDA device's memory.
func TestShortageCUDA(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			python.NeedCUDA(t)
			runPython(t, python.Path, "pytest", "cuda", all)
		})
	}
}

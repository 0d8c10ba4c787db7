package probe

import (
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// TestEvidencePlain runs what needs no torch in every Python there is.
func TestEvidencePlain(t *testing.T) {
	for _, python := range pytorch.Interpreters(t) {
		t.Run("python-"+python.Version, func(t *testing.T) { runPython(t, python.Path, "pytest_evidence", "plain", all) })
	}
}

// TestEvidence looks into real trainings, most of which leak.
func TestEvidence(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			t.Parallel()
			runPython(t, python.Path, "pytest_evidence", "torch", all)
		})
	}
}

// TestEvidenceCUDA looks into trainings on a CUDA device.
func TestEvidenceCUDA(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			python.NeedCUDA(t)
			runPython(t, python.Path, "pytest_evidence", "cuda", all)
		})
	}
}

package probe

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// runEvidence runs the unittest files of a folder below pytest_evidence.
func runEvidence(t *testing.T, python, folder string) {
	t.Helper()
	tests, err := filepath.Abs("pytest_evidence")
	if err != nil {
		t.Fatal(err)
	}
	dir := layout(t)
	cmd := exec.Command(python, "-m", "unittest", "discover", "-s", filepath.Join(tests, folder))
	cmd.Env = pytorch.Environ("TORCHLEAK_TEST_PROBE="+dir, "PYTHONPATH="+dir+string(os.PathListSeparator)+tests)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if strings.Contains(string(out), "Ran 0 tests") {
		t.Errorf("no tests ran:\n%s", out)
	}
}

// TestEvidencePlain runs what needs no torch in every Python there is.
func TestEvidencePlain(t *testing.T) {
	for _, python := range pytorch.Interpreters(t) {
		t.Run("python-"+python.Version, func(t *testing.T) { runEvidence(t, python.Path, "plain") })
	}
}

// TestEvidence looks into real trainings, most of which leak.
func TestEvidence(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) { runEvidence(t, python.Path, "torch") })
	}
}

// TestEvidenceCUDA looks into trainings on a CUDA device.
func TestEvidenceCUDA(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			python.NeedCUDA(t)
			runEvidence(t, python.Path, "cuda")
		})
	}
}

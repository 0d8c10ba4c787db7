package probe

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// all is the files of tests in a folder.
const all = "test_*.py"

func layout(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "probe")
	if err := Layout(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLayout(t *testing.T) {
	dir := layout(t)
	for _, name := range []string{"sitecustomize.py", "torchleak/__init__.py", "_torchleak/wake.py", "_torchleak/backends/cuda.py"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever another has put where the probe comes would run in the target.
func TestLayoutIsNew(t *testing.T) {
	if err := Layout(t.TempDir()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the probe was laid into a folder that was there: %v", err)
	}
}

// runPython runs the unittest files of a folder below a suite, pytest or pytest_evidence, with the probe laid out.
func runPython(t *testing.T, python, suite, folder, files string, only ...string) {
	t.Helper()
	tests, err := filepath.Abs(suite)
	if err != nil {
		t.Fatal(err)
	}
	dir := layout(t)
	cmd := exec.Command(python, "-m", "unittest", "discover", "-s", filepath.Join(tests, folder), "-p", files)
	for _, pattern := range only {
		cmd.Args = append(cmd.Args, "-k", pattern)
	}
	cmd.Env = pytorch.Environ("TORCHLEAK_TEST_PROBE="+dir, "PYTHONPATH="+dir+string(os.PathListSeparator)+tests)
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if strings.Contains(string(out), "Ran 0 tests") {
		t.Errorf("no tests ran:\n%s", out)
	}
}

// TestPlain runs what needs no torch in every Python there is.
func TestPlain(t *testing.T) {
	for _, python := range pytorch.Interpreters(t) {
		t.Run("python-"+python.Version, func(t *testing.T) { runPython(t, python.Path, "pytest", "plain", all) })
	}
}

// TestTorch runs real trainings under the probe, one file of tests beside the other.
func TestTorch(t *testing.T) {
	files, err := filepath.Glob("pytest/torch/" + all)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of tests, %v", len(files), err)
	}
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			t.Parallel()
			for _, path := range files {
				file := filepath.Base(path)
				t.Run(strings.TrimSuffix(file, ".py"), func(t *testing.T) {
					t.Parallel()
					runPython(t, python.Path, "pytest", "torch", file)
				})
			}
		})
	}
}

// TestLatest runs what a new Python may change: how workers start, what keeps us out, where names and attributes lie, whether all
// goes on as without us.
func TestLatest(t *testing.T) {
	python := pytorch.Latest(t)
	runPython(t, python.Path, "pytest", "torch", "test_[apt]*.py", "AttachTest", "SpawnTest", "IsolatedTest", "test_loader_workers", "test_same_weights", "test_annotations")
	runPython(t, python.Path, "pytest_evidence", "torch", "test_holders.py", "kept_on_parameter", "asks_for_locals", "held_by_generator")
}

// TestCompiles keeps the probe within the syntax of the oldest Python it supports.
func TestCompiles(t *testing.T) {
	dir := layout(t)
	for _, python := range pytorch.Interpreters(t) {
		t.Run("python-"+python.Version, func(t *testing.T) {
			cmd := exec.Command(python.Path, "-W", "error", "-m", "compileall", "-q", "-f", dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// Package pytorch finds Pythons with a real torch for the tests that need one.
package pytorch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/torchleak/torchleak/internal/dev/need"
)

// Python is an interpreter that has torch.
type Python struct {
	Path    string
	Version string // of Python, such as 3.11.2
	Torch   string // its version, such as 1.13.0a0
}

// Name is short and fit for a subtest.
func (p Python) Name() string { return "torch-" + p.Torch }

// Find returns the Pythons to test with: those of TORCHLEAK_PYTHON (a list like PATH) where set, else
// the system's python3 and the one in the user's cache folder. It skips the test when none has torch,
// and fails it when TORCHLEAK_REQUIRE, a list with commas, names torch: then this must not happen.
func Find(t testing.TB) []Python {
	t.Helper()
	found, missing := all()
	if len(found) > 0 && (len(missing) == 0 || os.Getenv("TORCHLEAK_PYTHON") == "") {
		return found
	}
	why := "no Python with torch: " + strings.Join(missing, "; ")
	if os.Getenv("TORCHLEAK_PYTHON") != "" {
		t.Fatal(why)
	}
	need.Lacks(t, "torch", why)
	return nil
}

// NeedCUDA skips a test where this torch sees no CUDA device, and fails it where TORCHLEAK_REQUIRE names cuda.
func (p Python) NeedCUDA(t testing.TB) {
	t.Helper()
	// The driver's library comes first: without it there is no device, and torch need not be imported, which takes seconds.
	asked := exec.Command(p.Path, "-c", "import ctypes; ctypes.CDLL('libcuda.so.1'); import torch; assert torch.cuda.is_available()")
	asked.Env = Environ()
	if asked.Run() != nil {
		need.Lacks(t, "cuda", "no CUDA device")
	}
}

// Environ is the environment for a test's Python: one thread, nothing of a session around the test.
func Environ(extra ...string) []string {
	var env []string
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, "TORCHLEAK_") || strings.HasPrefix(e, "PYTHONPATH=") {
			continue
		}
		env = append(env, e)
	}
	env = append(env, "OMP_NUM_THREADS=1", "PYTHONDONTWRITEBYTECODE=1")
	return append(env, extra...)
}

var all = sync.OnceValues(func() (found []Python, missing []string) {
	for _, path := range candidates() {
		python, err := ask(path)
		if err != nil {
			missing = append(missing, err.Error())
			continue
		}
		found = append(found, python)
	}
	return found, missing
})

func candidates() []string {
	if list := os.Getenv("TORCHLEAK_PYTHON"); list != "" {
		return filepath.SplitList(list)
	}
	paths := []string{"/usr/bin/python3"}
	return append(paths, cached("newest/bin/python"))
}

// cached is a path below the folder in which the scripts keep what they have installed.
func cached(path string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "torchleak", path)
}

// Latest returns the Python 3.14 that scripts/python3.14.sh has made. It skips the test where it has not, and fails it where
// TORCHLEAK_REQUIRE names python3.14.
func Latest(t testing.TB) Python {
	t.Helper()
	python, err := ask(cached("python3.14/venv/bin/python"))
	if err != nil {
		need.Lacks(t, "python3.14", "no Python 3.14 with torch: scripts/python3.14.sh makes one: "+err.Error())
	}
	return python
}

// Each runs a test with every Python of Find, and with the Latest.
func Each(t *testing.T, test func(*testing.T, Python)) {
	t.Helper()
	for _, python := range Find(t) {
		t.Run(python.Name(), func(t *testing.T) { test(t, python) })
	}
	t.Run("latest", func(t *testing.T) { test(t, Latest(t)) })
}

// versions prints the versions of Python and of its torch, which it does not import: that takes seconds, in each package
// that has such tests.
const versions = `
import importlib.util, os, runpy, sys
torch = importlib.util.find_spec("torch")
if torch is None or torch.origin is None:
    sys.exit("it has no torch")
version = runpy.run_path(os.path.join(os.path.dirname(torch.origin), "version.py"))["__version__"]
print("torchleak", sys.version.split()[0], version)
`

func ask(path string) (Python, error) {
	cmd := exec.Command(path, "-c", versions)
	cmd.Env = Environ()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return Python{}, fmt.Errorf("%s: %w: %s", path, err, lastLine(stderr.String()))
	}
	fields := strings.Fields(lastLine(string(out)))
	if len(fields) != 3 || fields[0] != "torchleak" {
		return Python{}, fmt.Errorf("%s: unexpected answer %q", path, out)
	}
	return Python{Path: path, Version: fields[1], Torch: fields[2]}, nil
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// Interpreters returns the Pythons from 3.8 on that the machine has, with torch or without, one a version.
// It skips the test when there is none.
func Interpreters(t testing.TB) []Python {
	t.Helper()
	paths := []string{"/usr/bin/python3"}
	for minor := 8; minor <= 14; minor++ {
		if path, err := exec.LookPath(fmt.Sprintf("python3.%d", minor)); err == nil {
			paths = append(paths, path)
		}
	}
	paths = append(paths, cached("python3.14/venv/bin/python"))
	if home, err := os.UserHomeDir(); err == nil {
		installed, _ := filepath.Glob(filepath.Join(home, ".pyenv", "versions", "3.*", "bin", "python3"))
		paths = append(paths, installed...)
	}
	var found []Python
	seen := map[string]bool{}
	for _, path := range paths {
		out, err := exec.Command(path, "-c", "import sys; print(sys.version.split()[0] if sys.version_info >= (3, 8) else '')").Output()
		version := strings.TrimSpace(string(out))
		if err != nil || version == "" || seen[version] {
			continue
		}
		seen[version] = true
		found = append(found, Python{Path: path, Version: version})
	}
	if len(found) == 0 {
		t.Skip("no Python from 3.8 on")
	}
	return found
}

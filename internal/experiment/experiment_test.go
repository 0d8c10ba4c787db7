package experiment

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pytorch"
)

// training keeps its losses through a helper, says who it is, and ends with an error that shows lines.
const training = `import os, sys, multiprocessing
import torch
import helper

def child(queue):
    queue.put(helper.kept_twice(3))

def main():
    w = torch.randn(64, 64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1e-6)
    for step in range(60):
        loss = (w @ w).sum() / 1e4
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        helper.note(loss)
    print("main", __name__, __file__, sys.argv, sys.path[0] == os.path.dirname(os.path.realpath(__file__)), len(helper.kept))
    if "spawn" in sys.argv:
        context = multiprocessing.get_context("spawn")
        queue = context.Queue()
        process = context.Process(target=child, args=(queue,))
        process.start()
        print("child", queue.get())
        process.join()
    helper.fail()

if __name__ == "__main__":
    main()
`

const helper = `kept = []

def note(loss):
    kept.append(
        loss)

def kept_twice(n):
    return n + n

def fail():
    raise ValueError("at its end")
`

// lay writes the training into a folder with a blank in its name.
func lay(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my training")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"train.py": training, "helper.py": helper} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func runIn(t *testing.T, dir string, p Plan, argv ...string) Run {
	t.Helper()
	t.Chdir(dir)
	t.Setenv("OMP_NUM_THREADS", "1")
	l := Lab{Argv: argv, Dir: t.TempDir(), Tool: finding.Tool{Name: "torchleak"}, Timeout: time.Minute}
	if err := os.Chmod(l.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := l.Run("run", p, 0)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAsWithout runs the script, taken apart, in all ways of starting it: it finds itself, its arguments, its folder and
// its lines as without us.
func TestAsWithout(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			dir := lay(t)
			for _, c := range []struct {
				argv []string
				file string
			}{
				{[]string{"-W", "ignore", "-u", "train.py", "spawn", "a b"}, "train.py"},
				{[]string{"-m", "train", "x"}, filepath.Join(dir, "train.py")},
			} {
				r := runIn(t, dir, Plan{List: true}, append([]string{python.Path}, c.argv...)...)
				said := r.Said(40)
				if r.Exit != 1 || r.Steps() != 60 || !strings.Contains(said, "main __main__ "+c.file) || !strings.Contains(said, " True 60\n") {
					t.Fatalf("%v: status %d after %d steps:\n%s", c.argv, r.Exit, r.Steps(), said)
				}
				if !strings.Contains(said, `helper.py", line 11, in fail`) || !strings.Contains(said, "ValueError: at its end") {
					t.Errorf("%v: the lines of the error are gone:\n%s", c.argv, said)
				}
				if slices.Contains(c.argv, "spawn") && !strings.Contains(said, "child 6") {
					t.Errorf("%v: the child is gone:\n%s", c.argv, said)
				}
				checkStatements(t, r)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(slices.DeleteFunc(left, func(p string) bool { return strings.HasSuffix(p, "__pycache__") })) != 2 {
				t.Errorf("files were left: %v", left)
			}
		})
	}
}

// checkStatements looks whether what runs again and again is listed as it is.
func checkStatements(t *testing.T, r Run) {
	t.Helper()
	want := map[string]Kind{"helper.py:4": Keep, "train.py:12": Value, "train.py:13": Update, "train.py:14": Update, "train.py:15": Update, "train.py:16": Call}
	for _, s := range r.Statements {
		at := fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line)
		kind, ok := want[at]
		if !ok {
			if s.Steps > 1 {
				t.Errorf("%s is listed with %d steps", at, s.Steps)
			}
			continue
		}
		if s.Kind != kind || s.Ticks != (at == "train.py:15") || at == "helper.py:4" && s.EndLine != 5 {
			t.Errorf("%s is listed as %+v", at, s)
		}
		delete(want, at)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v of %+v", want, r.Statements)
	}
}

// TestOff switches the statement off that stores, and the one that computes the loss: backward goes on with an earlier one.
func TestOff(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			dir := lay(t)
			real, err := filepath.EvalSymlinks(dir)
			if err != nil {
				t.Fatal(err)
			}
			// The first steps run as they are: the three in which 1, 2 and 3 are made when the statement runs.
			off := []Place{{filepath.Join(real, "helper.py"), 4, 4}, {filepath.Join(real, "train.py"), 12, 8}}
			r := runIn(t, dir, Plan{Off: off, Free: Free}, python.Path, "train.py")
			if said := r.Said(40); r.Steps() != 60 || !strings.HasSuffix(said, " True 3") {
				t.Errorf("%d steps:\n%s", r.Steps(), said)
			}
		})
	}
}

// TestSources runs another file in the place of the user's, and writes the losses down: the same ones in two runs.
func TestSources(t *testing.T) {
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			dir := lay(t)
			real, err := filepath.EvalSymlinks(dir)
			if err != nil {
				t.Fatal(err)
			}
			other := filepath.Join(t.TempDir(), "other.py")
			if err := os.WriteFile(other, []byte("kept = 'abc'\ndef note(loss): pass\ndef fail(): pass\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			user := filepath.Join(real, "helper.py")
			first := runIn(t, dir, Plan{Numbers: true}, python.Path, "train.py")
			r := runIn(t, dir, Plan{Numbers: true, Sources: map[string]string{user: other}}, python.Path, "train.py")
			if r.Exit != 0 || !strings.HasSuffix(r.Said(3), " True 3") || !slices.Equal(r.Replaced, []string{user}) {
				t.Errorf("status %d, %v ran otherwise:\n%s", r.Exit, r.Replaced, r.Said(20))
			}
			if len(r.Numbers) != 1 || len(r.Numbers[0]) != 60 || !slices.Equal(r.Numbers[0], first.Numbers[0]) {
				t.Errorf("losses %v, in the first run %v", r.Numbers, first.Numbers)
			}
		})
	}
}

package diff_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/report/diff"
)

const sample = "--- a/my train.py\n+++ b/my train.py\n@@ -1,3 +1,4 @@\n import x\n--- not a file's name\n+kept = []\n+++ nor this\n\n"

func TestLines(t *testing.T) {
	type line struct {
		kind diff.Kind
		path string
		old  int
	}
	var got []line
	for _, l := range diff.Lines(sample) {
		got = append(got, line{l.Kind, l.Path, l.Old})
	}
	const path = "my train.py"
	want := []line{{diff.File, path, 0}, {diff.File, path, 0}, {diff.Hunk, path, 0}, {diff.Context, path, 1}, {diff.Removed, path, 2},
		{diff.Added, path, 0}, {diff.Added, path, 0}, {diff.Context, path, 3}}
	if !slices.Equal(got, want) {
		t.Errorf("lines are %v, want %v", got, want)
	}
	for _, l := range diff.Lines("what is this\n@@ nor that @@\n+x\n") {
		if l.Old != 0 || l.Kind == diff.Added {
			t.Errorf("%+v was taken for a change", l)
		}
	}
}

func TestFits(t *testing.T) {
	const patch = "--- a/t.py\n+++ b/t.py\n@@ -2,2 +2,2 @@\n a\n-b\n+c\n"
	for source, want := range map[string]bool{"#\na\nb\n": true, "#\r\na\r\nb\r\n": true, "#\na\nB\n": false, "a\nb\n": false, "": false} {
		if got := diff.Fits(patch, "t.py", []byte(source)); got != want {
			t.Errorf("fits %q: %v", source, got)
		}
	}
	if diff.Fits(patch, "other.py", []byte("#\na\nb\n")) {
		t.Error("it fits a file that it does not name")
	}
}

const before, after = "def f():\n    kept.append(x)\n    return x\n", "def f():\n    kept.append(x.item())\n    return x\n"

// TestApplies applies a diff with the tools that users have: in a plain folder, in a repository, in a folder of one and
// in one that it ignores; to names with blanks, and to a file that the diff names by its absolute path.
func TestApplies(t *testing.T) {
	tools := map[string][]string{"git": {"git", "apply"}, "patch": {"patch", "-p1", "-i"}}
	for tool, command := range tools {
		for _, place := range []string{"plain", "repository", "repository/folder", "repository/ignored/deep"} {
			for _, name := range []string{"train.py", "my train.py", "pkg/loop.py"} {
				for _, absolute := range []bool{false, true} {
					t.Run(strings.Join([]string{tool, place, name}, " "), func(t *testing.T) {
						root := t.TempDir()
						run(t, root, "git", "init", "-q", "repository")
						cwd := filepath.Join(root, place)
						target := filepath.Join(cwd, name)
						write(t, filepath.Join(root, "repository/.gitignore"), "ignored\n")
						write(t, target, before)
						patch, dir := patchOf(t, cwd, name, absolute)
						file := filepath.Join(root, "fix-1.patch")
						write(t, file, patch)
						run(t, filepath.Join(cwd, dir), command[0], append(command[1:], file)...)
						if got, err := os.ReadFile(target); err != nil || string(got) != after {
							t.Errorf("the file is %q, %v", got, err)
						}
					})
				}
			}
		}
	}
}

func patchOf(t *testing.T, cwd, name string, absolute bool) (patch, dir string) {
	t.Helper()
	old, renewed := "a/"+name, "b/"+name
	if absolute {
		old, renewed = filepath.Join(cwd, name), filepath.Join(cwd, name)
	}
	p, ok := diff.NewPortable("--- " + old + "\n+++ " + renewed + "\n@@ -1,3 +1,3 @@\n def f():\n-    kept.append(x)\n+    kept.append(x.item())\n     return x\n")
	if !ok || len(p.Paths) != 1 {
		t.Fatalf("portable is %+v, %v", p, ok)
	}
	if !absolute {
		return p.Text, p.Dir
	}
	dir, err := filepath.Rel(cwd, p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return p.Text, dir
}

func run(t *testing.T, dir, command string, args ...string) {
	t.Helper()
	cmd := exec.Command(command, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

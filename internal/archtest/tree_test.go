package archtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tracked returns the files of the project, those not yet committed too.
func tracked(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("not a git checkout: %v", err)
	}
	var found []string
	for _, name := range strings.Split(strings.Trim(string(out), "\x00"), "\x00") {
		if info, err := os.Lstat(filepath.Join(root, name)); err == nil && info.Mode().IsRegular() {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		t.Fatal("git lists no files")
	}
	return found
}

// machinePath finds folders that exist on one machine only. The brackets keep it from finding itself.
var machinePath = regexp.MustCompile(`(^|[^\w./$*{}-])/([w]ork|[r]oot|[U]sers)/\w`)

func TestNoMachinePaths(t *testing.T) {
	for _, name := range tracked(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(text, 0) >= 0 {
			continue // binary
		}
		for i, line := range bytes.Split(text, []byte("\n")) {
			if found := machinePath.Find(line); found != nil {
				t.Errorf("%s:%d: a path of one machine: %q", name, i+1, found)
			}
		}
	}
}

func TestMachinePathFinds(t *testing.T) {
	for text, want := range map[string]bool{
		`open("` + "/ro" + `ot/x.py")`: true,
		"cd /wo" + "rk/main":           true,
		"$HOME/wo" + "rk/main":         false,
		"docs/wo" + "rk/main":          false,
	} {
		if machinePath.MatchString(text) != want {
			t.Errorf("%q: found %v, want %v", text, !want, want)
		}
	}
}

// compileAll reads file names and compiles each under the grammar of Python 3.8, the oldest supported.
const compileAll = `
import ast, sys
for name in sys.stdin.read().split("\0"):
    try:
        with open(name, "rb") as f:
            ast.parse(f.read(), name, feature_version=(3, 8))
    except (SyntaxError, ValueError) as e:
        print(f"{name}: {e}")
`

func TestPythonGrammar(t *testing.T) {
	var names []string
	for _, name := range tracked(t) {
		if strings.HasSuffix(name, ".py") && !strings.Contains(name, "testdata/") {
			names = append(names, filepath.Join(root, name))
		}
	}
	if len(names) == 0 {
		t.Fatal("no Python files found")
	}
	report(t, compile(t, names))
}

func TestPythonGrammarFinds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new.py")
	if err := os.WriteFile(name, []byte("match x:\n    case 1: pass\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, compile(t, []string{name}), "new.py")
}

// compile returns what the oldest Python at hand says against the files.
func compile(t *testing.T, names []string) []string {
	t.Helper()
	python := ""
	for _, candidate := range []string{"python3.8", "python3", "/usr/bin/python3"} {
		if exec.Command(candidate, "-c", "").Run() == nil {
			python = candidate
			break
		}
	}
	if python == "" {
		t.Skip("no Python")
	}
	cmd := exec.Command(python, "-c", compileAll)
	cmd.Stdin = strings.NewReader(strings.Join(names, "\x00"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", python, err, stderr.String())
	}
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

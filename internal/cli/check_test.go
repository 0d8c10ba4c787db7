package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be used is said before anything begins: the command would leave a file.
func TestCheckBeforeAnythingBegins(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, says string }{
		{"run --json nope/x", "--json nope/x: there is no folder nope"},
		{"run --html folder", "--html folder: it is a folder"},
		{"run --sarif file/x", "file cannot be written"},
		{"smoke --junit nope/x", "--junit"},
		{"smoke --save-baseline nope/x", "--save-baseline"},
		{"bisect --json nope/x", "--json"},
		{"profile --pprof nope/x", "--pprof"},
		{"profile --csv nope/x", "--csv"},
		{"run --steps=-1", "--steps -1: it is a number from 0 on"},
		{"run --warmup=-3", "--warmup"},
		{"smoke --timeout=-1s", "--timeout -1s: it is a time from 0 on"},
	} {
		args := append(strings.Fields(c.args), "--", "touch", "begun")
		if code, said := called(t, args...); code != exitUsage || !strings.Contains(said, c.says) {
			t.Errorf("%s: exit status %d, %s", c.args, code, said)
		}
	}
	if code, said := called(t, "snapshot", "simulate", "--fraction", "nan", "x"); code != exitUsage || !strings.Contains(said, "--fraction") {
		t.Errorf("a share that is no number: exit status %d, %s", code, said)
	}
	if code, said := called(t, "snapshot", "simulate", "x"); code != exitFailed || strings.Contains(said, "--device") {
		t.Errorf("a default below zero: exit status %d, %s", code, said)
	}
	if _, err := os.Stat("begun"); err == nil {
		t.Error("the command was started")
	}
	for _, path := range []string{"-", "new", "file", "folder/new", "/dev/null"} {
		if err := writable(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// What is behind -- comes to the training byte for byte.
func TestArgumentsAsGiven(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"bad\xff.py", "a,b", "{}", "", "--json", "-1"}
	code, said := called(t, append([]string{"run", "--quiet", "--", "sh", "-c", `printf '%s|' "$@"`, "sh"}, args...)...)
	if want := strings.Join(args, "|") + "|"; !strings.HasPrefix(said, want) {
		t.Errorf("exit status %d, %q, want %q", code, said, want)
	}
	if err := os.WriteFile("bad\xff.py", []byte("x = 1\n"), 0o600); err != nil {
		t.Skip(err)
	}
	if code, said := called(t, "lint", "bad\xff.py"); code != exitOK {
		t.Errorf("lint: exit status %d, %q", code, said)
	}
}

// called runs a command line and returns its exit code and what it said.
func called(t *testing.T, args ...string) (int, string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	code := Main(args, Stdio{os.Stdin, f, f})
	said, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, string(said)
}

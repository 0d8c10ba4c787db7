package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/torchleak/torchleak/internal/session"
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
		{"run --steps=-1", "--steps -1: it is a number from 1 on"},
		{"run --steps 0", "--steps 0: it is a number from 1 on"},
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
	if code, said := called(t, "attach", "--steps", "0", strconv.Itoa(os.Getpid())); code != exitUsage || !strings.Contains(said, "--steps 0: it is a number from 1 on") {
		t.Errorf("no step: exit status %d, %s", code, said)
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

// Before -- there are options only: a word there is a slip, such as a path that is lint's, or a -- too late. Behind it all is
// the training's, also another --.
func TestStrayWords(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("p.patch", []byte("--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("x.py", []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"run", "smoke", "bisect", "profile", "verify --patch p.patch"} {
		for _, stray := range []string{"foo", "foo --steps 3", "--steps 50 foo"} {
			args := append(strings.Fields(command+" "+stray), "--", "touch", "begun")
			if code, said := called(t, args...); code != exitUsage || !strings.Contains(said, "foo") || !strings.Contains(said, "-- touch begun") {
				t.Errorf("%q: exit status %d, %s", args, code, said)
			}
		}
	}
	if code, said := called(t, "run", "-- python", "train.py"); code != exitUsage || !strings.Contains(said, "unknown option") {
		t.Errorf("a -- in one word with the command: exit status %d, %s", code, said)
	}
	if code, said := called(t, "lint", "--fix", "--verify", "foo", "--", "touch", "begun"); code != exitFailed || !strings.Contains(said, "foo") {
		t.Errorf("lint --verify of a path that is not there: exit status %d, %s", code, said)
	}
	if code, said := called(t, "lint", "x.py", "--", "python", "x.py"); code != exitUsage || !strings.Contains(said, "python") {
		t.Errorf("lint with a command and without --verify: exit status %d, %s", code, said)
	}
	if _, err := os.Stat("begun"); err == nil {
		t.Error("the command was started")
	}
	for _, args := range [][]string{{"--", "sh", "-c", "", "--", "x"}, {"sh", "-c", ""}} {
		if argv, err := target(args); err != nil || argv[0] != "sh" {
			t.Errorf("target %q: %q, %v", args, argv, err)
		}
	}
}

// Where no more files can be open the next step is another one than where the command is no program.
func TestUnstarted(t *testing.T) {
	for err, says := range map[error]string{syscall.EMFILE: "ulimit -n", syscall.ENOEXEC: "a program"} {
		if got := unstarted(fmt.Errorf("%w: %w", session.ErrStart, &os.PathError{Op: "fork/exec", Err: err})); !strings.Contains(got, says) {
			t.Errorf("%v: %s", err, got)
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

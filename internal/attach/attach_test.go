package attach

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/attach/attachtest"
	"github.com/torchleak/torchleak/internal/probe"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/pytorch"
)

// newProbe lays out a probe for a process.
func newProbe(t testing.TB, pid int) *Probe {
	t.Helper()
	p := &Probe{PID: pid, Run: t.TempDir(), Method: gdb{}}
	p.Dir = filepath.Join(p.Run, "probe")
	if err := probe.Layout(p.Dir); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRounds attaches to one training again and again: it goes on as if nothing had been, and keeps no file of ours open.
func TestRounds(t *testing.T) {
	attachtest.NeedGDB(t)
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			training := attachtest.Start(t, python.Path)
			for range 3 {
				p := newProbe(t, training.PID)
				if err := p.Begin(); err != nil {
					t.Fatal(err)
				}
				attachtest.Wait(t, func() bool { found, _ := filepath.Glob(p.Run + "/*.flight"); return len(found) == 1 })
				other := newProbe(t, training.PID)
				if err := other.Begin(); !errors.Is(err, ErrOccupied) {
					t.Errorf("a second torchleak: %v", err)
				}
				if err := other.End(); err != nil {
					t.Error(err)
				}
				if err := p.End(); err != nil {
					t.Fatal(err)
				}
				for _, left := range filesOf(training.PID) {
					if strings.HasPrefix(left, p.Run) {
						t.Errorf("%s is still in use", left)
					}
				}
			}
			training.End()
		})
	}
}

// attaching is the environment variable that makes this program one that attaches: to the process of that number, with the
// recording in the directory behind the colon.
const attaching = "TORCHLEAK_TEST_ATTACH"

func TestMain(m *testing.M) {
	if pid, run, ok := strings.Cut(os.Getenv(attaching), ":"); ok {
		os.Exit(attachAndStay(pid, run))
	}
	os.Exit(m.Run())
}

func attachAndStay(pid, run string) int {
	p := &Probe{Run: run, Dir: filepath.Join(run, "probe"), Method: gdb{}}
	p.PID, _ = strconv.Atoi(pid)
	if err := errors.Join(probe.Layout(p.Dir), p.Begin()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	time.Sleep(10 * time.Minute)
	return 0
}

// TestKilled kills the one that has attached: the probe takes itself out of the training, and another can attach.
func TestKilled(t *testing.T) {
	attachtest.NeedGDB(t)
	for _, python := range pytorch.Find(t) {
		t.Run(python.Name(), func(t *testing.T) {
			training, run := attachtest.Start(t, python.Path), t.TempDir()
			reader := exec.Command(os.Args[0])
			reader.Env = append(os.Environ(), fmt.Sprintf("%s=%d:%s", attaching, training.PID, run))
			reader.Stderr = os.Stderr
			if err := reader.Start(); err != nil {
				t.Fatal(err)
			}
			attachtest.Wait(t, func() bool { found, _ := filepath.Glob(run + "/*.flight"); return len(found) == 1 })
			_ = reader.Process.Kill()
			_ = reader.Wait()
			attachtest.Wait(t, func() bool {
				return !slices.ContainsFunc(filesOf(training.PID), func(path string) bool { return strings.HasPrefix(path, run) })
			})
			attachtest.Wait(t, func() bool { _, err := os.Stat(run + "/probe"); return errors.Is(err, os.ErrNotExist) })
			p := newProbe(t, training.PID)
			if err := errors.Join(p.Begin(), p.End()); err != nil {
				t.Error(err)
			}
			training.End()
		})
	}
}

// filesOf lists the files that a process has open or mapped.
func filesOf(pid int) (paths []string) {
	fds, _ := filepath.Glob(proc(pid, "fd/*"))
	for _, fd := range fds {
		path, _ := os.Readlink(fd)
		paths = append(paths, path)
	}
	maps, _ := os.ReadFile(proc(pid, "maps"))
	for line := range strings.Lines(string(maps)) {
		if m, _, ok := parseMapping(strings.TrimSpace(line)); ok {
			paths = append(paths, m.file)
		}
	}
	return paths
}

// start starts a command that ends with the test.
func start(t *testing.T, name string, args ...string) int {
	t.Helper()
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd.Process.Pid
}

// TestUnfit checks what is said of processes that cannot be attached to.
func TestUnfit(t *testing.T) {
	attachtest.NeedGDB(t)
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	stopped := start(t, "sleep", "600")
	_ = syscall.Kill(stopped, syscall.SIGSTOP)
	attachtest.Wait(t, func() bool { s, _ := process.ReadStatus(stopped); return s.State == "T" })
	sleeping := start(t, "python3", "-S", "-c", "import time; time.sleep(600)")
	attachtest.Wait(t, func() bool { f, _, _ := locate(sleeping); return f.complete() })
	for _, c := range []struct {
		name string
		pid  int
		want error
	}{
		{"no process", -1, ErrGone},
		{"ended", gone.ProcessState.Pid(), ErrGone},
		{"stopped", stopped, ErrStopped},
		{"another program", start(t, "sleep", "600"), ErrNotPython},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Check(c.pid)
			if err == nil {
				_, err = Choose(c.pid, "auto")
			}
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	t.Run("asleep", func(t *testing.T) {
		if err := newProbe(t, sleeping).Begin(); !errors.Is(err, ErrBlocked) {
			t.Errorf("got %v, want %v", err, ErrBlocked)
		}
		if !process.Alive(sleeping) {
			t.Error("the process has ended of it")
		}
	})
}

// TestYama checks whom the kernel's rule keeps out.
func TestYama(t *testing.T) {
	for _, c := range []struct {
		scope string
		root  bool
		want  error
	}{
		{"", false, nil}, {"0", false, nil}, {"1", false, ErrRefused}, {"1", true, nil}, {"2", false, ErrRefused}, {"2", true, nil},
		{"3", false, ErrRefused}, {"3", true, ErrRefused},
	} {
		if err := yama(c.scope, c.root); !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), "ptrace_scope is "+c.scope) {
			t.Errorf("scope %s, root %v: %v, want %v", c.scope, c.root, err, c.want)
		}
	}
}

// TestNoTorch asks every Python that there is, by every way into it: none has torch.
func TestNoTorch(t *testing.T) {
	attachtest.NeedGDB(t)
	for _, python := range pytorch.Interpreters(t) {
		for _, method := range Methods {
			t.Run("python-"+python.Version+"/"+method.Name(), func(t *testing.T) {
				pid := start(t, python.Path, "-S", "-c", "import time\nwhile True: time.sleep(.001); bytearray(1000)")
				attachtest.Wait(t, func() bool { f, _, _ := locate(pid); return f.complete() })
				if err := method.Available(pid); errors.Is(err, ErrTooOld) {
					t.Skip(err)
				} else if err != nil {
					t.Fatal(err)
				}
				p := newProbe(t, pid)
				p.Method = method
				if err := p.Begin(); !errors.Is(err, ErrNoTorch) {
					t.Errorf("got %v, want %v", err, ErrNoTorch)
				}
			})
		}
	}
}

// TestReplaced asks a process whose program was taken away, as by an upgrade: it is said what could not be started.
func TestReplaced(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "python3.14")
	if err := os.WriteFile(path, text, 0o700); err != nil {
		t.Fatal(err)
	}
	pid := start(t, path, "600")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := (remote{}).Ask(pid, "asked.py"); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

// TestInside finds a directory by the way of another root.
func TestInside(t *testing.T) {
	dir, pid := t.TempDir(), os.Getpid()
	for _, path := range []string{dir, strings.TrimSuffix(proc(pid, "root"), "/") + dir} {
		if got, ok := inside(pid, path); !ok || got != dir {
			t.Errorf("%s: got %s, %v", path, got, ok)
		}
	}
	if got, ok := inside(pid, dir+"/none"); ok {
		t.Errorf("got %s of what is not there", got)
	}
}

// TestLiteral checks paths that hold what has a meaning to Python.
func TestLiteral(t *testing.T) {
	path := "/a'b\"c\\d\n\xff é"
	out, err := exec.Command("python3", "-S", "-c", fmt.Sprintf("import sys; sys.stdout.buffer.write(%s)", literal(path))).Output()
	if err != nil || string(out) != path {
		t.Errorf("%q, %v, want %q", out, err, path)
	}
}

package attach

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/attach/attachtest"
	"github.com/torchleak/torchleak/internal/probe"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/pytorch"
)

// newProbe lays out a probe for a process.
func newProbe(t testing.TB, pid int, ways ...Method) *Probe {
	t.Helper()
	p := &Probe{PID: pid, Run: t.TempDir(), Methods: ways}
	p.Dir = filepath.Join(p.Run, "probe")
	if err := probe.Layout(p.Dir); err != nil {
		t.Fatal(err)
	}
	return p
}

// byDebuggers runs a test for each debugger that is there.
func byDebuggers(t *testing.T, test func(*testing.T, debugger)) {
	for _, d := range debuggers {
		t.Run(d.name, func(t *testing.T) {
			attachtest.Need(t, d.name)
			test(t, d)
		})
	}
}

// byWays does so for each torch with the first debugger, which shows all that depends on torch, for one with the others, and
// for the latest Python with its own way.
func byWays(t *testing.T, test func(*testing.T, pytorch.Python, Method)) {
	t.Run("remote", func(t *testing.T) { test(t, pytorch.Latest(t), remote{}) })
	byDebuggers(t, func(t *testing.T, d debugger) {
		pythons := pytorch.Find(t)
		if d.name != debuggers[0].name {
			pythons = pythons[:1]
		}
		for _, python := range pythons {
			t.Run(python.Name(), func(t *testing.T) { test(t, python, d) })
		}
	})
}

// TestRounds attaches to one training again and again: it goes on as if nothing had been, and keeps no file of ours open.
func TestRounds(t *testing.T) {
	byWays(t, func(t *testing.T, python pytorch.Python, m Method) {
		training := attachtest.Start(t, python.Path)
		for range 3 {
			p := newProbe(t, training.PID, m)
			if err := p.Begin(); err != nil {
				t.Fatal(err)
			}
			attachtest.Wait(t, func() bool { found, _ := filepath.Glob(p.Run + "/*.flight"); return len(found) == 1 })
			other := newProbe(t, training.PID, m)
			if err := other.Begin(); !errors.Is(err, ErrOccupied) || !strings.HasSuffix(err.Error(), ", its recording is "+p.Run) {
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

// TestStoppedIsNotWaited attaches to a program that waits for something of its own, for three seconds from when the debugger lets it:
// that is no time for which it was stopped.
func TestStoppedIsNotWaited(t *testing.T) {
	const own = 3 * time.Second
	byDebuggers(t, func(t *testing.T, d debugger) {
		dir := t.TempDir()
		gate, waits, file := filepath.Join(dir, "gate"), filepath.Join(dir, "waits"), filepath.Join(dir, "asked.py")
		if err := errors.Join(syscall.Mkfifo(gate, 0o600), os.WriteFile(file, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		pid := start(t, "python3", "-S", "-c", `
import os, sys, time
open(sys.argv[1], "w").close()
os.open(sys.argv[2], os.O_RDONLY)
while True:
    time.sleep(.001)
    bytearray(1000)`, waits, gate)
		attachtest.Wait(t, func() bool { _, err := os.Stat(waits); return err == nil })
		go func() {
			attachtest.Wait(t, func() bool { s, _ := process.ReadStatus(pid); return s.Tracer != 0 && s.State == "S" })
			time.Sleep(own)
			if f, err := os.OpenFile(gate, os.O_WRONLY, 0); err == nil {
				f.Close()
			}
		}()
		begun := time.Now()
		stopped, err := d.Ask(pid, file)
		if took := time.Since(begun); err != nil || stopped <= 0 || took-stopped < own/2 {
			t.Errorf("stopped for %v of %v: %v", stopped, took, err)
		}
	})
}

// attaching is the environment variable that makes this program one that attaches: by the way of that name to the process of
// that number, with the recording in that directory.
const attaching = "TORCHLEAK_TEST_ATTACH"

func TestMain(m *testing.M) {
	if words := strings.SplitN(os.Getenv(attaching), ":", 3); len(words) == 3 {
		os.Exit(attachAndStay(words[0], words[1], words[2]))
	}
	os.Exit(m.Run())
}

func attachAndStay(method, pid, run string) int {
	p := &Probe{Run: run, Dir: filepath.Join(run, "probe")}
	p.PID, _ = strconv.Atoi(pid)
	at := slices.IndexFunc(Methods, func(m Method) bool { return m.Name() == method })
	p.Methods = Methods[at : at+1]
	if err := errors.Join(probe.Layout(p.Dir), p.Begin()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	time.Sleep(10 * time.Minute)
	return 0
}

// another starts one that attaches, and returns what kills it.
func another(t *testing.T, method Method, pid int, run string) (kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s:%d:%s", attaching, method.Name(), pid, run))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	t.Cleanup(kill)
	return kill
}

// TestKilled kills the one that has attached: the probe takes itself out of the training, and another can attach.
func TestKilled(t *testing.T) {
	byWays(t, func(t *testing.T, python pytorch.Python, m Method) {
		training, run := attachtest.Start(t, python.Path), t.TempDir()
		kill := another(t, m, training.PID, run)
		attachtest.Wait(t, func() bool { found, _ := filepath.Glob(run + "/*.flight"); return len(found) == 1 })
		kill()
		attachtest.Wait(t, func() bool {
			return !slices.ContainsFunc(filesOf(training.PID), func(path string) bool { return strings.HasPrefix(path, run) })
		})
		attachtest.Wait(t, func() bool { _, err := os.Stat(run + "/probe"); return errors.Is(err, os.ErrNotExist) })
		p := newProbe(t, training.PID, m)
		if err := errors.Join(p.Begin(), p.End()); err != nil {
			t.Error(err)
		}
		training.End()
	})
}

// TestDebuggerKilled kills what has stopped a program that waits: torchleak itself, the debugger, or a part of that. The program
// goes on when it is woken.
func TestDebuggerKilled(t *testing.T) {
	byDebuggers(t, func(t *testing.T, d debugger) {
		tracer := func(pid int) int { s, _ := process.ReadStatus(pid); return s.Tracer }
		kill := func(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
		for name, victim := range map[string]func(pid int){
			"torchleak": nil,
			"tracer":    func(pid int) { kill(tracer(pid)) },
			"script": func(pid int) {
				parent := tracer(pid)
				if above, _ := process.Parent(parent); above != os.Getpid() {
					parent = above
				}
				kill(parent)
			},
		} {
			t.Run(name, func(t *testing.T) {
				sleeper, wake := sleeps(t, "python3")
				found, _, _ := locate(sleeper)
				before := readEntries(sleeper, found.mallocs)
				begun := make(chan error, 1)
				end := func() { victim(sleeper) }
				if victim == nil {
					end = another(t, d, sleeper, t.TempDir())
					begun <- ErrBlocked
				} else {
					go func() { begun <- newProbe(t, sleeper, d).Begin() }()
				}
				attachtest.Wait(t, func() bool { return tracer(sleeper) != 0 && broken(sleeper, before) })
				end()
				if err := <-begun; err == nil {
					t.Error("nothing is said of it")
				}
				attachtest.Wait(t, func() bool { return tracer(sleeper) == 0 && !broken(sleeper, before) })
				if err := wake(); err != nil {
					t.Errorf("the program ends with %v", err)
				}
			})
		}
	})
}

// TestHurried tells a debugger to end at any moment of its work: the program goes on, unchanged.
func TestHurried(t *testing.T) {
	byDebuggers(t, func(t *testing.T, d debugger) {
		pid := start(t, "python3", "-S", "-c", turning)
		attachtest.Wait(t, func() bool { f, _, _ := locate(pid); return f.complete() })
		found, _, _ := locate(pid)
		before := readEntries(pid, found.mallocs)
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			for wait := range 8 {
				begun := make(chan error, 1)
				go func() { begun <- newProbe(t, pid, d).Begin() }()
				tracer := 0
				for tracer == 0 && len(begun) == 0 {
					time.Sleep(100 * time.Microsecond)
					s, _ := process.ReadStatus(pid)
					tracer = s.Tracer
				}
				if tracer == 0 {
					continue // it was too quick to be seen
				}
				time.Sleep(time.Duration(wait*wait) * 200 * time.Microsecond)
				_ = syscall.Kill(tracer, signal)
				if err := <-begun; !errors.Is(err, ErrNoTorch) && !errors.Is(err, ErrBlocked) && !errors.Is(err, ErrFailed) {
					t.Errorf("%v: %v", signal, err)
				}
				if !process.Alive(pid) || broken(pid, before) {
					t.Fatalf("%v after %d of 49 parts of ten milliseconds has changed the program", signal, wait*wait)
				}
				attachtest.Wait(t, func() bool { s, _ := process.ReadStatus(pid); return s.Tracer == 0 && strings.Contains("RS", s.State) })
			}
		}
		then, _ := process.ReadStat(pid)
		attachtest.Wait(t, func() bool { now, _ := process.ReadStat(pid); return now.CPU > then.CPU })
	})
}

// TestLeftBehind kills a debugger that has started something: that is not waited for, and does not stay. It ran where there is a folder:
// ours may be gone.
func TestLeftBehind(t *testing.T) {
	file := filepath.Join(t.TempDir(), "child")
	d := debugger{name: "sh", command: []string{"sh", "-c", "pwd; sleep 600 & echo $! >" + file + "; kill -9 $$"}}
	out, end := d.run(os.Getpid(), "", functions{})
	if end == nil || string(out) != "/\n" {
		t.Errorf("it ended with %v in %q", end, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	child, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	attachtest.Wait(t, func() bool { return !process.Alive(child) })
	if _, err := d.outcome(os.Getpid(), nil, end); !errors.Is(err, ErrFailed) || err.Error() != "sh failed (signal: killed)" {
		t.Errorf("got %v", err)
	}
}

// sleeps starts a Python that waits. Woken it calls malloc, and ends, without a word.
func sleeps(t *testing.T, python string) (pid int, wake func() error) {
	t.Helper()
	cmd := exec.Command(python, "-S", "-c", "import sys; sys.stdin.readline(); [bytearray(1000) for _ in range(1000)]")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wake = sync.OnceValue(func() error {
		stdin.Close()
		err := cmd.Wait()
		if said.Len() > 0 {
			err = errors.Join(err, errors.New(said.String()))
		}
		return err
	})
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = wake() })
	attachtest.Wait(t, func() bool { f, _, _ := locate(cmd.Process.Pid); return f.complete() })
	attachtest.Wait(t, func() bool { s, _ := process.ReadStat(cmd.Process.Pid); return s.State == "S" })
	return cmd.Process.Pid, wake
}

// broken reports whether a breakpoint stands in one of the functions of a process.
func broken(pid int, before entries) bool {
	now := readEntries(pid, slices.Collect(maps.Keys(before)))
	return !maps.EqualFunc(now, before, bytes.Equal)
}

// filesOf lists the files that a process has open or mapped.
func filesOf(pid int) (paths []string) {
	fds, _ := filepath.Glob(process.File(pid, "fd/*"))
	for _, fd := range fds {
		path, _ := os.Readlink(fd)
		paths = append(paths, path)
	}
	maps, _ := os.ReadFile(process.File(pid, "maps"))
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
	attachtest.Need(t, "gdb")
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	stopped := start(t, "sleep", "600")
	_ = syscall.Kill(stopped, syscall.SIGSTOP)
	attachtest.Wait(t, func() bool { s, _ := process.ReadStatus(stopped); return s.State == "T" })
	sleeper, _ := sleeps(t, "python3")
	for _, c := range []struct {
		name string
		pid  int
		want error
	}{
		{"no process", -1, ErrGone},
		{"ended", gone.ProcessState.Pid(), ErrGone},
		{"stopped", stopped, ErrStopped},
		{"another program", start(t, "sleep", "600"), ErrNotPython},
		{"no training", sleeper, ErrNoTorch},
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
}

// TestBlocked asks a process that waits in native code, by every way: it is let go, nothing is changed in it, and it says nothing
// when it goes on.
func TestBlocked(t *testing.T) {
	for _, way := range Methods {
		t.Run(way.Name(), func(t *testing.T) {
			python := "python3"
			if d, ok := way.(debugger); ok {
				attachtest.Need(t, d.name)
			} else {
				python = pytorch.Latest(t).Path
			}
			t.Parallel()
			sleeper, wake := sleeps(t, python)
			if err := newProbe(t, sleeper, way).Begin(); !errors.Is(err, ErrBlocked) {
				t.Errorf("got %v, want %v", err, ErrBlocked)
			}
			if err := wake(); err != nil {
				t.Errorf("the process ends with %v", err)
			}
		})
	}
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

// turning is a program that calls malloc again and again.
const turning = "import time\nwhile True: time.sleep(.001); bytearray(1000)"

// TestCramped looks at processes that may take little more of something.
func TestCramped(t *testing.T) {
	for limit, want := range map[string]error{
		"-n 12": ErrFiles, "-v 15000": ErrSpace, "-d 8000": ErrSpace, "-f 1": ErrFileSize, "-n 100": nil, "-v 2000000": nil, "-d 200000": nil, "-f 200000": nil,
	} {
		pid := start(t, "sh", "-c", "ulimit "+limit+" && exec sleep 600")
		attachtest.Wait(t, func() bool { argv, _ := process.Command(pid); return argv[0] == "sleep" })
		if err := cramped(pid); !errors.Is(err, want) {
			t.Errorf("ulimit %s: got %v, want %v", limit, err, want)
		}
	}
}

// TestNoTorch asks every Python that there is, by every way into it: none has torch.
func TestNoTorch(t *testing.T) {
	for _, python := range pytorch.Interpreters(t) {
		for _, method := range Methods {
			t.Run("python-"+python.Version+"/"+method.Name(), func(t *testing.T) {
				if d, ok := method.(debugger); ok {
					attachtest.Need(t, d.name)
				}
				pid := start(t, python.Path, "-S", "-c", turning)
				attachtest.Wait(t, func() bool { f, _, _ := locate(pid); return f.complete() })
				if err := method.Available(pid); errors.Is(err, ErrTooOld) {
					t.Skip(err)
				} else if err != nil {
					t.Fatal(err)
				}
				if err := newProbe(t, pid, method).Begin(); !errors.Is(err, ErrNoTorch) {
					t.Errorf("got %v, want %v", err, ErrNoTorch)
				}
			})
		}
	}
}

// half is a program that is in the middle of importing torch.
const half = `
import importlib.machinery, sys, types
torch = sys.modules["torch"] = types.ModuleType("torch")
torch.optim = torch.autograd = None
torch.__spec__ = importlib.machinery.ModuleSpec("torch", None)
torch.__spec__._initializing = True
open(sys.argv[1], "w").close()
` + turning

// TestHalfImported asks a program that imports torch still: there is not all yet that the probe hooks.
func TestHalfImported(t *testing.T) {
	attachtest.Need(t, "gdb")
	ready := filepath.Join(t.TempDir(), "ready")
	pid := start(t, "python3", "-S", "-c", half, ready)
	attachtest.Wait(t, func() bool { _, err := os.Stat(ready); return err == nil })
	if err := newProbe(t, pid, gdb).Begin(); !errors.Is(err, ErrNoTorch) {
		t.Errorf("got %v, want %v", err, ErrNoTorch)
	}
}

// TestShut asks Pythons that were told not to be asked: it is said, and a debugger still gets into them, where one may be taken.
func TestShut(t *testing.T) {
	attachtest.Need(t, "gdb")
	python := pytorch.Latest(t).Path
	for name, command := range map[string][]string{
		"variable": {"env", "PYTHON_DISABLE_REMOTE_DEBUG=1", python, "-S", "-c", turning},
		"option":   {python, "-X", "disable-remote-debug", "-S", "-c", turning},
	} {
		t.Run(name, func(t *testing.T) {
			pid := start(t, command[0], command[1:]...)
			attachtest.Wait(t, func() bool { f, _, _ := locate(pid); return f.complete() })
			for _, c := range []struct {
				ways []Method
				want error
			}{{[]Method{remote{}}, ErrShut}, {[]Method{remote{}, gdb}, ErrNoTorch}} {
				p := newProbe(t, pid, c.ways...)
				if err := p.Begin(); !errors.Is(err, c.want) {
					t.Errorf("by %v: got %v, want %v", c.ways, err, c.want)
				}
				if len(c.ways) > 1 && (len(p.GivenUp) != 1 || !errors.Is(p.GivenUp[0].Err, ErrShut)) {
					t.Errorf("given up: %v", p.GivenUp)
				}
				if left, _ := filepath.Glob(p.Run + "/asked-*"); len(left) > 0 {
					t.Errorf("by %v: %q is left", c.ways, left)
				}
			}
		})
	}
}

// disturbed has threads that call malloc all the time, and signals that come all the time.
const disturbed = `
import signal, threading, time
def work():
    while True: [bytearray(1000) for _ in range(50)]; time.sleep(.0005)
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, .002, .002)
for _ in range(4): threading.Thread(target=work, daemon=True).start()
work()`

// TestDisturbed asks a program whose threads all meet the breakpoint, and which gets signals meanwhile.
func TestDisturbed(t *testing.T) {
	byDebuggers(t, func(t *testing.T, d debugger) {
		pid := start(t, "python3", "-S", "-c", disturbed)
		attachtest.Wait(t, func() bool { threads, _ := filepath.Glob(process.File(pid, "task/*")); return len(threads) == 5 })
		for range 5 {
			if err := newProbe(t, pid, d).Begin(); !errors.Is(err, ErrNoTorch) {
				t.Errorf("got %v, want %v", err, ErrNoTorch)
			}
		}
		if !process.Alive(pid) {
			t.Error("the program has ended of it")
		}
	})
}

// forking is a library that forks for two seconds, in which Python does not run and the asking waits, calls malloc in the children only, and
// returns how many of them failed.
const forking = `
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int forks(void) {
	int failed = 0, status;
	for (time_t end = time(0) + 2; time(0) < end; usleep(1000)) {
		pid_t child = fork();
		if (child == 0) { volatile char *p = malloc(100); _exit(p == 0); }
		waitpid(child, &status, 0);
		failed += status != 0;
	}
	return failed;
}`

// forks is a program that does so again and again until a file is there, and tells how many failed.
const forks = `
import ctypes, os, sys
library, told, enough = sys.argv[1:]
forks = ctypes.CDLL(library).forks
open(told + ".begun", "w").close()
failed = 0
while not os.path.exists(enough): failed += forks()
with open(told + ".part", "w") as file: file.write("%d" % failed)
os.rename(told + ".part", told)
` + turning

// TestForks asks a program that forks while the breakpoint stands: the children have none in their copy of the memory.
func TestForks(t *testing.T) {
	dir := t.TempDir()
	source, library := filepath.Join(dir, "forks.c"), filepath.Join(dir, "forks.so")
	if err := os.WriteFile(source, []byte(forking), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		t.Skipf("no C compiler: %v %s", err, out)
	}
	byDebuggers(t, func(t *testing.T, d debugger) {
		told := filepath.Join(dir, d.name)
		enough := told + ".enough"
		pid := start(t, "python3", "-S", "-c", forks, library, told, enough)
		attachtest.Wait(t, func() bool { _, err := os.Stat(told + ".begun"); return err == nil })
		if err := newProbe(t, pid, d).Begin(); !errors.Is(err, ErrNoTorch) {
			t.Errorf("got %v, want %v", err, ErrNoTorch)
		}
		if err := os.WriteFile(enough, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		attachtest.Wait(t, func() bool { _, err := os.Stat(told); return err == nil })
		if failed, err := os.ReadFile(told); err != nil || string(failed) != "0" {
			t.Errorf("%s children failed, %v", failed, err)
		}
	})
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

// TestBuiltIn asks a program of another name than an interpreter's, which is not started once more.
func TestBuiltIn(t *testing.T) {
	attachtest.Need(t, "gdb")
	python := pytorch.Latest(t).Path
	home, err := exec.Command(python, "-c", "import sys; print(sys.base_prefix)").Output()
	if err != nil {
		t.Fatal(err)
	}
	program, err := filepath.EvalSymlinks(python)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	trainer := filepath.Join(t.TempDir(), "trainer")
	if err := os.WriteFile(trainer, text, 0o700); err != nil {
		t.Fatal(err)
	}
	pid := start(t, "env", "PYTHONHOME="+strings.TrimSpace(string(home)), trainer, "-S", "-c", turning)
	attachtest.Wait(t, func() bool { f, _, _ := locate(pid); return f.complete() })
	if err := (remote{}).Available(pid); !errors.Is(err, ErrBuiltIn) {
		t.Errorf("got %v, want %v", err, ErrBuiltIn)
	}
	ways, err := Choose(pid, "auto")
	if err != nil || ways[0].Name() != "gdb" {
		t.Errorf("got %v, %v", ways, err)
	}
}

// TestInside finds a directory by the way of another root.
func TestInside(t *testing.T) {
	dir, pid := t.TempDir(), os.Getpid()
	for _, path := range []string{dir, strings.TrimSuffix(process.File(pid, "root"), "/") + dir} {
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

// TestWay checks which way is taken on a machine that has these programs, and what is said where there is none.
func TestWay(t *testing.T) {
	for _, c := range []struct{ programs, version, want string }{
		{"gdb lldb-server python3", "3.11.2", "gdb"},
		{"lldb-server python3", "3.13.1", "lldb"},
		{"", "3.14.0", "remote"},
		{"", "3.11.2", "a debugger, gdb or lldb, was not found"},
		{"lldb-server", "3.11.2", "a debugger, gdb or lldb, was not found"},
	} {
		path := t.TempDir()
		t.Setenv("PATH", path)
		for _, program := range strings.Fields(c.programs) {
			if err := os.WriteFile(filepath.Join(path, program), nil, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		way, err := Way(c.version)
		if err != nil {
			way = err.Error()
		}
		if way != c.want && !errors.Is(err, ErrRefused) {
			t.Errorf("Python %s with %q: %s, want %s", c.version, c.programs, way, c.want)
		}
		if err := lldb.here(); c.programs == "lldb-server" && err.Error() != "python3 was not found" {
			t.Errorf("lldb alone: %v", err)
		}
	}
}

// TestWeightiest checks which of the reasons is said: one that speaks of the process, where there is one.
func TestWeightiest(t *testing.T) {
	missing := fmt.Errorf("lldb-server %w", ErrNotFound)
	for _, c := range []struct {
		why  []error
		want error
	}{
		{[]error{ErrTooOld, ErrSymbols, missing}, ErrSymbols},
		{[]error{ErrTooOld, missing, ErrSymbols}, ErrSymbols},
		{[]error{ErrTooOld, missing, missing}, ErrNotFound},
		{[]error{missing}, ErrNotFound},
		{[]error{ErrTooOld}, ErrTooOld},
	} {
		if got := weightiest(c.why); !errors.Is(got, c.want) {
			t.Errorf("%v: %v", c.why, got)
		}
	}
}

// TestFits checks which programs are asked where.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		here    string
		program elf.Machine
		want    error
	}{
		{"amd64", elf.EM_X86_64, nil}, {"arm64", elf.EM_AARCH64, nil},
		{"amd64", elf.EM_386, ErrMachine}, {"arm64", elf.EM_ARM, ErrMachine}, {"riscv64", elf.EM_RISCV, ErrMachine}, {"riscv64", elf.EM_NONE, ErrMachine},
	} {
		if err := fits(c.here, c.program); !errors.Is(err, c.want) {
			t.Errorf("%v on %s: %v", c.program, c.here, err)
		}
	}
}

// TestElsewhere keeps lldb from a process in another PID namespace, which it would leave stopped.
func TestElsewhere(t *testing.T) {
	attachtest.Need(t, "lldb")
	if out, err := exec.Command("unshare", "--pid", "--fork", "true").CombinedOutput(); err != nil {
		t.Skipf("no namespaces here: %v %s", err, out)
	}
	box := start(t, "unshare", "--pid", "--fork", "--kill-child", "python3", "-S", "-c", "import time; time.sleep(600)")
	child := 0
	attachtest.Wait(t, func() bool {
		for _, pid := range process.All() {
			if parent, err := process.Parent(pid); err == nil && parent == box {
				child = pid
			}
		}
		f, _, _ := locate(child)
		return f.complete()
	})
	if err := lldb.Available(child); !errors.Is(err, ErrElsewhere) {
		t.Errorf("got %v, want %v", err, ErrElsewhere)
	}
}

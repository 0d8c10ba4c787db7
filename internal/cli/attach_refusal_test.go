package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/torchleak/torchleak/internal/attach"
	"github.com/torchleak/torchleak/internal/attach/attachtest"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/pytorch"
	"github.com/torchleak/torchleak/internal/recording"
)

// started starts a command that ends with the test.
func started(t *testing.T, name string, args ...string) int {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stderr = pytorch.Environ(), os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with all that it starts
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	return cmd.Process.Pid
}

// refusedWith checks what is said of a process that cannot be attached to, and that it stands as before.
func refusedWith(t *testing.T, pid int, sentences ...string) {
	t.Helper()
	refusedBy(t, "auto", pid, sentences...)
}

func refusedBy(t *testing.T, method string, pid int, sentences ...string) {
	t.Helper()
	before, _ := process.ReadStatus(pid)
	exit, said := attachMain(t, "--method", method, "--dir", filepath.Join(t.TempDir(), "recording"), strconv.Itoa(pid))
	said = strings.Join(strings.Fields(said), " ")
	if exit != exitFailed || slices.ContainsFunc(sentences, func(s string) bool { return !strings.Contains(said, s) }) {
		t.Errorf("exit status %d, want %d and %q: %s", exit, exitFailed, sentences, said)
	}
	if after, _ := process.ReadStatus(pid); after.Tracer != before.Tracer || (after.State == "T") != (before.State == "T") {
		t.Errorf("the process is %+v, was %+v", after, before)
	}
}

// inState waits until a process is in a state.
func inState(t *testing.T, pid int, state string) {
	t.Helper()
	attachtest.Wait(t, func() bool { s, _ := process.ReadStatus(pid); return s.State == state })
}

// asleep starts a command that soon waits.
func asleep(t *testing.T, name string, args ...string) int {
	t.Helper()
	pid := started(t, name, args...)
	inState(t, pid, "S")
	return pid
}

// TestAttachUnfit checks what is said of processes by how they stand.
func TestAttachUnfit(t *testing.T) {
	attachtest.Need(t, "gdb")
	t.Run("stopped", func(t *testing.T) {
		pid := started(t, "sleep", "600")
		_ = syscall.Kill(pid, syscall.SIGSTOP)
		inState(t, pid, "T")
		refusedWith(t, pid, "the process is stopped", "kill -CONT "+strconv.Itoa(pid))
	})
	t.Run("traced", func(t *testing.T) {
		pid := asleep(t, "sleep", "600")
		runtime.LockOSThread() // by which it is traced
		defer runtime.UnlockOSThread()
		if err := syscall.PtraceAttach(pid); err != nil {
			t.Skip(err)
		}
		defer func() { _ = syscall.PtraceDetach(pid) }()
		inState(t, pid, "t")
		refusedWith(t, pid, "another debugger is at the process: process "+strconv.Itoa(os.Getpid()), "end that first")
	})
	t.Run("ended", func(t *testing.T) {
		pid := started(t, "true")
		inState(t, pid, "Z")
		refusedWith(t, pid, "the process has ended", "pgrep")
	})
	t.Run("static build", func(t *testing.T) {
		dir := t.TempDir()
		source, python := filepath.Join(dir, "wait.c"), filepath.Join(dir, "python3.11")
		if err := os.WriteFile(source, []byte("#include <unistd.h>\nint main(void) { for (;;) pause(); }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cc", "-static", "-s", "-o", python, source).CombinedOutput(); err != nil {
			t.Skipf("no C library to be linked in: %v %s", err, out)
		}
		refusedWith(t, asleep(t, python), "whose functions cannot be found", "static or stripped", "torchleak run")
	})
	t.Run("no room", func(t *testing.T) {
		pid := asleep(t, "sh", "-c", "ulimit -n 12 && exec sleep 600")
		attachtest.Wait(t, func() bool { argv, _ := process.Command(pid); return argv[0] == "sleep" })
		refusedWith(t, pid, "may open hardly a file more", "prlimit --pid "+strconv.Itoa(pid)+" --nofile=1024.", "CAP_SYS_RESOURCE", "torchleak run")
	})
	t.Run("no PyTorch", func(t *testing.T) {
		pid := started(t, "python3", "-S", "-c", "import time; print(flush=True); time.sleep(600)")
		attachtest.Wait(t, func() bool { _, err := attach.Choose(pid, "auto"); return errors.Is(err, attach.ErrNoTorch) })
		refusedWith(t, pid, "the process has not imported torch", "process that trains")
	})
	t.Run("no Python", func(t *testing.T) {
		refusedWith(t, asleep(t, "sleep", "600"), "the process is no Python", "launcher")
	})
}

// TestAttachLauncher attaches to what has started trainings: at once where that is told by its command line, they are named.
func TestAttachLauncher(t *testing.T) {
	python := pytorch.Find(t)[0].Path
	dir := t.TempDir()
	rank := filepath.Join(dir, "rank.py")
	script := filepath.Join(dir, "torchrun")
	if err := errors.Join(
		os.WriteFile(rank, []byte("import sys, time, torch; open(sys.argv[1], 'w').close(); time.sleep(600)"), 0o600),
		os.WriteFile(script, []byte("import sys, subprocess, torch\nsubprocess.Popen([sys.executable] + sys.argv[1:]).wait()"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	for name, launcher := range map[string][]string{
		"torchrun": {python, script, rank},
		"a shell":  {"sh", "-c", `"$0" "$@"; true`, python, rank},
	} {
		t.Run(name, func(t *testing.T) {
			ready := filepath.Join(t.TempDir(), "ready")
			pid := started(t, launcher[0], append(launcher[1:], ready)...)
			attachtest.Wait(t, func() bool { _, err := os.Stat(ready); return err == nil })
			below := attach.Below(pid)
			if len(below) != 1 || attach.Above(below[0]) != map[string]int{"torchrun": pid}[name] {
				t.Fatalf("below it are %v", below)
			}
			why := map[string]string{"torchrun": "the process is a launcher", "a shell": "the process is no Python"}[name]
			refusedWith(t, pid, why, "Processes with PyTorch that it has started: "+strconv.Itoa(below[0])+".")
		})
	}
}

// TestAttachRefused checks what is said where the system keeps others out.
func TestAttachRefused(t *testing.T) {
	attachtest.Need(t, "gdb")
	if os.Geteuid() != 0 {
		t.Skip("only root can start processes that it must not attach to")
	}
	nobody := []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}
	t.Run("another user", func(t *testing.T) {
		pid := started(t, nobody[0], append(nobody[1:], "sleep", "600")...)
		attachtest.Wait(t, func() bool { s, _ := process.ReadStatus(pid); return s.UID == 65534 && s.State == "S" })
		refusedWith(t, pid, "belongs to another user", "sudo -u NAME")
	})
	t.Run("no capability", func(t *testing.T) {
		without := []string{"setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace", os.Args[0]}
		plays(t, without, "attach", "auto", asleep(t, "sleep", "600"), "does not let another program look at the process", "SYS_PTRACE")
	})
	for _, method := range []string{"gdb", "lldb"} {
		t.Run("no system call for "+method, func(t *testing.T) {
			attachtest.Need(t, method)
			training := attachtest.Start(t, pytorch.Find(t)[0].Path)
			plays(t, []string{os.Args[0]}, "attach without ptrace", method, training.PID, "does not let another program look at the process (", "SYS_PTRACE")
		})
	}
	t.Run("closed to others", func(t *testing.T) {
		// Where go test has this program, nobody cannot run it.
		open, err := os.MkdirTemp("", "torchleak-test-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(open) })
		program := filepath.Join(open, "cli.test")
		if err := errors.Join(os.Chmod(open, 0o755), os.Link(os.Args[0], program)); err != nil {
			t.Skip(err)
		}
		command := append(nobody, program)
		closed := part(command, "be closed")
		if err := closed.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = closed.Process.Kill(); _ = closed.Wait() })
		attachtest.Wait(t, func() bool {
			status, _ := process.ReadStatus(closed.Process.Pid)
			info, err := os.Stat(process.File(closed.Process.Pid, "status"))
			return err == nil && status.UID == 65534 && info.Sys().(*syscall.Stat_t).Uid == 0
		})
		plays(t, command, "attach", "auto", closed.Process.Pid, "lets no other program look at it", "PR_SET_DUMPABLE")
	})
}

// playing is the environment variable by which this program plays a part in a test of what is refused, the part's words between
// semicolons.
const playing = "TORCHLEAK_TEST_REFUSED"

// part is this program, started by a command, in a part.
func part(command []string, words ...string) *exec.Cmd {
	cmd := exec.Command(command[0], append(command[1:], "-test.run=^TestPart$")...)
	cmd.Env = append(os.Environ(), playing+"="+strings.Join(words, ";"))
	return cmd
}

// plays has the part attach and be refused with these sentences.
func plays(t *testing.T, command []string, name, method string, pid int, sentences ...string) {
	t.Helper()
	if out, err := part(command, append([]string{name, method, strconv.Itoa(pid)}, sentences...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPart is run by TestAttachRefused in processes that have other rights than that.
func TestPart(t *testing.T) {
	words := strings.Split(os.Getenv(playing), ";")
	switch words[0] {
	case "be closed":
		if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
	case "attach without ptrace":
		forbid(t, unix.SYS_PTRACE)
		fallthrough
	case "attach":
		pid, _ := strconv.Atoi(words[2])
		refusedBy(t, words[1], pid, words[3:]...)
	default:
		t.Skip("is run by TestAttachRefused")
	}
}

// forbid takes a system call from this process and those that it starts, as containers do: it fails with EPERM.
func forbid(t *testing.T, call uint32) {
	t.Helper()
	const number = 0 // where the call's number stands
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program))); err != 0 {
		t.Fatal(err)
	}
}

// What to do depends on the kernel's rule.
func TestWhoMay(t *testing.T) {
	for scope, want := range map[string]string{"": "SYS_PTRACE", "0": "SYS_PTRACE", "1": "sysctl", "2": "sysctl", "3": "torchleak run"} {
		if got := whoMay(scope); !strings.Contains(got, want) {
			t.Errorf("scope %q: %s", scope, got)
		}
	}
}

// container starts the training that attachtest has in a PID namespace and under a root of its own, as a container's.
const container = `
mount --bind / "$1"
mount -t tmpfs tmpfs "$1/tmp"
mount -t proc proc "$1/proc"
mount --bind /dev "$1/dev"
cat > "$1/tmp/train.py"
touch "$1/tmp/trains"
exec chroot "$1" "$2" /tmp/train.py /tmp/trains`

// TestAttachIntoContainer attaches from outside to a training that knows neither our files nor its own number here.
func TestAttachIntoContainer(t *testing.T) {
	attachtest.Need(t, "gdb")
	isolate := []string{"--pid", "--mount", "--fork", "--kill-child"}
	if out, err := exec.Command("unshare", append(slices.Clone(isolate), "true")...).CombinedOutput(); err != nil {
		t.Skipf("no namespaces here: %v %s", err, out)
	}
	t.Run("first", func(t *testing.T) { attachIntoContainer(t, isolate, pytorch.Find(t)[0].Path) })
	t.Run("latest", func(t *testing.T) { attachIntoContainer(t, isolate, pytorch.Latest(t).Path) })
}

func attachIntoContainer(t *testing.T, isolate []string, python string) {
	box := exec.Command("unshare", append(isolate, "sh", "-ec", container, "sh", t.TempDir(), python)...)
	box.Env, box.Stdin, box.Stderr = pytorch.Environ(), strings.NewReader(attachtest.Program), os.Stderr
	if err := box.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Process.Kill(); _ = box.Wait() })
	pid := 0
	attachtest.Wait(t, func() bool {
		pids := process.All()
		at := slices.IndexFunc(pids, func(n int) bool {
			parent, err := process.Parent(n)
			argv, _ := process.Command(n)
			return err == nil && parent == box.Process.Pid && len(argv) > 1 && argv[1] == "/tmp/train.py"
		})
		if at >= 0 {
			pid = pids[at]
		}
		return at >= 0
	})
	dir := filepath.Join("/proc", strconv.Itoa(pid), "root/tmp/torchleak")
	attachtest.Wait(t, func() bool { _, err := attach.Choose(pid, "auto"); return err == nil }) // it imports torch
	refusedWith(t, pid, "does not see the recording's directory", "--dir "+dir)

	exit, said := exitFailed, ""
	for deadline := time.Now().Add(3 * time.Minute); exit == exitFailed && time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		exit, said = attachMain(t, "--steps", "200", "--fail-on", "leak", "--dir", dir, strconv.Itoa(pid)) // until it has torch
	}
	if exit != exitFindings || !strings.Contains(said, "TL102") {
		t.Fatalf("exit status %d: %s", exit, said)
	}
	processes, errs := recording.Dir{Path: dir}.Processes()
	if len(errs) > 0 || len(processes) != 1 || processes[0].Hello.PID == pid {
		t.Fatalf("the recording has %+v, %v", processes, errs)
	}
	host, err := processes[0].LoadHost()
	if err != nil || host == nil || len(host.Processes) != 1 || host.Processes[0].PID != pid {
		t.Errorf("pages were read of %+v, %v", host, err)
	}
}

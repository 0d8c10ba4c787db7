package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd.Process.Pid
}

// refusedWith checks what is said of a process that cannot be attached to.
func refusedWith(t *testing.T, pid int, sentences ...string) {
	t.Helper()
	exit, said := attachMain(t, "--dir", filepath.Join(t.TempDir(), "recording"), strconv.Itoa(pid))
	said = strings.Join(strings.Fields(said), " ")
	if exit != exitFailed || slices.ContainsFunc(sentences, func(s string) bool { return !strings.Contains(said, s) }) {
		t.Errorf("exit status %d, want %d and %q: %s", exit, exitFailed, sentences, said)
	}
}

func TestAttachRefused(t *testing.T) {
	attachtest.Need(t, "gdb")
	if os.Geteuid() != 0 {
		t.Skip("only root can start processes that it must not attach to")
	}
	t.Run("another user", func(t *testing.T) {
		pid := started(t, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sleep", "600")
		attachtest.Wait(t, func() bool { s, _ := process.ReadStatus(pid); return s.UID == 65534 })
		refusedWith(t, pid, "belongs to another user", "sudo -u NAME")
	})
	t.Run("no capability", func(t *testing.T) {
		pid := started(t, "sleep", "600")
		without := exec.Command("setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace", os.Args[0], "-test.run=^TestAttachRefusedHere$")
		without.Env = append(os.Environ(), refusedPID+"="+strconv.Itoa(pid))
		if out, err := without.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

const refusedPID = "TORCHLEAK_TEST_REFUSED"

// TestAttachRefusedHere is run by TestAttachRefused in a process that may not look at others.
func TestAttachRefusedHere(t *testing.T) {
	pid, err := strconv.Atoi(os.Getenv(refusedPID))
	if err != nil {
		t.Skip("is run by TestAttachRefused")
	}
	refusedWith(t, pid, "does not let another program look at the process", "SYS_PTRACE")
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
	python := pytorch.Find(t)[0].Path
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

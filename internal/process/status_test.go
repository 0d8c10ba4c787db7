package process

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

// until waits for something to be so.
func until(t *testing.T, what string, reached func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !reached(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never came: ", what)
		}
	}
}

// TestStatus follows a process from its start to its end.
func TestStatus(t *testing.T) {
	cmd := exec.Command("sh", "-c", "while :; do :; done", "a b", "")
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "TORCHLEAK_TEST=here")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	pid := cmd.Process.Pid
	until(t, "the shell", func() bool { argv, _ := Command(pid); return slices.Equal(argv, cmd.Args) })
	s, err := ReadStatus(pid)
	if err != nil || s.Group != pid || s.Inside != pid || s.UID != os.Getuid() || s.Tracer != 0 || !Alive(pid) || !Exists(pid) {
		t.Errorf("the process is %+v, %v", s, err)
	}
	if _, cwd := Command(pid); cwd != cmd.Dir {
		t.Errorf("it runs in %s, want %s", cwd, cmd.Dir)
	}
	if !slices.Contains(All(), pid) || !StartedWith(pid, "TORCHLEAK_TEST", "here") || StartedWith(pid, "TORCHLEAK_TEST", "her") {
		t.Error("it is not found by what it was started with")
	}
	if parent, err := Parent(pid); parent != os.Getpid() || err != nil {
		t.Errorf("its parent is %d, %v", parent, err)
	}
	until(t, "some processor time", func() bool { stat, _ := ReadStat(pid); return stat.CPU >= 20*time.Millisecond })

	_ = cmd.Process.Signal(syscall.SIGSTOP)
	until(t, "the stop", func() bool { s, _ := ReadStatus(pid); return s.State == "T" })
	_ = cmd.Process.Kill()
	until(t, "the end", func() bool { stat, _ := ReadStat(pid); return stat.State == "Z" })
	if stat, _ := ReadStat(pid); Alive(pid) || !Exists(pid) || stat.Exit != int(syscall.SIGKILL) {
		t.Errorf("ended: %+v", stat)
	}
	_ = cmd.Wait()
	if _, err := ReadStatus(pid); !errors.Is(err, ErrEnded) || Exists(pid) {
		t.Errorf("gone: %v", err)
	}
}

// No process has such a number.
func TestStatusOfNone(t *testing.T) {
	for _, pid := range []int{-1, 0} {
		if _, err := ReadStatus(pid); !errors.Is(err, ErrEnded) || Alive(pid) || Exists(pid) {
			t.Errorf("%d: %v", pid, err)
		}
	}
}

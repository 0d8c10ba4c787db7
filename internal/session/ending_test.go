package session

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/torchleak/torchleak/internal/inject"
)

// tells reports whether the kernel tells whoever holds a process open how it ended, after its parent was told: 6.15 and newer.
func tells(t *testing.T) bool {
	t.Helper()
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor); err != nil {
		t.Fatal(err)
	}
	return major > 6 || major == 6 && minor >= 15
}

// The end of a process that is a child of another one is seen, whether or not that one has taken notice of it.
func TestEnding(t *testing.T) {
	for name, c := range map[string]struct {
		parent       string // what it does while the process ends
		end          func(pid int) error
		signal, exit int
	}{
		"killed":                    {"wait", func(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) }, 9, 137},
		"killed, nobody has looked": {"exec sleep 60", func(pid int) error { return syscall.Kill(pid, syscall.SIGSEGV) }, 11, 139},
		"failed":                    {"wait", func(pid int) error { return syscall.Kill(pid, syscall.SIGUSR1) }, 0, 7},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			parent := exec.Command("sh", "-c", `sh -c 'trap "exit 7" USR1; echo $$; while :; do sleep 0.05; done' & `+c.parent)
			parent.Env = append(os.Environ(), inject.RunDirectory+"="+dir)
			out, err := parent.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = parent.Process.Kill(); _ = parent.Wait() }()
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			if other := startedBelow(pid, dir+"-other"); other != nil {
				t.Fatal("a process of another run is watched")
			}
			e := startedBelow(pid, dir)
			defer e.close()
			if _, known := e.look(); known || e.over() {
				t.Fatal("it has ended before its end")
			}
			if err := c.end(pid); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
				if end, known := e.look(); known {
					if end.Signal != c.signal || end.Status != c.exit || end.Nanos == 0 {
						t.Errorf("%+v", end)
					}
					return
				}
				if e.over() && !tells(t) {
					t.Skip("this kernel tells the parent only, and that was faster")
				}
				if time.Now().After(deadline) {
					t.Fatal("nobody tells how it ended")
				}
			}
		})
	}
}

// A process that cannot be watched has no end that is known.
func TestNoEnding(t *testing.T) {
	e := startedBelow(ended(t), t.TempDir())
	if _, known := e.look(); known {
		t.Error("it is known how a process ended that was never there")
	}
	e.close()
}

// A process that becomes another program has ended for whom has put something into the one before; its number is the same.
func TestReplacedProgram(t *testing.T) {
	cmd := exec.Command("sh", "-c", "echo runs; read go; exec sleep 600")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil { // its stack has no place before
		t.Fatal(err)
	}
	probed, other := openProgram(cmd.Process.Pid), openEnding(cmd.Process.Pid)
	defer probed.close()
	defer other.close()
	if probed.stack == 0 {
		t.Skip("this system does not show where a stack begins")
	}
	if _, over := probed.look(); over || probed.told() != nil {
		t.Fatal("it has ended before it was told to")
	}
	if _, err := fmt.Fprintln(in, "go"); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !probed.over() && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	if end, over := probed.look(); !over || end.Status != 0 || end.Signal != 0 || probed.told() == nil {
		t.Errorf("the end is %+v, %v", end, over)
	}
	if other.over() {
		t.Error("a process of the run has ended, that may replace itself")
	}
}

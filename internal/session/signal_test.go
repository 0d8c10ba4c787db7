package session

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/recording"
)

// counting is a target that writes a line for every signal it gets.
const counting = `
import os, signal, sys, time
if "alone" in sys.argv:
    os.setsid()
def got(number, frame):
    os.write(1, b"got %d\n" % number)
for s in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
    signal.signal(s, got)
os.write(1, b"ready\n")
sys.stdin.read()
`

// terminal runs what follows it on a terminal of its own, presses Ctrl-C there when the target is ready, and lets it
// live for a second more.
const terminal = `
import os, pty, sys, threading, time
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""
while True:
    try:
        new = os.read(fd, 1000)
    except OSError:
        break
    if b"ready" in new:
        os.write(fd, b"\x03")
        threading.Timer(1.5, os.write, (fd, b"\n\x04")).start()
    seen += new
sys.stdout.write(seen.decode())
`

const asSession = "TORCHLEAK_TEST_SESSION"

// TestMain makes a session of this program where a test starts it as one: a signal to a process group would end the
// tests too.
func TestMain(m *testing.M) {
	if dir := os.Getenv(asSession); dir != "" {
		_, err := Run(Config{Argv: os.Args[1:], Dir: recording.Dir{Path: dir}, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr})
		if err != nil {
			fmt.Println(err)
		}
		return
	}
	os.Exit(m.Run())
}

// started is a session on a target that counts its signals.
type started struct {
	*exec.Cmd
	in  io.Closer
	out <-chan string // its lines
}

func start(t *testing.T, args ...string) *started {
	t.Helper()
	script := filepath.Join(t.TempDir(), "count.py")
	if err := os.WriteFile(script, []byte(counting), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], append([]string{"python3", script}, args...)...)
	cmd.Env = append(os.Environ(), asSession+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
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
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	s := &started{cmd, in, lines}
	if said := s.says(t); said != "ready" {
		t.Fatalf("the target says %q", said)
	}
	return s
}

// says is the target's next line; empty where there comes none.
func (s *started) says(t *testing.T) string {
	t.Helper()
	select {
	case line := <-s.out:
		return line
	case <-time.After(time.Minute):
		t.Error("the target says nothing for a minute")
		return ""
	}
}

// rest ends the target once no signal can be on its way any more, and returns what it got.
func (s *started) rest(t *testing.T) []string {
	t.Helper()
	time.Sleep(10 * settling)
	s.in.Close()
	var got []string
	for line := range s.out {
		got = append(got, line)
	}
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
	return got
}

// TestEverySignalOnce sends signals to torchleak alone and to its whole group: each comes to the target once.
func TestEverySignalOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{{"in one group", nil}, {"in a session of its own", []string{"alone"}}} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, c.args...)
			sent := []int{s.Process.Pid, -s.Process.Pid, -s.Process.Pid, s.Process.Pid}
			for i, to := range sent {
				if err := syscall.Kill(to, syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
				if said := s.says(t); said != "got 15" {
					t.Fatalf("signal %d: the target says %q", i, said)
				}
				time.Sleep(10 * settling) // two that come as one are one
			}
			if got := s.rest(t); len(got) > 0 {
				t.Errorf("the target got %q besides the %d signals sent", got, len(sent))
			}
		})
	}
}

// TestSignalsOfOneMoment sends two kinds at once to the group.
func TestSignalsOfOneMoment(t *testing.T) {
	s := start(t)
	for _, sig := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGTERM} {
		if err := syscall.Kill(-s.Process.Pid, sig); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.rest(t); len(got) != 2 {
		t.Errorf("the target got %q, want one of each", got)
	}
}

// TestKeyOfTerminal presses Ctrl-C.
func TestKeyOfTerminal(t *testing.T) {
	script := filepath.Join(t.TempDir(), "count.py")
	if err := os.WriteFile(script, []byte(counting), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", terminal, os.Args[0], "python3", script)
	cmd.Env = append(os.Environ(), asSession+"="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(out), "got 2"); n != 1 {
		t.Errorf("the target got Ctrl-C %d times: %q", n, out)
	}
}

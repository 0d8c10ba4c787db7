package session

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/inject"
	"github.com/torchleak/torchleak/internal/recording"
)

// TestStopTakesAll stops a command by its timeout; a child in a session of its own, which no signal to the command's
// process group reaches, must end too.
func TestStopTakesAll(t *testing.T) {
	dir := recording.Dir{Path: t.TempDir()}
	var reasons []StopReason
	r, err := Run(Config{
		Argv: []string{"sh", "-c", "setsid sleep 60 & exec sleep 60"}, Dir: dir, Timeout: 300 * time.Millisecond,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Stopping: func(reason StopReason) { reasons = append(reasons, reason) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stopped != StoppedByTimeout || r.Exit != 128+int(syscall.SIGINT) || len(reasons) != 1 {
		t.Errorf("stopped by %q with status %d, said %q; want an interrupt by the timeout", r.Stopped, r.Exit, reasons)
	}
	if left := leftover(dir.Path); left != nil {
		t.Errorf("%v still run", left)
	}
}

// TestStopGetsHarder stops commands that do not heed the first signals.
func TestStopGetsHarder(t *testing.T) {
	for traps, want := range map[string]syscall.Signal{
		"":                      syscall.SIGINT,
		"trap '' INT; ":         syscall.SIGTERM,
		"trap '' INT TERM HUP;": syscall.SIGKILL,
	} {
		t.Run(want.String(), func(t *testing.T) {
			dir := t.TempDir()
			cmd := exec.Command("sh", "-c", traps+"echo ready; exec sleep 60")
			cmd.Env = append(os.Environ(), inject.RunDirectory+"="+dir)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := bufio.NewReader(out).ReadString('\n'); err != nil { // the traps are set
				t.Fatal(err)
			}
			s := &session{config: Config{Dir: recording.Dir{Path: dir}}, cmd: cmd,
				stop: stopper{deadline: time.Now(), grace: 200 * time.Millisecond}}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for {
				select {
				case err := <-ended:
					var status *exec.ExitError
					if !errors.As(err, &status) || status.Sys().(syscall.WaitStatus).Signal() != want {
						t.Errorf("ended with %v, want %v", err, want)
					}
					return
				case <-time.After(10 * time.Millisecond):
					s.stop.drive(s, time.Now())
				}
			}
		})
	}
}

// TestStopWaitsForTheSlowest lets every process make its steps, unless one is far behind.
func TestStopWaitsForTheSlowest(t *testing.T) {
	for _, c := range []struct {
		slow, fast int64
		want       StopReason
	}{
		{0, 199, ""}, {0, 200, StoppedBySteps}, // one that makes no steps is not waited for
		{150, 200, ""}, {200, 260, StoppedBySteps}, {150, 400, StoppedBySteps},
	} {
		s := &session{watched: map[string]*watched{"slow": {}, "fast": {}}}
		for name, steps := range map[string]int64{"slow": c.slow, "fast": c.fast} {
			s.watched[name].header.Steps = steps
			s.watched[name].pid = os.Getpid()
		}
		p := stopper{steps: 200}
		if got := p.due(s, time.Now()); got != c.want {
			t.Errorf("after %d and %d of 200 steps: %q, want %q", c.slow, c.fast, got, c.want)
		}
	}
}

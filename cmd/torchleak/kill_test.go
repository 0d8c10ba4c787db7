package main

import (
	"encoding/json"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pytorch"
	"github.com/torchleak/torchleak/internal/recording"
)

// steps is a training that leaks and, after each optimizer step, says in a file how far it is.
const steps = `
import os, sys, torch
torch.manual_seed(0)
w = torch.randn(64, 64, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1e-6)
kept = []
fd = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY, 0o600)
for step in range(1, int(sys.argv[2]) + 1):
    loss = (w @ w).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept.append(loss)
    os.pwrite(fd, b"%8d" % step, 0)
`

// kills is how many random kills a test makes; TORCHLEAK_KILLS=100 is the figure of docs/benchmarks.md.
func kills(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("TORCHLEAK_KILLS")); err == nil {
		return n
	}
	return 2
}

// program returns the binary under test: TORCHLEAK_BIN where it is set, for machines without Go, else this one, which TestMain
// has put on PATH by that name.
func program(t *testing.T) string {
	t.Helper()
	if bin := os.Getenv("TORCHLEAK_BIN"); bin != "" {
		return bin
	}
	bin, err := exec.LookPath("torchleak")
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// said reads the step the training has said it is at.
func said(path string) int64 {
	b, _ := os.ReadFile(path)
	n, _ := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	return n
}

func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited a minute for %s", what)
}

type killed struct {
	cmd       *exec.Cmd
	dir       recording.Dir
	said      string
	trainings func() []recording.Process
}

func start(t *testing.T, bin, python string, n int) killed {
	t.Helper()
	base := t.TempDir()
	script := filepath.Join(base, "train.py")
	if err := os.WriteFile(script, []byte(steps), 0o600); err != nil {
		t.Fatal(err)
	}
	k := killed{dir: recording.Dir{Path: filepath.Join(base, "rec")}, said: filepath.Join(base, "said")}
	k.cmd = exec.Command(bin, "run", "--quiet", "--dir", k.dir.Path, "--", python, script, k.said, strconv.Itoa(n))
	k.cmd.Env = pytorch.Environ()
	k.cmd.Dir = base
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k.trainings = func() []recording.Process {
		ps, _ := k.dir.Processes()
		return ps
	}
	await(t, "the first steps", func() bool { return said(k.said) > 20 })
	return k
}

// TestKillTraining kills trainings with SIGKILL at random moments: the recording is readable to the last step.
func TestKillTraining(t *testing.T) {
	bin := program(t)
	random := rand.New(rand.NewSource(1))
	for _, python := range pytorch.Find(t) {
		for range kills(t) {
			k := start(t, bin, python.Path, 1_000_000)
			time.Sleep(time.Duration(random.Intn(300_000)) * time.Microsecond)
			pid := k.trainings()[0].Hello.PID
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			err := k.cmd.Wait()
			if code := k.cmd.ProcessState.ExitCode(); code != 137 {
				t.Errorf("exit status %d (%v), want 137", code, err)
			}
			reports, warnings := analysis.Recording(k.dir, finding.Tool{})
			if len(reports) != 1 || len(warnings) > 0 {
				t.Fatalf("%d reports, warnings %v", len(reports), warnings)
			}
			// The training says a step after the probe has written it, so at most one more is recorded.
			if got, at := reports[0].Steps.Seen, said(k.said); got < at || got > at+1 {
				t.Errorf("the recording ends at step %d, the training was at %d", got, at)
			}
		}
	}
}

// TestKillTorchleak kills torchleak with SIGKILL at random moments: the training goes on to its end, and the
// recording is readable.
func TestKillTorchleak(t *testing.T) {
	const n = 2500
	bin := program(t)
	random := rand.New(rand.NewSource(2))
	for _, python := range pytorch.Find(t) {
		for range kills(t) {
			k := start(t, bin, python.Path, n)
			time.Sleep(time.Duration(random.Intn(200_000)) * time.Microsecond)
			if err := k.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			k.cmd.Wait()
			await(t, "the training's end", func() bool { return said(k.said) == n })
			out, err := exec.Command(bin, "report", "--quiet", "--json", "-", k.dir.Path).Output()
			if err != nil {
				t.Fatalf("torchleak report: %v", err)
			}
			var r finding.Report
			if err := json.Unmarshal(out, &r); err != nil {
				t.Fatal(err)
			}
			if r.Steps.Seen != n {
				t.Errorf("the recording ends at step %d, the training at %d", r.Steps.Seen, n)
			}
		}
	}
}

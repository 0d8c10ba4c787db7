// Package attachtest starts trainings for tests that attach to them.
package attachtest

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/dev/engine"
	"github.com/torchleak/torchleak/internal/pytorch"
)

// Program is a training for as long as the file of its first argument is there.
//
//go:embed train.py
var Program string

// Need skips a test where there is none of a debugger, and fails it where TORCHLEAK_REQUIRE names it.
func Need(t testing.TB, debugger string) {
	t.Helper()
	programs := map[string]string{"gdb": "gdb", "lldb": "lldb-server"}
	engine.Need(t, programs[debugger], debugger)
}

// Training is a training that runs until it is ended.
type Training struct {
	PID    int
	t      testing.TB
	python string
	file   string // it goes on while this is there
	cmd    *exec.Cmd
	out    strings.Builder
}

// Start starts a training that keeps its losses and waits until it steps.
func Start(t testing.TB, python string) *Training { return start(t, python) }

// StartClean starts one that keeps nothing.
func StartClean(t testing.TB, python string) *Training { return start(t, python, "clean") }

// Pace is what a step takes of the processor's time, in seconds, over 200 steps that begin from now on.
func (tr *Training) Pace() (seconds float64) {
	tr.t.Helper()
	read := func() (step int) {
		text, _ := os.ReadFile(tr.file + ".pace")
		_, _ = fmt.Sscan(string(text), &step, &seconds)
		return step
	}
	const whole = 2 // one may have begun, and the file may be half written
	begun := read()
	Wait(tr.t, func() bool { return read() >= begun+whole*200 })
	return seconds
}

func start(t testing.TB, python string, words ...string) *Training {
	t.Helper()
	dir := t.TempDir()
	script := filepath.Join(dir, "train.py")
	if err := os.WriteFile(script, []byte(Program), 0o600); err != nil {
		t.Fatal(err)
	}
	tr := &Training{t: t, python: python, file: filepath.Join(dir, "trains")}
	tr.cmd = exec.Command(python, append([]string{script, tr.file}, words...)...)
	tr.cmd.Env = pytorch.Environ()
	tr.cmd.Stdout, tr.cmd.Stderr = &tr.out, &tr.out
	if err := tr.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.cmd.Process.Kill() })
	tr.PID = tr.cmd.Process.Pid
	Wait(t, func() bool { _, err := os.Stat(tr.file); return err == nil })
	return tr
}

// End has the training end, and checks that it did as it would have without anybody at it: the same words, the same weights.
func (tr *Training) End() {
	tr.t.Helper()
	_ = os.Remove(tr.file)
	if err := tr.cmd.Wait(); err != nil {
		tr.t.Fatalf("the training failed: %v\n%s", err, tr.out.String())
	}
	words := strings.Fields(tr.out.String())
	if len(words) < 3 || words[0] != "trained" {
		tr.t.Fatalf("the training said %.2000q", tr.out.String())
	}
	if _, err := strconv.Atoi(words[1]); err != nil {
		tr.t.Fatal(err)
	}
	alone := exec.Command(tr.python, append(tr.cmd.Args[1:], words[1])...)
	alone.Env = pytorch.Environ()
	want, err := alone.Output()
	if err != nil {
		tr.t.Fatal(err)
	}
	if got := tr.out.String(); got != string(want) {
		tr.t.Errorf("the training said %.200q, alone %.200q", got, want)
	}
}

// Wait waits for something to be so.
func Wait(t testing.TB, reached func() bool) {
	t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); !reached(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited for three minutes")
		}
	}
}

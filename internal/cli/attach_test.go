package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/torchleak/torchleak/internal/attach/attachtest"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pytorch"
	"github.com/torchleak/torchleak/internal/recording"
)

// attachMain runs the command and returns its exit status and what it said.
func attachMain(t *testing.T, args ...string) (int, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stderr")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	exit := Main(append([]string{"attach"}, args...), Stdio{In: nil, Out: f, Err: f})
	f.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return exit, string(text)
}

// reportOf is the report in a recording.
func reportOf(t *testing.T, dir string) (r finding.Report) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// signalWhenRecorded sends a signal once samples are recorded.
func signalWhenRecorded(t *testing.T, dir string, pid int, signal syscall.Signal) {
	attachtest.Wait(t, func() bool { found, _ := filepath.Glob(dir + "/*.samples"); return len(found) > 0 })
	_ = syscall.Kill(pid, signal)
}

// TestAttach attaches to a training that keeps its losses: the statement and the holder are named, and the training
// goes on as without.
func TestAttach(t *testing.T) {
	attachtest.Need(t, "gdb")
	pytorch.Each(t, func(t *testing.T, python pytorch.Python) {
		dir := filepath.Join(t.TempDir(), "recording")
		training := attachtest.Start(t, python.Path)
		exit, said := attachMain(t, "--steps", "200", "--fail-on", "leak", "--dir", dir, strconv.Itoa(training.PID))
		if exit != exitFindings {
			t.Fatalf("exit status %d: %s", exit, said)
		}
		for _, want := range []string{"the probe is in process", "letting process", "what was allocated before is not known", "Let go at step", "Attaching stopped the target for"} {
			if !strings.Contains(strings.Join(strings.Fields(said), " "), want) {
				t.Errorf("nothing of %q is in %s", want, said)
			}
		}
		r := reportOf(t, dir)
		if r.Verdict != finding.Leak || len(r.Findings) == 0 || r.Findings[0].Rule != "TL102" || r.Findings[0].Holder.Path != "__main__.history" {
			t.Errorf("got %+v", r)
		}
		stood := r.Target.Attached
		if stood == nil || !stood.LetGo || stood.StoppedSeconds <= 0 {
			t.Errorf("it was attached to as %+v", stood)
		}
		if r.Target.Exit != nil || r.Target.End != nil || r.Target.PID != training.PID {
			t.Errorf("the target is %+v", r.Target)
		}
		// It goes on, but its recording does not.
		if run, err := (recording.Dir{Path: dir}).LoadRun(); err != nil || run.Stopped != "steps" || goesOn(run) || run.StoppedSeconds != stood.StoppedSeconds {
			t.Errorf("the run is %+v, %v", run, err)
		}
		training.End()
		if exit, said := attachMain(t, strconv.Itoa(training.PID)); exit != exitFailed || !strings.Contains(said, "there is no process of this number") {
			t.Errorf("once it has ended: %d, %s", exit, said)
		}
	})
}

// TestAttachWorkers attaches to a training whose loader workers were started long before, and keep what they hand out: they have no probe in
// them, and are judged by their pages.
func TestAttachWorkers(t *testing.T) {
	attachtest.Need(t, "gdb")
	pytorch.Each(t, func(t *testing.T, python pytorch.Python) {
		script := filepath.Join(t.TempDir(), "train.py")
		ready := filepath.Join(t.TempDir(), "ready")
		if err := os.WriteFile(script, []byte(`
import sys, torch
from torch.utils.data import DataLoader, Dataset

class Crops(Dataset):
    def __init__(self):
        self.made = []
    def __len__(self):
        return 1 << 30
    def __getitem__(self, index):
        crop = torch.randn(16, 1024)
        self.made.append(crop)
        return crop

def main():
    model = torch.nn.Linear(1024, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    for i, x in enumerate(DataLoader(Crops(), batch_size=2, num_workers=2)):
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
        if i == 20:
            open(sys.argv[1], "w").close()

if __name__ == "__main__":  # Python 3.14 starts workers anew
    main()
`), 0o600); err != nil {
			t.Fatal(err)
		}
		pid := started(t, python.Path, script, ready)
		attachtest.Wait(t, func() bool { _, err := os.Stat(ready); return err == nil })
		dir := filepath.Join(t.TempDir(), "recording")
		exit, said := attachMain(t, "--steps", "600", "--duration", "2m", "--fail-on", "leak", "--dir", dir, strconv.Itoa(pid))
		if exit != exitFindings || !strings.Contains(said, "worker:0") || !strings.Contains(said, "self.made.append(crop)") || !strings.Contains(said, "Crops.made") {
			t.Errorf("exit status %d: %s", exit, said)
		}
	})
}

// TestAttachUntilItsEnd checks that the end of the training is seen and said, also in the recording: it may be killed under the watch.
func TestAttachUntilItsEnd(t *testing.T) {
	attachtest.Need(t, "gdb")
	dir := filepath.Join(t.TempDir(), "recording")
	training := attachtest.Start(t, pytorch.Find(t)[0].Path)
	go signalWhenRecorded(t, dir, training.PID, syscall.SIGKILL)
	exit, said := attachMain(t, "--dir", dir, strconv.Itoa(training.PID))
	if exit != exitOK || strings.Contains(said, "So far") || strings.Contains(said, "letting process") {
		t.Errorf("exit status %d: %s", exit, said)
	}
	run, err := (recording.Dir{Path: dir}).LoadRun()
	if err != nil || !run.Ended || !run.Over() || run.LetGo() {
		t.Errorf("the run is %+v, %v", run, err)
	}
	r := reportOf(t, dir)
	// Before Linux 6.15 the kernel says how it ended to its parent alone.
	if end := r.Target.End; end == nil || end.How != finding.Killed && end.How != finding.Vanished || end.How == finding.Killed && end.Signal != "SIGKILL" {
		t.Errorf("the end is %+v", end)
	}
}

// TestAttachNextWay attaches to a Python that was told not to be asked: a debugger gets in, and why is said.
func TestAttachNextWay(t *testing.T) {
	attachtest.Need(t, "gdb")
	t.Setenv("PYTHON_DISABLE_REMOTE_DEBUG", "1")
	training := attachtest.Start(t, pytorch.Latest(t).Path)
	exit, said := attachMain(t, "--steps", "40", "--dir", filepath.Join(t.TempDir(), "recording"), strconv.Itoa(training.PID))
	if exit != exitOK || !strings.Contains(said, "not by remote: the process's Python was told not to be asked") || !strings.Contains(said, "by gdb") {
		t.Errorf("exit status %d: %s", exit, said)
	}
	training.End()
}

// TestAttachToldToEnd checks that a signal to torchleak is not the training's.
func TestAttachToldToEnd(t *testing.T) {
	attachtest.Need(t, "gdb")
	dir := filepath.Join(t.TempDir(), "recording")
	training := attachtest.Start(t, pytorch.Find(t)[0].Path)
	go signalWhenRecorded(t, dir, os.Getpid(), syscall.SIGINT)
	if exit, said := attachMain(t, "--dir", dir, strconv.Itoa(training.PID)); exit != exitOK || !strings.Contains(said, "letting process") {
		t.Errorf("exit status %d: %s", exit, said)
	}
	training.End()
}

// TestAttachWithoutSteps attaches to what makes none: it is not said to have been stopped.
func TestAttachWithoutSteps(t *testing.T) {
	attachtest.Need(t, "gdb")
	ready := filepath.Join(t.TempDir(), "ready")
	pid := started(t, pytorch.Find(t)[0].Path, "-c", `
import sys, time, torch
open(sys.argv[1], "w").close()
while True:
    time.sleep(.001)
    bytearray(1000)`, ready)
	attachtest.Wait(t, func() bool { _, err := os.Stat(ready); return err == nil })
	exit, said := attachMain(t, "--duration", "1s", "--dir", filepath.Join(t.TempDir(), "recording"), strconv.Itoa(pid))
	if exit != exitFailed || !strings.Contains(said, "no step was seen in the time given, the training goes on") || !strings.Contains(said, "--duration") {
		t.Errorf("exit status %d: %s", exit, said)
	}
}

// TestAttachHelper attaches to a loader worker, and lets it go by a signal: the training is named, and nothing else made the reason.
func TestAttachHelper(t *testing.T) {
	attachtest.Need(t, "gdb")
	dir := t.TempDir()
	recorded, script := filepath.Join(dir, "recording"), filepath.Join(dir, "train.py")
	if err := os.WriteFile(script, []byte(`
import os, sys, time, torch
if not os.fork():
    open(sys.argv[1], "w").write(str(os.getpid()))
    while True:
        time.sleep(.001)
        bytearray(1000)
time.sleep(600)`), 0o600); err != nil {
		t.Fatal(err)
	}
	ready := filepath.Join(dir, "ready")
	pid := started(t, pytorch.Find(t)[0].Path, script, ready)
	worker := ""
	attachtest.Wait(t, func() bool { text, _ := os.ReadFile(ready); worker = string(text); return worker != "" })
	go func() {
		attachtest.Wait(t, func() bool { run, err := (recording.Dir{Path: recorded}).LoadRun(); return err == nil && run.Attached })
		_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
	}()
	exit, said := attachMain(t, "--dir", recorded, worker)
	said = strings.Join(strings.Fields(said), " ")
	if exit != exitFailed || !strings.Contains(said, "no step was seen") || strings.Contains(said, "could not record") ||
		!strings.Contains(said, "process "+strconv.Itoa(pid)+", which has started it,") {
		t.Errorf("exit status %d: %s", exit, said)
	}
}

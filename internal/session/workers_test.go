package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

// running starts a process that lives until the test ends or end is called.
func running(t *testing.T) (pid int, end func()) {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	t.Cleanup(end)
	return cmd.Process.Pid, end
}

// Each worker has a place; the next one takes that of one that has ended; a step is looked at once.
func TestPlacesOfWorkers(t *testing.T) {
	first, end := running(t)
	second, _ := running(t)
	l := loaders{path: filepath.Join(t.TempDir(), "7-1.workers")}
	l.add(first)
	l.add(second)
	now := time.Now()
	var seen []string
	look := func(step int64) {
		t.Helper()
		seen = nil
		now = now.Add(time.Second)
		err := l.look(now, step, func(s memory.Sample) {
			seen = append(seen, s.Memory)
			if s.Step != step || s.Nanos <= 0 || s.V[memory.HostAnon] <= 0 || s.V[memory.WorkerPID] <= 0 {
				t.Errorf("%+v", s)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want ...string) {
		t.Helper()
		if len(seen) != len(want) || len(want) > 0 && (seen[0] != want[0] || seen[len(seen)-1] != want[len(want)-1]) {
			t.Errorf("saw %v, want %v", seen, want)
		}
	}
	look(1)
	expect("worker:0", "worker:1")
	look(1)
	expect()
	end()
	l.add(os.Getpid())
	look(2)
	expect("worker:0", "worker:1")
	if l.workers[0].pid != os.Getpid() {
		t.Error("the place of one that has ended was not taken")
	}
	l.workers[0] = &worker{pid: first}
	look(3)
	expect("worker:1")
	l.add(os.Getpid())
	look(4)
	expect("worker:0", "worker:1")
}

// What a worker has of its parent is none of its own: only what is taken later counts.
func TestOwnOfAWorker(t *testing.T) {
	w := &worker{pid: os.Getpid()}
	now := time.Now()
	before, err := w.read(now)
	if err != nil {
		t.Fatal(err)
	}
	if own, private := before.V[memory.WorkerOwn], before.V[memory.WorkerPrivate]; own < private*9/10 || own > private*11/10 {
		t.Errorf("own %d at first, private %d", own, private)
	}
	w.base += 1 << 30 // as if so much were shared
	after, err := w.read(now)
	if err != nil {
		t.Fatal(err)
	}
	if after.V[memory.WorkerPrivate] != memory.Absent {
		t.Error("private pages were counted again at once")
	}
	if lost := before.V[memory.WorkerOwn] - after.V[memory.WorkerOwn]; lost < 1<<30-64<<20 {
		t.Errorf("own fell by %d", lost)
	}
}

// A worker belongs to the nearest process above it that makes steps, whatever stands between them.
func TestTrainerOfAWorker(t *testing.T) {
	dir := recording.Dir{Path: t.TempDir()}
	cmd := exec.Command("sh", "-c", "sleep 600 & echo $!; wait")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 32)
	n, _ := out.Read(b)
	pid := 0
	for _, c := range b[:n] {
		if c >= '0' && c <= '9' {
			pid = 10*pid + int(c-'0')
		}
	}
	t.Cleanup(func() {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	hello := func(key string, h recording.Hello) *watched {
		return newWatched(recording.Process{Key: key, Hello: h}, analysis.Options{})
	}
	data := &recording.Dataset{Class: "Data"}
	trainer := hello("a", recording.Hello{PID: os.Getpid(), Role: "unknown"})
	grandchild := hello("b", recording.Hello{PID: pid, Role: "worker", Dataset: data})
	compiler := hello("c", recording.Hello{PID: pid, Role: "worker"})
	s := &session{config: Config{Dir: dir}, watched: map[string]*watched{"a": trainer, "b": grandchild, "c": compiler}}
	s.adopt(grandchild)
	if grandchild.adopted {
		t.Error("adopted before anything has made a step")
	}
	trainer.recorder = &flight.Recorder{}
	s.adopt(grandchild)
	s.adopt(grandchild)
	s.adopt(compiler)
	if len(trainer.loaders.workers) != 1 || trainer.loaders.workers[0].pid != pid {
		t.Errorf("workers %v, want %d alone", trainer.loaders.workers, pid)
	}
}

// What was seen of workers is read back from the recording.
func TestRecordingOfWorkers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "7-1.workers")
	l := loaders{path: path}
	l.add(os.Getpid())
	now := time.Now()
	const steps = 40
	for step := int64(1); step <= steps; step++ {
		now = now.Add(time.Second)
		if err := l.look(now, step, func(memory.Sample) {}); err != nil {
			t.Fatal(err)
		}
	}
	l.close()
	st, err := os.Stat(path)
	if err != nil || st.Size() != (steps+1)*flight.RecordSize {
		t.Errorf("%v, %v", st, err)
	}
}

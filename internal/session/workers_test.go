package session

import (
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// at are the times of steps that are made one by one.
func at(steps ...int64) *stepTimes {
	var t stepTimes
	for _, step := range steps {
		t.add(monotonic(), step)
	}
	return &t
}

// nowhere is the path of a recorder that is not there.
func nowhere(t *testing.T) string { return filepath.Join(t.TempDir(), "8-1.batches") }

// Each worker has a place; the next one takes that of one that has ended.
func TestPlacesOfWorkers(t *testing.T) {
	first, end := running(t)
	second, _ := running(t)
	l := loaders{path: filepath.Join(t.TempDir(), "7-1.workers")}
	l.add(first, nowhere(t))
	l.add(second, nowhere(t))
	now := time.Now()
	var seen []string
	batches := map[string]int64{}
	look := func(step int64) {
		t.Helper()
		seen = nil
		now = now.Add(time.Second)
		err := l.look(now, at(step), func(s memory.Sample) {
			seen = append(seen, s.Memory)
			if s.Step != step || s.Nanos <= 0 || s.V[memory.HostAnon] <= 0 || s.V[memory.WorkerPID] <= 0 {
				t.Errorf("%+v", s)
			}
			if batch := s.V[memory.WorkerBatch]; batch <= batches[s.Memory] {
				t.Errorf("%s: batch %d after %d", s.Memory, batch, batches[s.Memory])
			}
			batches[s.Memory] = s.V[memory.WorkerBatch]
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
	end()
	look(2)
	expect("worker:1")
	l.add(os.Getpid(), nowhere(t))
	look(3)
	expect("worker:0", "worker:1")
	if l.workers[0].pid != os.Getpid() {
		t.Error("the place of one that has ended was not taken")
	}
}

// recorder writes a recorder of batches with these bytes of the heap, one each.
func recorder(t *testing.T, heap ...int64) string {
	t.Helper()
	b := make([]byte, flight.HeaderSize+len(heap)*flight.RecordSize)
	copy(b, "TLKFLT01")
	le := binary.LittleEndian
	for i, v := range []uint32{1, flight.HeaderSize, flight.RecordSize, uint32(len(heap))} {
		le.PutUint32(b[8+4*i:], v)
	}
	le.PutUint32(b[28:], 1)
	le.PutUint64(b[32:], uint64(len(heap)))
	copy(b[256:], "host")
	for i, used := range heap {
		s := unread()
		s.Step, s.Nanos, s.V[memory.HostUsed] = int64(i+1), monotonic(), used
		flight.Encode(b[flight.HeaderSize+i*flight.RecordSize:], uint64(i+1), 0, &s)
	}
	path := filepath.Join(t.TempDir(), "8-1.batches")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// All batches of a worker are read, however many the trainer did not wait for, also those of one that has ended since: a
// machine that is fast is done before anybody looks.
func TestBatchesOfAWorker(t *testing.T) {
	pid, end := running(t)
	end()
	l := loaders{path: filepath.Join(t.TempDir(), "7-1.workers")}
	path := recorder(t, 5<<20, 6<<20, memory.Absent, 8<<20)
	l.add(pid, path)
	var own, batches []int64
	err := l.look(time.Now(), at(3), func(s memory.Sample) {
		own, batches = append(own, s.V[memory.WorkerOwn]), append(batches, s.V[memory.WorkerBatch])
	})
	if err != nil {
		t.Fatal(err)
	}
	// What the heap had at the first batch it had of its parent.
	if want := []int64{0, 1 << 20, memory.Absent, 3 << 20}; !slices.Equal(own, want) || !slices.Equal(batches, []int64{1, 2, 3, 4}) {
		t.Errorf("own %v at batches %v, want %v", own, batches, want)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("the recorder of a worker that has ended is kept")
	}
	if l.workers[0] != nil {
		t.Error("one that has ended keeps its place")
	}
	l.add(os.Getpid(), nowhere(t))
	if w := l.workers[0]; w == nil || w.before != 4 {
		t.Errorf("the next one in its place begins at %+v", w)
	}
}

// A worker that tells of no batches, as one that was started before torchleak came, is looked at from outside: once a step of the trainer's at most,
// which is its clock.
func TestWorkerWithoutBatches(t *testing.T) {
	l := loaders{path: filepath.Join(t.TempDir(), "7-1.workers")}
	l.add(os.Getpid(), nowhere(t))
	l.made[0], l.workers[0].before = 40, 40 // by the one before it
	var steps stepTimes
	var batches, trainers []int64
	for i, step := range []int64{300, 300, 301, 305} {
		steps.add(monotonic(), step)
		err := l.look(time.Now().Add(time.Duration(i)*time.Minute), &steps, func(s memory.Sample) {
			if own, ok := s.Get(memory.WorkerOwn); !ok || own <= 0 {
				t.Errorf("own is %d", own)
			}
			batches, trainers = append(batches, s.V[memory.WorkerBatch]), append(trainers, s.Step)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(batches, []int64{41, 42, 46}) || !slices.Equal(trainers, []int64{300, 301, 305}) {
		t.Errorf("batches %v in steps %v", batches, trainers)
	}
}

// When a step of the trainer's was made, what came before the first, and what is older than what is remembered.
func TestStepTimes(t *testing.T) {
	var times stepTimes
	if got := times.at(7); got != 1 {
		t.Errorf("before the first step: %d", got)
	}
	const steps = timesKept + 100
	for i := int64(1); i <= steps; i++ {
		times.add(10*i, i)
	}
	for nanos, want := range map[int64]int64{10 * steps: steps, 10*steps + 9: steps, 10*steps - 1: steps - 1, 0: 101} {
		if got := times.at(nanos); got != want {
			t.Errorf("at %d: step %d, want %d", nanos, got, want)
		}
	}
}

// What a worker has of its parent is none of its own: only what is taken later counts.
func TestOwnOfAWorker(t *testing.T) {
	w := &worker{pid: os.Getpid()}
	now := time.Now()
	look := func() *memory.Sample {
		t.Helper()
		if err := w.lookOutside(now, 1); err != nil {
			t.Fatal(err)
		}
		now = now.Add(lookEarly)
		return w.pages
	}
	before := look()
	if own, private := before.V[memory.WorkerOwn], before.V[memory.WorkerPrivate]; own < private*9/10 || own > private*11/10 {
		t.Errorf("own %d at first, private %d", own, private)
	}
	w.base += 1 << 30                 // as if so much were shared
	w.privateDue = now.Add(time.Hour) // whatever the last one cost
	after := look()
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
		return newWatched(recording.Process{Key: key, Hello: h}, h.PID, analysis.Options{})
	}
	data := &recording.Dataset{Class: "Data"}
	trainer := hello("a", recording.Hello{PID: os.Getpid(), Role: "unknown"})
	grandchild := hello("b", recording.Hello{PID: pid, PPID: cmd.Process.Pid, Role: "worker", Dataset: data})
	compiler := hello("c", recording.Hello{PID: pid, PPID: cmd.Process.Pid, Role: "worker"})
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

// What was seen of workers is written down: a header, and a record a batch.
func TestRecordingOfWorkers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "7-1.workers")
	l := loaders{path: path}
	heap := make([]int64, 40)
	l.add(os.Getpid(), recorder(t, heap...))
	if err := l.look(time.Now(), at(1), func(memory.Sample) {}); err != nil {
		t.Fatal(err)
	}
	l.close()
	st, err := os.Stat(path)
	if err != nil || st.Size() != int64(len(heap)+1)*flight.RecordSize {
		t.Errorf("%v, %v", st, err)
	}
}

// Counting private pages takes one part of the time for all workers together, but for the first few counts of each.
func TestPrivatePagesAreCountedSeldom(t *testing.T) {
	w := &worker{pid: os.Getpid()}
	now := time.Now()
	for n := 1; n <= 2*fewCounts; n++ {
		if err := w.lookOutside(now, 8); err != nil {
			t.Fatal(err)
		}
		part := partEarly
		if n > fewCounts {
			part *= 8
		}
		if wait := w.privateDue.Sub(now); w.counts != n || wait != time.Duration(part)*w.cost {
			t.Fatalf("count %d of %d: the next one in %v, one took %v", w.counts, n, wait, w.cost)
		}
		if now = w.privateDue; w.due.After(now) {
			now = w.due
		}
	}
}

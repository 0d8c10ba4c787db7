package session

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// loaders are the loader workers of one trainer, each in a place of its own as long as it runs. Each tells of its heap at
// its own batches; its pages are looked at from outside.
type loaders struct {
	workers []*worker // nil where the one that had the place has ended
	made    []int64   // batches in each place, by all that have had it
	samples *recording.SampleWriter
	path    string
	written uint64
	full    bool // nothing could be written any more, as on a full disk
}

// worker is one loader worker.
type worker struct {
	pid        int
	path       string           // of the recorder of its batches
	batches    *flight.Recorder // nil where there is none: on a full disk
	looks      int
	before     int64 // batches that were made in its place before it came
	since      int64 // the trainer's step at the first look
	due        time.Time
	privateDue time.Time
	cost       time.Duration  // of counting its private pages
	counts     int            // … how often that was done
	base       int64          // anonymous pages that it had of its parent at the first look
	owned      int64          // what it had for itself then
	heap       int64          // bytes of its heap at its first batch, memory.Absent before
	pages      *memory.Sample // what was read from outside since its last batch
}

// How often a worker is looked at: densely at first, for most leaks are found by then. Its private pages are dear to
// count: that may take one part in so many of the time, for all workers together. The first counts of each come as if it were
// the only one, since it takes several to tell growth.
const (
	denseLooks = 1000
	lookEarly  = 5 * time.Millisecond
	lookLater  = 250 * time.Millisecond
	partEarly  = 10
	partLater  = 100
	fewCounts  = 32
)

// add gives a worker the first place that is free: that of one of the epoch before, where each epoch has new ones.
func (l *loaders) add(pid int, batches string) {
	w := &worker{pid: pid, path: batches, heap: memory.Absent}
	for i, before := range l.workers {
		if before == nil {
			w.before, l.workers[i] = l.made[i], w
			return
		}
	}
	if len(l.workers) < memory.MaxWorkers {
		l.workers, l.made = append(l.workers, w), append(l.made, 0)
	}
}

// look reads the workers, and hands on what each was at its batches.
func (l *loaders) look(now time.Time, steps *stepTimes, observe func(memory.Sample)) error {
	var errs error
	running := l.running()
	for i, w := range l.workers {
		if w == nil {
			continue
		}
		ended := w.lookOutside(now, running) != nil
		errs = errors.Join(errs, w.drain(steps, func(s memory.Sample) {
			if s.V[memory.WorkerBatch] <= l.made[i] {
				return
			}
			l.made[i] = s.V[memory.WorkerBatch]
			s.Step, s.Memory = steps.at(s.Nanos), memory.Worker(i)
			observe(s)
			errs = errors.Join(errs, l.record(i, &s))
		}))
		if ended {
			w.close()
			l.workers[i] = nil
		}
	}
	return errs
}

// running is how many workers there are.
func (l *loaders) running() (n int) {
	for _, w := range l.workers {
		if w != nil {
			n++
		}
	}
	return n
}

// lookOutside reads the worker's pages when that is due, one of so many. The error says that it has ended.
func (w *worker) lookOutside(now time.Time, among int) error {
	if now.Before(w.due) {
		return nil
	}
	m, err := process.Read(w.pid)
	if err != nil {
		return err
	}
	s := unread()
	s.Nanos = monotonic()
	s.V[memory.HostRSS], s.V[memory.HostAnon], s.V[memory.HostShm], s.V[memory.HostFile] = m.RSS, m.Anon, m.Shm, m.File
	s.V[memory.WorkerPID] = int64(w.pid)
	if !now.Before(w.privateDue) {
		w.readPrivate(now, among, &s)
	}
	s.V[memory.WorkerOwn] = m.Anon - w.base
	if w.looks == 0 {
		w.owned = s.V[memory.WorkerOwn]
	}
	w.looks++
	w.due = now.Add(lookLater)
	if w.looks < denseLooks {
		w.due = now.Add(lookEarly)
	}
	w.pages = &s
	return nil
}

// unread is a sample in which nothing was read.
func unread() memory.Sample {
	s := memory.Sample{}
	for i := range s.V {
		s.V[i] = memory.Absent
	}
	return s
}

// drain hands on what the worker was at its batches since the last time. Where it tells of none, as one that was started before torchleak
// came, each step of the trainer counts as one: as many are made as are used up.
func (w *worker) drain(steps *stepTimes, observe func(memory.Sample)) error {
	if w.batches == nil {
		rec, err := flight.OpenReadOnly(w.path)
		if err != nil && w.pages != nil {
			s := *w.pages
			step := steps.at(s.Nanos)
			if w.since == 0 {
				w.since = step
			}
			w.pages, s.V[memory.WorkerBatch] = nil, w.before+1+step-w.since
			observe(s)
		}
		if err != nil {
			return nil
		}
		w.batches = rec
	}
	_, err := w.batches.Drain(func(rec flight.Record) { observe(w.joined(rec.Sample)) })
	return err
}

// joined is what the worker told of itself at a batch with what was seen of it from outside since the one before. What it
// has for itself is told by its heap, exactly; by its pages where a heap cannot be read.
func (w *worker) joined(s memory.Sample) memory.Sample {
	used, known := s.Get(memory.HostUsed)
	s.V[memory.WorkerOwn], s.V[memory.WorkerPrivate] = memory.Absent, memory.Absent
	s.V[memory.WorkerPID], s.V[memory.WorkerBatch] = int64(w.pid), w.before+s.Step
	if p := w.pages; p != nil {
		w.pages = nil
		for _, i := range [...]int{memory.WorkerOwn, memory.WorkerPrivate, memory.HostRSS, memory.HostAnon, memory.HostShm, memory.HostFile} {
			s.V[i] = p.V[i]
		}
	}
	if known && w.heap == memory.Absent {
		w.heap = used
	}
	switch {
	case known:
		s.V[memory.WorkerOwn] = w.owned + used - w.heap
	case w.heap != memory.Absent:
		s.V[memory.WorkerOwn] = memory.Absent
	}
	return s
}

// close forgets the worker; what its recorder held was handed on.
func (w *worker) close() {
	if w.batches != nil {
		w.batches.Close()
		_ = os.Remove(w.path)
	}
}

// readPrivate counts the pages that only the worker has. Where that cannot be had, all of its pages are its own.
func (w *worker) readPrivate(now time.Time, among int, s *memory.Sample) {
	began := time.Now()
	private, err := process.Private(w.pid)
	part := partLater
	if w.looks < denseLooks {
		part = partEarly
	}
	cost := time.Since(began)
	if w.cost > 0 {
		cost = min(cost, 2*w.cost) // one that was interrupted for long says little
	}
	if w.counts++; w.counts > fewCounts {
		part *= among
	}
	w.cost, w.privateDue = cost, now.Add(time.Duration(part)*cost)
	if err != nil {
		return
	}
	s.V[memory.WorkerPrivate] = private
	if w.looks == 0 {
		w.base = max(0, s.V[memory.HostAnon]-private)
	}
}

// record keeps a sample in the recording.
func (l *loaders) record(place int, s *memory.Sample) error {
	if l.full {
		return nil
	}
	if l.samples == nil {
		var err error
		if l.samples, err = recording.NewSampleWriter(l.path); err != nil {
			l.full = true
			return err
		}
	}
	l.written++
	raw := make([]byte, flight.RecordSize)
	flight.Encode(raw, l.written, place, s)
	err := l.samples.Add(flight.Record{Number: l.written, Raw: raw})
	if err != nil {
		l.full = true
		l.close()
	}
	return err
}

func (l *loaders) flush() error {
	if l.samples == nil {
		return nil
	}
	return l.samples.Flush()
}

func (l *loaders) close() {
	for _, w := range l.workers {
		if w != nil {
			w.close()
		}
	}
	l.workers = nil
	if l.samples != nil {
		l.samples.Close()
		l.samples = nil
	}
}

// monotonic is the clock by which the probe dates its records.
func monotonic() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return 0
	}
	return t.Nano()
}

// stepTimes says in which step of the trainer's something happened: its newest steps, in a ring.
type stepTimes struct {
	ring []stepTime
	n    int
}

type stepTime struct{ nanos, step int64 }

const timesKept = 4096

func (t *stepTimes) add(nanos, step int64) {
	if len(t.ring) < timesKept {
		t.ring = append(t.ring, stepTime{})
	}
	t.ring[t.n%timesKept] = stepTime{nanos, step}
	t.n++
}

// at is the newest step that had ended by then: 1 before the first, and the oldest that is known for what is older.
func (t *stepTimes) at(nanos int64) int64 {
	oldest := t.n - len(t.ring)
	for i := t.n - 1; i >= oldest; i-- {
		if e := t.ring[i%timesKept]; e.nanos <= nanos || i == oldest && oldest > 0 {
			return e.step
		}
	}
	return 1
}

// deepest bounds the way up from a worker to its trainer; between them may stand a server that forks.
const deepest = 16

// adopt gives a loader worker to the trainer that it works for: the nearest process above it that makes steps.
func (s *session) adopt(w *watched) {
	h := w.process.Hello
	if w.adopted || h.Role != "worker" || h.Dataset == nil {
		return
	}
	parent := h.PPID // as it said: it may have ended already
	for range deepest {
		for _, trainer := range s.watched {
			if trainer.recorder != nil && trainer.process.Hello.PID == parent {
				w.adopted = true
				trainer.loaders.add(w.pid, w.process.Batches())
				trainer.analysis.Worker(h)
				return
			}
		}
		above, err := process.Parent(parent)
		if err != nil {
			return
		}
		parent = above
	}
}

package session

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"

	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// loaders are the loader workers of one trainer, each in a place of its own as long as it runs. They are looked at from
// outside: nothing of it happens in the training.
type loaders struct {
	workers []*worker // nil where the one that had the place has ended
	samples *recording.SampleWriter
	path    string
	written uint64
	full    bool // nothing could be written any more, as on a full disk
}

// worker is one loader worker.
type worker struct {
	pid        int
	looks      int
	step       int64 // in which it was looked at last
	due        time.Time
	privateDue time.Time
	cost       time.Duration // of counting its private pages
	base       int64         // anonymous pages that it had of its parent at the first look
}

// How often a worker is looked at: densely at first, for most leaks are found by then. Its private pages are dear to
// count: that may take one part in so many of the time.
const (
	denseLooks = 1000
	lookEarly  = 5 * time.Millisecond
	lookLater  = 250 * time.Millisecond
	partEarly  = 10
	partLater  = 100
)

// add gives a worker the first place that is free: that of one of the epoch before, where each epoch has new ones.
func (l *loaders) add(pid int) {
	w := &worker{pid: pid}
	for i, before := range l.workers {
		if before == nil || before.ended() {
			l.workers[i] = w
			return
		}
	}
	if len(l.workers) < memory.MaxWorkers {
		l.workers = append(l.workers, w)
	}
}

func (w *worker) ended() bool {
	_, err := process.Read(w.pid)
	return err != nil
}

// look reads the workers that are due, at most once a step of the trainer's, and hands on what it has read.
func (l *loaders) look(now time.Time, step int64, observe func(memory.Sample)) error {
	var errs error
	for i, w := range l.workers {
		if w == nil || step <= w.step || now.Before(w.due) {
			continue
		}
		s, err := w.read(now)
		if err != nil { // it has ended
			l.workers[i] = nil
			continue
		}
		w.step = step
		s.Step, s.Nanos, s.Memory = step, monotonic(), memory.Worker(i)
		observe(s)
		errs = errors.Join(errs, l.record(i, &s))
	}
	return errs
}

func (w *worker) read(now time.Time) (memory.Sample, error) {
	s := memory.Sample{}
	for i := range s.V {
		s.V[i] = memory.Absent
	}
	m, err := process.Read(w.pid)
	if err != nil {
		return s, err
	}
	s.V[memory.HostRSS], s.V[memory.HostAnon], s.V[memory.HostShm], s.V[memory.HostFile] = m.RSS, m.Anon, m.Shm, m.File
	s.V[memory.WorkerPID] = int64(w.pid)
	if !now.Before(w.privateDue) {
		w.readPrivate(now, &s)
	}
	s.V[memory.WorkerOwn] = m.Anon - w.base
	w.looks++
	w.due = now.Add(lookLater)
	if w.looks < denseLooks {
		w.due = now.Add(lookEarly)
	}
	return s, nil
}

// readPrivate counts the pages that only the worker has. Where that cannot be had, all of its pages are its own.
func (w *worker) readPrivate(now time.Time, s *memory.Sample) {
	began := time.Now()
	private, err := process.Private(w.pid)
	part := time.Duration(partLater)
	if w.looks < denseLooks {
		part = partEarly
	}
	cost := time.Since(began)
	if w.cost > 0 {
		cost = min(cost, 2*w.cost) // one that was interrupted for long says little
	}
	w.cost, w.privateDue = cost, now.Add(part*cost)
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

// deepest bounds the way up from a worker to its trainer; between them may stand a server that forks.
const deepest = 16

// adopt gives a loader worker to the trainer that it works for: the nearest process above it that makes steps.
func (s *session) adopt(w *watched) {
	h := w.process.Hello
	if w.adopted || h.Role != "worker" || h.Dataset == nil {
		return
	}
	pid := h.PID
	for range deepest {
		parent, err := process.Parent(pid)
		if err != nil {
			w.adopted = pid == h.PID // it has ended
			return
		}
		for _, trainer := range s.watched {
			if trainer.recorder != nil && trainer.process.Hello.PID == parent {
				w.adopted = true
				trainer.loaders.add(h.PID)
				trainer.analysis.Worker(h)
				return
			}
		}
		pid = parent
	}
}

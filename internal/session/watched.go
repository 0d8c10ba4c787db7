package session

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

// watched is one process of the target that imported torch.
type watched struct {
	process  recording.Process
	pid      int // by which we know it; 0 = it lives where we cannot tell
	analysis *analysis.Process
	recorder *flight.Recorder // nil before its first step
	samples  *recording.SampleWriter
	loaders  loaders
	times    stepTimes // for them
	pages    pagesOf
	ending   *ending
	ended    bool // how it ended is known
	adopted  bool // a loader worker whose trainer looks after it
	header   flight.Header
	request  uint32    // the newest request made
	read     uint32    // the newest request whose evidence is complete
	seen     time.Time // modification time of the evidence file when it was last read
	perStep  time.Duration
	flushed  time.Time
}

func newWatched(p recording.Process, pid int, o analysis.Options) *watched {
	return &watched{process: p, pid: pid, analysis: analysis.New(p.Hello, o), loaders: loaders{path: p.WorkerSamples()}}
}

// hello takes what the process says of itself now and opens its recorder once there is one.
func (w *watched) hello(p recording.Process, open func(pid int) *ending) error {
	w.process = p
	w.analysis.Hello(p.Hello)
	if w.ending == nil && p.Hello.Role != "worker" {
		w.ending = open(w.pid)
	}
	if w.recorder != nil || p.Flight() == "" {
		return nil
	}
	rec, err := flight.Open(p.Flight())
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	w.recorder = rec
	w.samples, err = recording.NewSampleWriter(p.Samples())
	return err
}

func (w *watched) steps() int64 { return w.header.Steps }

// pace is how long to wait before draining again: a fraction of a step.
func (w *watched) pace() time.Duration {
	if w.request != w.read {
		return minPoll
	}
	return min(w.perStep/4, maxPoll)
}

// drain takes what was recorded since the last time, answers included, and asks for evidence when the
// analysis wants it, unless only the counters are of interest. changed says that the analysis may name something new.
func (w *watched) drain(countersOnly bool) (changed bool, err error) {
	var first, last memory.Sample
	var writeErr error
	w.header, err = w.recorder.Drain(func(rec flight.Record) {
		if first.Step == 0 {
			first = rec.Sample
		}
		if rec.Sample.Step > last.Step {
			w.times.add(rec.Sample.Nanos, rec.Sample.Step)
		}
		last = rec.Sample
		w.analysis.Observe(rec.Sample)
		if w.samples != nil && writeErr == nil {
			writeErr = w.samples.Add(rec)
		}
	})
	if n := last.Step - first.Step; n > 0 {
		w.perStep = time.Duration((last.Nanos - first.Nanos) / n)
	}
	w.analysis.Header(w.header)
	w.analysis.Lost(w.recorder.Lost())
	if w.samples != nil && writeErr == nil && time.Since(w.flushed) > time.Second {
		w.flushed = time.Now()
		writeErr = w.samples.Flush()
		err = errors.Join(err, w.loaders.flush(), w.pages.save(w.process))
	}
	if writeErr != nil {
		// A full disk ends the drained part of the recording; watching goes on from the recorder.
		w.samples.Close()
		w.samples = nil
		err = errors.Join(fmt.Errorf("the recording will hold the last steps only, the watch goes on: %w", writeErr), err)
	}
	err = errors.Join(err, w.loaders.look(time.Now(), &w.times, w.analysis.Observe))
	if w.pages.look(time.Now(), w.pid, w.loaders.workers, w.header.Steps) {
		w.analysis.Pages(w.pages.seen)
	}
	if countersOnly {
		return false, err
	}
	changed, evErr := w.answers()
	return changed, errors.Join(err, evErr, w.ask())
}

// answers reads the evidence of the outstanding request whenever its file has changed.
func (w *watched) answers() (changed bool, err error) {
	if w.request == w.read {
		return false, nil
	}
	path := w.process.EvidenceFile(w.request)
	done := w.header.EvidenceDone >= w.request
	st, statErr := os.Stat(path)
	if statErr == nil && st.ModTime() != w.seen {
		w.seen = st.ModTime()
		e, readErr := evidence.ReadFile(path)
		if readErr != nil {
			err = readErr
		} else {
			w.analysis.Evidence(e)
			changed = e.Complete // the first parts name survivors, but not yet who holds them
		}
	}
	if done {
		w.read = w.request
		w.analysis.Answered(!w.seen.IsZero())
	}
	return changed, err
}

// ask makes the request the analysis wants, one at a time.
func (w *watched) ask() error {
	if w.request != w.read || w.header.State != flight.Watching {
		return nil
	}
	a, ok := w.analysis.Ask()
	if !ok {
		return nil
	}
	for i, name := range w.header.Memories {
		if name == analysis.Table(a.Memory) {
			w.request++
			w.seen = time.Time{}
			return w.recorder.Request(w.request, i, a.Period, a.BudgetMillis)
		}
	}
	return nil
}

// lookEnd notes how the process ended, once that is known.
func (w *watched) lookEnd() error {
	if w.ended {
		return nil
	}
	if end, known := w.ending.look(); known {
		return w.endedAs(end)
	}
	return nil
}

// endedAs takes how the process ended.
func (w *watched) endedAs(end recording.End) error {
	w.ended = true
	w.analysis.Ended(end)
	return w.process.SaveEnd(end)
}

func (w *watched) close() {
	w.ending.close()
	if w.samples != nil {
		w.samples.Close()
		if w.pages.take(time.Now(), lastLook) {
			w.analysis.Pages(w.pages.seen)
		}
		_ = w.pages.save(w.process) // what it is to say is said in the report
	}
	w.loaders.close()
	if w.recorder != nil {
		w.recorder.Close()
	}
}

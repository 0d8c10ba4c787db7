package analysis

import (
	"os"
	"time"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

// Follower keeps the analysis of a process up with its recording, which somebody else makes: it asks the training for
// nothing.
type Follower struct {
	*Process
	recording recording.Process
	tail      recording.Tail
	read      map[string]time.Time // modification times of the evidence files that were read
}

// Follow begins with a process that said hello.
func Follow(p recording.Process, o Options) *Follower {
	return &Follower{Process: New(p.Hello, o), recording: p, read: map[string]time.Time{}}
}

// Said takes what the process says of itself now, in the same recording.
func (f *Follower) Said(p recording.Process) {
	f.recording = p
	f.Hello(p.Hello)
}

// Next takes what has been recorded since the last call, at first all, and shows each sample to observe, which may be nil.
// files says that there may be new files. It returns the recorder's header and whether there was new evidence.
func (f *Follower) Next(files bool, observe func(memory.Sample)) (header flight.Header, news bool, errs []error) {
	var pending []*evidence.Evidence
	if files {
		pending, errs = f.unread()
		if pages, err := f.recording.LoadHost(); err != nil {
			errs = append(errs, err)
		} else if pages != nil {
			f.Pages(*pages)
		}
	}
	news = len(pending) > 0
	header, warnings := f.tail.Next(f.recording, func(rec flight.Record) {
		for len(pending) > 0 && rec.Sample.Step > pending[0].LastStep() {
			f.Evidence(pending[0])
			pending = pending[1:]
		}
		f.Observe(rec.Sample)
		if observe != nil {
			observe(rec.Sample)
		}
	})
	for _, e := range pending {
		f.Evidence(e)
	}
	f.Header(header)
	f.Lost(f.tail.Lost())
	return header, news, append(errs, warnings...)
}

// unread reads the evidence files that are new, or have changed. One that comes in parts is read after each.
func (f *Follower) unread() (all []*evidence.Evidence, errs []error) {
	for _, path := range f.recording.Evidence() {
		st, err := os.Stat(path)
		if err != nil || st.ModTime().Equal(f.read[path]) {
			continue
		}
		f.read[path] = st.ModTime()
		e, err := evidence.ReadFile(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, e)
	}
	return all, errs
}

// Verdicts lists the verdicts on the memories now, in the order in which these appeared.
func (f *Follower) Verdicts() []finding.Verdict {
	var verdicts []finding.Verdict
	for _, name := range f.order {
		verdicts = append(verdicts, f.detectors[name].Verdict())
	}
	return verdicts
}

// Missed is how many records were overtaken before they were read.
func (f *Follower) Missed() uint64 { return f.tail.Lost() }

// ReadEnd takes how the process was seen to end, where that is written down.
func (f *Follower) ReadEnd() error {
	end, err := f.recording.LoadEnd()
	if end != nil {
		f.Ended(*end)
	}
	return err
}

// Close closes what is open.
func (f *Follower) Close() { f.tail.Close() }

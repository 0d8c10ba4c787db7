package analysis

import (
	"errors"
	"fmt"
	"os"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/recording"
)

// Recording makes the reports of all processes of a recording that made a step, by rank. What cannot be read
// is a warning.
func Recording(dir recording.Dir, tool finding.Tool) ([]finding.Report, []error) {
	run, err := dir.LoadRun()
	processes, warnings := dir.Processes()
	if err != nil {
		warnings = append(warnings, err)
	}
	var reports Collection
	for _, proc := range processes {
		p := New(proc.Hello, Options{})
		for _, other := range processes {
			p.Worker(other.Hello)
		}
		var header flight.Header
		if proc.Flight() != "" {
			var errs []error
			header, errs = p.replay(proc)
			for _, err := range errs {
				warnings = append(warnings, fmt.Errorf("process %s: %w", proc.Key, err))
			}
		}
		short, err := p.Shortage(proc)
		if err != nil {
			warnings = append(warnings, fmt.Errorf("process %s: %w", proc.Key, err))
		}
		end, err := proc.LoadEnd()
		if err != nil {
			warnings = append(warnings, fmt.Errorf("process %s: %w", proc.Key, err))
		} else if end != nil {
			p.Ended(*end)
		}
		if header.Steps == 0 && p.lastStep == 0 && !short {
			continue
		}
		r := p.Report()
		r.Tool, r.Target.Exit = tool, run.Exit
		r.Target.End = p.End(run.Exit, run.Stopped != "")
		if len(run.Argv) > 0 {
			r.Target.Argv = run.Argv
		}
		reports.Add(proc.Hello, r)
	}
	return reports.Reports, warnings
}

// replay observes a process's samples, with each piece of evidence at the step it was complete.
func (p *Process) replay(proc recording.Process) (flight.Header, []error) {
	var errs []error
	var pending []*evidence.Evidence
	for _, path := range proc.Evidence() {
		e, err := evidence.ReadFile(path)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		pending = append(pending, e)
	}
	header, lost, replayErrs := proc.Replay(func(rec flight.Record) {
		for len(pending) > 0 && rec.Sample.Step > pending[0].LastStep() {
			p.Evidence(pending[0])
			pending = pending[1:]
		}
		p.Observe(rec.Sample)
	})
	for _, e := range pending {
		p.Evidence(e)
	}
	p.Header(header)
	p.Lost(lost)
	if n := header.EvidenceDone; n > 0 {
		_, err := os.Lstat(proc.EvidenceFile(n))
		p.asks.unwritten = errors.Is(err, os.ErrNotExist)
	}
	return header, append(errs, replayErrs...)
}

package analysis

import (
	"errors"
	"fmt"
	"os"

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
		p := Follow(proc, Options{Attached: run.Attached})
		for _, other := range processes {
			p.Worker(other.Hello)
		}
		var header flight.Header
		if proc.Flight() != "" {
			var errs []error
			header, errs = p.whole()
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
		if run.Attached {
			r.Target.Attached = &finding.Attached{StoppedSeconds: run.StoppedSeconds, LetGo: run.Stopped != ""}
		}
		if len(run.Argv) > 0 {
			r.Target.Argv = run.Argv
		}
		reports.Add(proc.Hello, r)
	}
	return reports.Reports, warnings
}

// whole takes all that there is of a recording that nobody makes any more.
func (f *Follower) whole() (flight.Header, []error) {
	defer f.Close()
	header, _, errs := f.Next(true, nil)
	if n := header.EvidenceDone; n > 0 {
		_, err := os.Lstat(f.recording.EvidenceFile(n))
		f.asks.unwritten = errors.Is(err, os.ErrNotExist)
	}
	return header, errs
}

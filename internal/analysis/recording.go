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
	r := Read(dir)
	defer r.Close()
	return r.Reports(tool)
}

// Reader makes the reports of a recording again and again while that grows, and reads only what is new.
type Reader struct {
	dir       recording.Dir
	followers map[string]*Follower
}

// Read begins with a recording. Close the Reader.
func Read(dir recording.Dir) *Reader { return &Reader{dir, map[string]*Follower{}} }

// Close closes what is open.
func (r *Reader) Close() {
	for _, f := range r.followers {
		f.Close()
	}
}

// follow goes on with a process, or begins with it.
func (r *Reader) follow(p recording.Process, o Options) *Follower {
	f := r.followers[p.Key]
	if f == nil {
		f = Follow(p, o)
		r.followers[p.Key] = f
	}
	f.Said(p)
	return f
}

// Reports makes the reports of what there is now, as Recording.
func (r *Reader) Reports(tool finding.Tool) ([]finding.Report, []error) {
	run, err := r.dir.LoadRun()
	processes, warnings := r.dir.Processes()
	if err != nil {
		warnings = append(warnings, err)
	}
	var stepped []recording.Process
	for _, proc := range processes {
		p := r.follow(proc, Options{})
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
		if err := p.ReadEnd(); err != nil {
			warnings = append(warnings, fmt.Errorf("process %s: %w", proc.Key, err))
		}
		if header.Steps == 0 && p.lastStep == 0 && !short {
			continue
		}
		stepped = append(stepped, proc)
	}
	r.together(stepped)
	var reports Collection
	for _, proc := range stepped {
		p := r.followers[proc.Key]
		r := p.Report()
		r.Tool = tool
		if len(run.Argv) > 0 {
			r.Target.Argv = run.Argv
		}
		p.Conclude(&r, run)
		reports.Add(proc.Hello, r)
	}
	return reports.Reports, warnings
}

// together lets processes know what the others gain.
func (r *Reader) together(processes []recording.Process) {
	if len(processes) < 2 {
		return
	}
	var all []*Process
	for _, proc := range processes {
		p := r.followers[proc.Key].Process
		p.Memories()
		all = append(all, p)
	}
	Together(all)
}

// whole takes all that there is of a recording: what was asked for and is not there never comes, or is on its way.
func (f *Follower) whole() (flight.Header, []error) {
	header, _, errs := f.Next(true, nil)
	if n := header.EvidenceDone; n > 0 {
		_, err := os.Lstat(f.recording.EvidenceFile(n))
		f.asks.unwritten = errors.Is(err, os.ErrNotExist)
	}
	return header, errs
}

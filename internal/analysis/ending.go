package analysis

import (
	"cmp"
	"fmt"
	"syscall"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/recording"
)

// Ended takes how the process was seen to end.
func (p *Process) Ended(e recording.End) { p.end = &e }

// interrupt is the exit status of a program that its user has interrupted.
const interrupt = 128 + int(syscall.SIGINT)

// Conclude writes into a report of the process how the run that it belongs to has ended, or how it stands.
func (p *Process) Conclude(r *finding.Report, run recording.Run) {
	r.Target.Exit, r.Target.End = run.Exit, p.ending(run)
	if run.Attached {
		r.Target.Attached = &finding.Attached{StoppedSeconds: run.StoppedSeconds, LetGo: run.LetGo()}
	}
}

// ending is how the process ended; nil where that is not known. Where nobody saw how, there is the probe's own last word, and the
// status with which the command ended, unless torchleak has stopped it. The probe's last word in a process that was attached to
// is said when that is let go, too.
func (p *Process) ending(run recording.Run) *finding.End {
	if e := p.end; e != nil {
		end := &finding.End{How: finding.Ended, Status: &e.Status, Signal: e.Name, Nanos: p.wall(e.Nanos)}
		switch {
		case e.Status == interrupt:
			end.How = finding.Interrupted
		case e.Signal != 0:
			end.How, end.Signal = finding.Killed, cmp.Or(e.Name, fmt.Sprintf("signal %d", e.Signal)) // those of real time have no name
		case e.Status != 0:
			end.How = finding.Failed
		}
		return end
	}
	failed := run.Exit != nil && *run.Exit != 0 && *run.Exit != interrupt && run.Stopped == ""
	switch {
	case p.header.State == flight.Ended && (run.Ended || !run.Attached):
		return &finding.End{How: finding.Ended}
	case run.Ended, failed && p.header.State != flight.Off:
		return &finding.End{How: finding.Vanished}
	}
	return nil
}

// wall is a time on the clock of the records as one since the epoch; 0 where that is not known.
func (p *Process) wall(nanos int64) int64 {
	if nanos == 0 || p.header.StartWall == 0 {
		return 0
	}
	return nanos - p.header.StartMono + p.header.StartWall
}

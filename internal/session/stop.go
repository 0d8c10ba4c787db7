package session

import (
	"slices"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/process"
)

// StopReason says why we ended a target; empty when it ended by itself.
type StopReason string

// Reasons to end a target.
const (
	StoppedBySteps   StopReason = "steps"
	StoppedByTimeout StopReason = "timeout"
)

// How long a target may take to end after each way of asking before the next is taken. One that goes on making steps
// has not heard, or does not want to: Python drops an interrupt that comes while an object is taken down.
const (
	stopGrace     = 10 * time.Second
	steppingGrace = 2 * time.Second
	steppingOn    = 3 // steps
)

// stopper ends the target by itself, after so many steps or so long, by ever harder ways.
type stopper struct {
	steps    int64
	deadline time.Time // zero: none
	grace    time.Duration
	reason   StopReason
	next     int       // of ways
	at       time.Time // when the last way was taken
	made     int64     // steps that were made by then
}

func newStopper(c Config, started time.Time) stopper {
	s := stopper{steps: c.Steps, grace: stopGrace}
	if c.Timeout > 0 {
		s.deadline = started.Add(c.Timeout)
	}
	return s
}

// ways of asking a target to end, in this order. SIGINT is what a person's Ctrl-C sends: Python runs its finally blocks
// and a launcher hands it to its workers. It goes to the processes that Ctrl-C would reach; what does not heed it gets the
// others wherever it runs.
var ways = []struct {
	signal syscall.Signal
	to     func(s *session) []int
}{
	{syscall.SIGINT, (*session).foreground},
	{syscall.SIGTERM, (*session).everyone},
	{syscall.SIGKILL, (*session).everyone},
}

// drive takes the next way when it is time for it.
func (p *stopper) drive(s *session, now time.Time) {
	if p.reason == "" {
		if p.reason = p.due(s, now); p.reason == "" {
			return
		}
		if p.reason == StoppedBySteps { // one that is stopped by its time shows where it stands
			s.config.Dir.MarkStopped()
		}
		if s.config.Stopping != nil {
			s.config.Stopping(p.reason)
		}
	}
	waited, stepping := now.Sub(p.at), s.made() >= p.made+steppingOn
	if p.next == len(ways) || p.next > 0 && waited < p.grace && !(stepping && waited >= steppingGrace) {
		return
	}
	way := ways[p.next]
	p.next, p.at, p.made = p.next+1, now, s.made()
	for _, pid := range way.to(s) {
		_ = syscall.Kill(pid, way.signal)
	}
}

// made is how many steps the fastest process has made.
func (s *session) made() (fastest int64) {
	for _, w := range s.watched {
		fastest = max(fastest, w.steps())
	}
	return fastest
}

// due tells why the target is to end now. One process may be slower than another: all that step are waited for, up to
// twice the steps of the fastest.
func (p *stopper) due(s *session, now time.Time) StopReason {
	if p.steps > 0 {
		fastest := s.made()
		slowest := fastest
		for _, w := range s.watched {
			if n := w.steps(); n > 0 && process.Exists(w.pid) {
				slowest = min(slowest, n)
			}
		}
		if fastest >= 2*p.steps || slowest >= p.steps {
			return StoppedBySteps
		}
	}
	if !p.deadline.IsZero() && now.After(p.deadline) {
		return StoppedByTimeout
	}
	return ""
}

// everyone is the target and all processes that were started below it, in whatever session or group they are.
func (s *session) everyone() []int {
	pids := runningUnder(s.config.Dir.Path)
	if root := s.cmd.Process.Pid; !slices.Contains(pids, root) {
		pids = append(pids, root)
	}
	return pids
}

// foreground is everyone in the target's process group: those that a terminal's Ctrl-C reaches.
func (s *session) foreground() []int {
	root := s.cmd.Process.Pid
	group, err := syscall.Getpgid(root)
	if err != nil {
		return []int{root}
	}
	return slices.DeleteFunc(s.everyone(), func(pid int) bool {
		of, err := syscall.Getpgid(pid)
		return pid != root && (err != nil || of != group)
	})
}

// sweepGrace is how long what the target leaves behind may take to end, and how often it is looked for.
const (
	sweepGrace = 2 * time.Second
	sweepEvery = 50 * time.Millisecond
)

// sweep ends what a target that we ended has left behind: a launcher that was killed cannot take its workers along.
// What outlives a target that ended by itself is its own affair.
func (p *stopper) sweep(dir string) {
	if p.reason == "" {
		return
	}
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		left := leftover(dir)
		for _, pid := range left {
			_ = syscall.Kill(pid, signal)
		}
		for waited := time.Duration(0); len(left) > 0 && waited < sweepGrace; waited += sweepEvery {
			time.Sleep(sweepEvery)
			left = runningUnder(dir)
		}
	}
}

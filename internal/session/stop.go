package session

import (
	"slices"
	"syscall"
	"time"
)

// StopReason says why we ended a target; empty when it ended by itself.
type StopReason string

// Reasons to end a target.
const (
	StoppedBySteps   StopReason = "steps"
	StoppedByTimeout StopReason = "timeout"
)

// stopGrace is how long a target may take to end after each way of asking before the next.
const stopGrace = 10 * time.Second

// stopper ends the target by itself, after so many steps or so long, by ever harder ways.
type stopper struct {
	steps    int64
	deadline time.Time // zero: none
	reason   StopReason
	next     int       // of ways
	at       time.Time // when the last way was taken
}

func newStopper(c Config, started time.Time) stopper {
	s := stopper{steps: c.Steps}
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
		p.reason = p.due(s, now)
	}
	if p.reason == "" || p.next > 0 && now.Sub(p.at) < stopGrace || p.next == len(ways) {
		return
	}
	way := ways[p.next]
	p.next, p.at = p.next+1, now
	for _, pid := range way.to(s) {
		_ = syscall.Kill(pid, way.signal)
	}
}

// due tells why the target is to end now. One process may be slower than another: all that step are waited for, up to
// twice the steps of the fastest.
func (p *stopper) due(s *session, now time.Time) StopReason {
	if p.steps > 0 {
		var slowest, fastest int64 = -1, 0
		for _, w := range s.watched {
			if n := w.steps(); n > 0 {
				fastest = max(fastest, n)
				if alive(w.process.Hello.PID) && (slowest < 0 || n < slowest) {
					slowest = n
				}
			}
		}
		if fastest >= 2*p.steps || fastest >= p.steps && (slowest < 0 || slowest >= p.steps) {
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

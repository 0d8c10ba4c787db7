package session

import (
	"os"
	"os/signal"
	"time"

	"github.com/torchleak/torchleak/internal/recording"
)

// Attached is a process that runs already and has the probe in it.
type Attached struct {
	PID     int
	Inside  int // its number to itself: in a container it has another
	Cwd     string
	LetGo   func() error         // takes the probe out again
	Stopped func() time.Duration // how long it stood still so far
}

// LetGo is the reason to let a process go that was attached to, besides the steps and the time asked for: we are told to end.
const LetGo StopReason = "told"

// Follow watches a process that was attached to, until it ends or is let go: after the steps or the time asked for, or when
// we are told to end. It goes on by itself then.
func Follow(c Config, a Attached) (Result, error) {
	s := newSession(c)
	s.attached = &a
	signals := make(chan os.Signal, 16)
	notify(signals)
	defer signal.Stop(signals)
	s.run = recording.Run{Tool: c.Tool.Version, Argv: c.Argv, Cwd: a.Cwd, PID: a.PID, Started: time.Now(), Attached: true}
	s.warnIf(c.Dir.SaveRun(s.now(nil)))

	s.run.Ended = s.follow(signals)
	if !s.run.Ended {
		if c.Stopping != nil {
			c.Stopping(s.stop.reason)
		}
		s.warnIf(a.LetGo())
	}
	s.scanned = time.Time{}
	s.scan()
	s.poll()
	for _, w := range s.watched {
		s.warnIf(w.lookEnd())
	}
	return s.conclude(nil), nil
}

// seenAs is the number by which we know a process that calls itself by this one; 0 where that cannot be told.
func (s *session) seenAs(pid int) int {
	switch {
	case s.attached == nil || s.attached.Inside == s.attached.PID:
		return pid
	case s.attached.Inside == pid:
		return s.attached.PID
	}
	return 0
}

// follow watches until the process has ended or is to be let go, and reports whether it has ended.
func (s *session) follow(signals <-chan os.Signal) bool {
	process := openProgram(s.attached.PID)
	defer process.close()
	timer := time.NewTimer(firstPoll)
	defer timer.Stop()
	for s.stop.reason == "" {
		select {
		case <-signals:
			if s.told {
				s.stop.reason = LetGo
				continue
			}
			s.told = true
			timer.Reset(0)
		case now := <-timer.C:
			s.scan()
			timer.Reset(s.poll())
			s.status(now)
			s.standing(now)
			if process.over() {
				s.warnIf(process.told())
				return true
			}
			s.stop.reason = s.due(now)
		}
	}
	return process.over()
}

// How long a process is kept for the answer to what it was asked before: behind the steps asked for, and where somebody
// waits. A second signal waits for nothing.
const (
	answerGrace = 20 * time.Second
	toldGrace   = 3 * time.Second
)

// due tells why the process is to be let go now. What it has been asked is waited for: the answer decides the verdict, and
// it is best to leave when nothing of ours traces the program.
func (s *session) due(now time.Time) StopReason {
	reason, grace := s.stop.due(s, now), answerGrace
	if s.told {
		reason, grace = LetGo, toldGrace
	}
	if reason == "" {
		return ""
	}
	if s.stop.at.IsZero() {
		s.stop.at = now
	}
	for _, w := range s.watched {
		if w.request != w.read && now.Sub(s.stop.at) < grace {
			return ""
		}
	}
	return reason
}

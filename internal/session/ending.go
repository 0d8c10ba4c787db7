package session

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// ending notices how a process ends that is not our child. Only its parent is told that, as a rule a launcher, which keeps
// it to itself or says it in some log. The kernel says it too: from Linux 6.15 on to whoever holds the process open, before
// that as long as the parent has not asked.
type ending struct {
	pid, fd int   // fd is that of the open process
	gone    int64 // when the process was first seen to have ended; 0 = it runs
	stack   int   // of its program, where that is not to be replaced by another one; 0 = it may be, or nobody can tell
	another bool  // it was, by exec: the number is the same
}

// openEnding begins to watch a process. Where the system knows no open processes, it is only asked whether there is one.
func openEnding(pid int) *ending {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		fd = -1
	}
	return &ending{pid: pid, fd: fd}
}

// openProgram is openEnding of a process that a probe was put into: another program in its place has none.
func openProgram(pid int) *ending {
	e := openEnding(pid)
	stat, _ := process.ReadStat(pid) // one that has ended just now is seen to
	e.stack = stat.Stack
	return e
}

// startedBelow is openEnding of a process that was started under the run's directory; nil where the number means another one,
// as from within a container, and where the system knows no open processes.
func startedBelow(pid int, dir string) *ending {
	e := openEnding(pid)
	if e.fd >= 0 && startedUnder(pid, dir) {
		return e
	}
	e.close()
	return nil
}

// openEnding begins to watch how a process of the target ends; nil where the number may be another one's. Of what was
// attached to that is known of one process.
func (s *session) openEnding(pid int) *ending {
	switch {
	case s.attached == nil:
		return startedBelow(pid, s.config.Dir.Path)
	case s.attached.PID == pid:
		return openProgram(pid)
	}
	return nil
}

// look returns how the process ended, once that is known.
func (e *ending) look() (recording.End, bool) {
	if e == nil || !e.over() {
		return recording.End{}, false
	}
	if e.another {
		return endOf(0, e.gone), true
	}
	status, known := e.status()
	if !known {
		return recording.End{}, false
	}
	return endOf(status, e.gone), true
}

// endOf is an end that was seen at a time.
func endOf(status unix.WaitStatus, nanos int64) recording.End {
	end := recording.End{Nanos: nanos, Status: status.ExitStatus()}
	if status.Signaled() {
		end.Signal, end.Name, end.Status = int(status.Signal()), unix.SignalName(status.Signal()), 128+int(status.Signal())
	}
	return end
}

// over reports whether the process has ended.
func (e *ending) over() bool {
	if e.gone != 0 {
		return true
	}
	e.another = e.replaced()
	if e.another || e.seen() {
		e.gone = monotonic()
	}
	return e.gone != 0
}

func (e *ending) replaced() bool {
	if e.stack == 0 {
		return false
	}
	stat, _ := process.ReadStat(e.pid)
	return stat.Stack != 0 && stat.Stack != e.stack
}

// told is what there is to say of an end that is none of the process.
func (e *ending) told() error {
	if !e.another {
		return nil
	}
	return fmt.Errorf("process %d goes on as another program, which it has called by exec: to watch that, attach to it again", e.pid)
}

func (e *ending) seen() bool {
	if e.fd < 0 {
		return !process.Exists(e.pid)
	}
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(e.fd), Events: unix.POLLIN}}, 0)
	return err == nil && n > 0
}

// status is what the kernel tells the parent of a process that has ended.
func (e *ending) status() (unix.WaitStatus, bool) {
	info := unix.PidfdInfo{Mask: unix.PIDFD_INFO_EXIT}
	if err := unix.IoctlPidfdInfo(e.fd, &info); err == nil && info.Mask&unix.PIDFD_INFO_EXIT != 0 {
		return unix.WaitStatus(info.Exit_code), true
	}
	// 0 is also what is shown to those who may not know.
	stat, err := process.ReadStat(e.pid)
	return unix.WaitStatus(stat.Exit), err == nil && stat.State == "Z" && stat.Exit != 0
}

func (e *ending) close() {
	if e != nil && e.fd >= 0 {
		unix.Close(e.fd)
	}
}

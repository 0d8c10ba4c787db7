package attach

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/torchleak/torchleak/internal/process"
)

// Reasons why a process cannot be attached to.
var (
	ErrGone      = errors.New("there is no process of this number")
	ErrEnded     = errors.New("the process has ended, of which its parent has not taken notice")
	ErrThread    = errors.New("this is the number of a thread")
	ErrOthers    = errors.New("the process belongs to another user")
	ErrStopped   = errors.New("the process is stopped")
	ErrTraced    = errors.New("another debugger is at the process")
	ErrNotPython = errors.New("the process is no Python")
	ErrSymbols   = errors.New("the process runs a Python whose functions cannot be found")
	ErrUnseen    = errors.New("the process does not see the recording's directory")
	ErrTooOld    = errors.New("the process's Python is older than 3.14, from which on one can be asked from outside")
	ErrShut      = errors.New("the process's Python was told not to be asked from outside")
	ErrBuiltIn   = errors.New("the process's program has Python built in, and cannot be started once more to ask it")
	ErrNoEnter   = errors.New("the process lives in a container, and nsenter was not found")
	ErrNotFound  = errors.New("was not found") // a debugger, or what it needs
	ErrNoPython  = errors.New("gdb was built without Python")
	ErrMachine   = errors.New("debuggers are asked only on x86-64 and arm64, for programs of the same kind")
	ErrRefused   = errors.New("the system does not let another program look at the process")
	ErrShielded  = errors.New("the process lets no other program look at it")
	ErrElsewhere = errors.New("lldb cannot hold a process of another container")
	ErrFailed    = errors.New("failed") // a debugger
	ErrBlocked   = errors.New("the process did not come to a place where Python runs")
	ErrNoTorch   = errors.New("the process has not imported torch")
	ErrLauncher  = errors.New("the process is a launcher, which does not train itself")
	ErrFiles     = errors.New("the process may open hardly a file more")
	ErrSpace     = errors.New("the process may take hardly any more memory")
	ErrFileSize  = errors.New("the process may write no file of some size")
	ErrOccupied  = errors.New("a torchleak is in the process already")
	ErrOld       = errors.New("the probe needs Python 3.8 or newer")
)

// Check returns why a process cannot be attached to by this user, as far as can be told without touching it.
func Check(pid int) error {
	status, err := process.ReadStatus(pid)
	switch {
	case errors.Is(err, process.ErrEnded):
		return ErrGone
	case err != nil:
		return err
	case status.Group != pid:
		return fmt.Errorf("%w of process %d", ErrThread, status.Group)
	case status.UID != os.Getuid():
		return ErrOthers
	case status.State == "Z", status.State == "X":
		return ErrEnded
	case status.State == "T":
		return ErrStopped
	case status.Tracer != 0:
		tracer, err := process.ReadStatus(status.Tracer) // one of its threads
		if err != nil {
			return ErrTraced
		}
		return fmt.Errorf("%w: process %d", ErrTraced, tracer.Group)
	}
	return nil
}

// shielded reports whether a process of ours is closed to us by itself: it is not dumpable, see prctl(2), and its files are root's.
func shielded(pid int) bool {
	info, err := os.Stat(process.File(pid, "status"))
	if err != nil {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) != os.Getuid()
}

// elsewhere reports whether a process is in another PID namespace than we are.
func elsewhere(pid int) bool {
	shared, err := shares(pid, "pid")
	return err != nil || !shared
}

// shares reports whether a process is in the same namespace of a kind as we are, by its name in /proc/PID/ns.
func shares(pid int, namespace string) (bool, error) {
	ours, _ := os.Readlink("/proc/self/ns/" + namespace)
	theirs, err := os.Readlink(process.File(pid, "ns/"+namespace))
	return theirs == ours, err
}

// inside returns the path under which a process finds the directory that is dir to us. It may live under another root: we
// see its files by /proc/PID/root, or where that leads.
func inside(pid int, dir string) (string, bool) {
	ours, err := os.Stat(dir)
	if err != nil {
		return dir, false
	}
	theirRoot := strings.TrimSuffix(process.File(pid, "root"), "/")
	leads, _ := os.Readlink(theirRoot)
	for _, root := range []string{theirRoot, "", leads} {
		path, ok := strings.CutPrefix(dir, strings.TrimSuffix(root, "/"))
		if !ok {
			continue
		}
		if theirs, err := os.Stat(theirRoot + path); err == nil && os.SameFile(ours, theirs) {
			return path, true
		}
	}
	return dir, false
}

// outside returns the path under which we find what is path to a process.
func outside(pid int, path string) string {
	far := process.File(pid, "root") + path
	ours, err := os.Stat(path)
	if theirs, unseen := os.Stat(far); unseen == nil && (err != nil || !os.SameFile(ours, theirs)) {
		return far
	}
	return path
}

// What the probe needs room for.
const (
	spareFiles  = 16
	spareMemory = 16 << 20 // bytes
	spareFile   = 16 << 20 // bytes of one file
)

// cramped returns the limit of a process, see ulimit, that leaves the probe no room.
func cramped(pid int) error {
	memory, err := process.ReadLimits(pid)
	if err != nil {
		return nil // others say why
	}
	for _, l := range memory {
		if l.Limit < l.Used+spareMemory {
			return ErrSpace
		}
	}
	if limit, set := process.Limited(pid, "Max open files"); set && limit < openFiles(pid)+spareFiles {
		return ErrFiles
	}
	if limit, set := process.Limited(pid, "Max file size"); set && limit < spareFile {
		return ErrFileSize
	}
	return nil
}

func openFiles(pid int) int64 {
	files, _ := os.ReadDir(process.File(pid, "fd"))
	return int64(len(files))
}

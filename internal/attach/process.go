package attach

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Reasons why a process cannot be attached to.
var (
	ErrGone      = errors.New("there is no process of this number")
	ErrThread    = errors.New("this is the number of a thread")
	ErrOthers    = errors.New("the process belongs to another user")
	ErrStopped   = errors.New("the process is stopped")
	ErrTraced    = errors.New("another debugger is at the process")
	ErrNotPython = errors.New("the process is no Python")
	ErrSymbols   = errors.New("the process runs a Python whose functions cannot be found")
	ErrUnseen    = errors.New("the process does not see the recording's directory")
	ErrTooOld    = errors.New("the process's Python is older than 3.14, from which on one can be asked from outside")
	ErrShut      = errors.New("the process's Python was told not to be asked from outside")
	ErrNoGDB     = errors.New("gdb was not found")
	ErrNoPython  = errors.New("gdb was built without Python")
	ErrMachine   = errors.New("gdb is asked only on x86-64")
	ErrRefused   = errors.New("the system does not let another program look at the process")
	ErrBlocked   = errors.New("the process did not come to a place where Python runs")
	ErrNoTorch   = errors.New("the process has not imported torch")
	ErrOccupied  = errors.New("a torchleak is in the process already")
	ErrOld       = errors.New("the probe needs Python 3.8 or newer")
)

// Check returns why a process cannot be attached to by this user, as far as can be told without touching it.
func Check(pid int) error {
	status, err := readStatus(pid)
	if err != nil {
		return err
	}
	switch group := status.number("Tgid"); {
	case group != pid:
		return fmt.Errorf("%w of process %d", ErrThread, group)
	case status.number("Uid") != os.Getuid():
		return ErrOthers
	}
	switch status.word("State") {
	case "Z", "X":
		return ErrGone
	case "T":
		return ErrStopped
	}
	if tracer := status.number("TracerPid"); tracer != 0 {
		return fmt.Errorf("%w: process %d", ErrTraced, tracer)
	}
	return nil
}

// status is what the kernel tells of a process, by lines.
type status []byte

func readStatus(pid int) (status, error) {
	if pid <= 0 {
		return nil, ErrGone
	}
	text, err := os.ReadFile(proc(pid, "status"))
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return nil, ErrGone
	}
	return text, err
}

// word is the first word behind a key.
func (s status) word(key string) string {
	for line := range bytes.Lines(s) {
		if rest, ok := bytes.CutPrefix(line, []byte(key+":")); ok {
			if words := strings.Fields(string(rest)); len(words) > 0 {
				return words[0]
			}
		}
	}
	return ""
}

func (s status) number(key string) int {
	n, _ := strconv.Atoi(s.word(key))
	return n
}

// Alive reports whether the process still runs: one that waits for its parent to take notice does not.
func Alive(pid int) bool {
	s, err := readStatus(pid)
	return err == nil && s.word("State") != "Z" && s.word("State") != "X"
}

// inside returns the path under which a process finds the directory that is dir to us. It may live under another root: we
// see its files by /proc/PID/root, or where that leads.
func inside(pid int, dir string) (string, bool) {
	ours, err := os.Stat(dir)
	if err != nil {
		return dir, false
	}
	theirRoot := strings.TrimSuffix(proc(pid, "root"), "/")
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

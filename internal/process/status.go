package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Status is how a process stands, and whose it is.
type Status struct {
	State  string // a letter, such as R, S, T for stopped and Z for one that waits for its parent to take notice of its end
	Group  int    // the process whose thread this is: itself
	UID    int    // the real one
	Tracer int    // the process that debugs it; 0 = none
	Inside int    // its number to itself: in a container it has another
}

// ReadStatus returns how a process stands, ErrEnded where there is none of this number.
func ReadStatus(pid int) (Status, error) {
	if pid <= 0 {
		return Status{}, ErrEnded
	}
	text, err := os.ReadFile(File(pid, "status"))
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return Status{}, ErrEnded
	}
	words := func(key string) []string {
		_, rest, _ := bytes.Cut(text, []byte("\n"+key+":"))
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		return append(strings.Fields(string(line)), "")
	}
	number := func(key string) int {
		n, _ := strconv.Atoi(words(key)[0])
		return n
	}
	s := Status{State: words("State")[0], Group: number("Tgid"), UID: number("Uid"), Tracer: number("TracerPid"), Inside: pid}
	if numbers := words("NSpid"); len(numbers) > 1 {
		s.Inside, _ = strconv.Atoi(numbers[len(numbers)-2])
	}
	return s, err
}

// Alive reports whether the process still runs: one that waits for its parent to take notice does not.
func Alive(pid int) bool {
	s, err := ReadStatus(pid)
	return err == nil && s.State != "Z" && s.State != "X"
}

// Exists reports whether there is a process of this number, maybe one that has ended and waits for its parent.
func Exists(pid int) bool { return pid > 0 && syscall.Kill(pid, 0) != syscall.ESRCH }

// All lists the numbers of all processes.
func All() (pids []int) {
	paths, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range paths {
		if pid, err := strconv.Atoi(filepath.Base(path)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// StartedWith reports whether a variable has that value in the environment that a process was started with. That of others
// cannot be read, and a process that has just ended has none.
func StartedWith(pid int, variable, value string) bool {
	env, err := os.ReadFile(File(pid, "environ"))
	return err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+variable+"="+value+"\x00"))
}

// Command returns the command line and the working directory of a process.
func Command(pid int) (argv []string, cwd string) {
	line, _ := os.ReadFile(File(pid, "cmdline"))
	for _, arg := range bytes.Split(bytes.TrimSuffix(line, []byte{0}), []byte{0}) {
		argv = append(argv, string(arg))
	}
	cwd, _ = os.Readlink(File(pid, "cwd"))
	return argv, cwd
}

// Stat is what the kernel counts of a process.
type Stat struct {
	State  string
	Parent int
	CPU    time.Duration // of the processor's time, in hundredths of a second
	Exit   int           // as waitpid has it, of one in state Z until its parent takes notice
	Stack  int           // address where the stack of its program begins, another one for each that it runs; 0 where that is not shown
}

// tick is the unit of processor time in /proc on all Linux.
const tick = time.Second / 100

// ReadStat returns what the kernel counts of a process.
func ReadStat(pid int) (Stat, error) {
	text, err := os.ReadFile(File(pid, "stat"))
	if err != nil {
		return Stat{}, err
	}
	// The name stands in brackets and may hold any character: what follows the last bracket is state, parent, …
	rest := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(rest) < 13 {
		return Stat{}, fmt.Errorf("reading %s: too short", File(pid, "stat"))
	}
	number := func(at int) int {
		n, _ := strconv.Atoi(string(rest[at]))
		return n
	}
	s := Stat{State: string(rest[0]), Parent: number(1), CPU: time.Duration(number(11)+number(12)) * tick, Exit: number(len(rest) - 1)}
	if len(rest) > 25 {
		s.Stack = number(25)
	}
	return s, nil
}

// Parent returns the number of the process's parent.
func Parent(pid int) (int, error) {
	s, err := ReadStat(pid)
	return s.Parent, err
}

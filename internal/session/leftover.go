package session

import (
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// alive reports whether there is a process of this number.
func alive(pid int) bool {
	return pid > 0 && syscall.Kill(pid, 0) != syscall.ESRCH
}

// Going into the background takes two forks; between them a look at all processes may see neither child.
const (
	looks     = 3
	lookAgain = 30 * time.Millisecond
)

// leftover lists the processes that were started under this run's directory and still run, as those of a
// command that goes into the background.
func leftover(dir string) []int {
	for range looks - 1 {
		if pids := runningUnder(dir); len(pids) > 0 {
			return pids
		}
		time.Sleep(lookAgain)
	}
	return runningUnder(dir)
}

func runningUnder(dir string) []int {
	paths, _ := filepath.Glob("/proc/[0-9]*")
	var pids []int
	for _, path := range paths {
		name := filepath.Base(path)
		if pid, err := strconv.Atoi(name); err == nil && startedUnder(name, dir) {
			pids = append(pids, pid)
		}
	}
	return pids
}

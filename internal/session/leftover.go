package session

import (
	"time"

	"github.com/torchleak/torchleak/internal/inject"
	"github.com/torchleak/torchleak/internal/process"
)

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

func runningUnder(dir string) (pids []int) {
	for _, pid := range process.All() {
		if startedUnder(pid, dir) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// startedUnder reports whether a process has the run's directory in the environment it was started with.
func startedUnder(pid int, dir string) bool {
	return process.StartedWith(pid, inject.RunDirectory, dir)
}

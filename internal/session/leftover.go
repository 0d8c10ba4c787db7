package session

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/inject"
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
	mark := []byte("\x00" + inject.RunDirectory + "=" + dir + "\x00")
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, path := range paths {
		// Those of others cannot be read, and a process that has just ended has none.
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), mark) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

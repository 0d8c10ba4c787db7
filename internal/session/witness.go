package session

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/torchleak/torchleak/internal/process"
)

// witness is a process in our group that gets the signals we get, unless they were meant for us alone, and keeps them
// pending. A signal does not tell whether it was sent to one process or to all of a group: a key of the terminal, `kill`
// of a whole job or the end of a service reaches the target without our help, and handed on it would come twice.
type witness struct {
	cmd   *exec.Cmd
	alive io.Closer // its standard input: it ends when we do
}

// settling is how long a signal for many processes may take to be at all of them.
const settling = 30 * time.Millisecond

// newWitness starts a witness; nil where that cannot be done. A signal is then handed on always: twice is better than
// never.
func newWitness() *witness {
	cmd := exec.Command("cat")
	cmd.Env, cmd.Dir = []string{}, "/"
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil
	}
	if err := startBlocked(cmd); err != nil {
		return nil
	}
	return &witness{cmd, in}
}

// startBlocked starts cmd with all signals that can be blocked blocked, those of job control left out. A process
// inherits the mask of the thread that starts it.
func startBlocked(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var blocked, before unix.Sigset_t
	for _, sig := range handedOn {
		word := uint(sig-1) / wordBits
		blocked.Val[word] |= 1 << (uint(sig-1) % wordBits)
	}
	if err := unix.PthreadSigmask(unix.SIG_BLOCK, &blocked, &before); err != nil {
		return err
	}
	defer unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
	return cmd.Start()
}

const wordBits = strconv.IntSize

// pending is the set of signals that have come to the witness, a bit each.
func (w *witness) pending() uint64 {
	if w == nil {
		return 0
	}
	status, err := os.ReadFile(process.File(w.cmd.Process.Pid, "status"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if mask, ok := strings.CutPrefix(line, "ShdPnd:"); ok {
			set, _ := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
			return set
		}
	}
	return 0
}

// end takes the witness away.
func (w *witness) end() {
	if w == nil {
		return
	}
	w.alive.Close()
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait()
}

package attach

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/process"
)

// remote is the way that Python has from 3.14 on, PEP 768: the interpreter looks, between two instructions, whether it was
// given a file to run. The same interpreter, started for that, writes it there by sys.remote_exec: it knows the layout of
// its own kind. The process does not stand still for it.
type remote struct{}

func (remote) Name() string { return "remote" }

// firstRemote is the first version with sys.remote_exec, as in Py_Version.
const firstRemote = 0x030e0000

func (remote) Available(pid int) error {
	found, err := findFunctions(pid)
	if err != nil {
		return err
	}
	if found.version < firstRemote {
		return ErrTooOld
	}
	return nil
}

const remoteExec = "import sys; sys.remote_exec(int(sys.argv[1]), sys.argv[2])"

func (remote) Ask(pid int, file string) (time.Duration, error) {
	cmd, err := interpreter(pid)
	if err != nil {
		return 0, err
	}
	cmd.Args = append(cmd.Args, "-I", "-S", "-c", remoteExec, strconv.Itoa(pid), file)
	cmd.Dir, cmd.Env = "/", plainEnviron()
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return 0, nil
	case !process.Alive(pid):
		return 0, ErrGone
	case errors.Is(err, os.ErrPermission), bytes.Contains(out, []byte("PermissionError")), bytes.Contains(out, []byte("Operation not permitted")):
		return 0, ErrRefused
	case bytes.Contains(out, []byte("not enabled")):
		return 0, ErrShut
	}
	return 0, fmt.Errorf("its interpreter, started once more to ask it: %w %s", err, lastLine(out))
}

// interpreter is the program that a process runs, to be started once more under the same root.
func interpreter(pid int) (*exec.Cmd, error) {
	exe, err := os.Readlink(proc(pid, "exe"))
	if err != nil {
		return nil, ErrRefused
	}
	root, err := os.Readlink(proc(pid, "root"))
	if err != nil {
		return nil, ErrRefused
	}
	if root == "/" {
		return exec.Command(exe), nil
	}
	// The link tells the way from our root.
	exe = filepath.Join("/", strings.TrimPrefix(exe, root))
	return &exec.Cmd{Path: exe, Args: []string{exe}, SysProcAttr: &syscall.SysProcAttr{Chroot: root}}, nil
}

package attach

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	exe, err := os.Readlink(process.File(pid, "exe"))
	if err != nil {
		return ErrRefused
	}
	if !interpreterFile.MatchString(filepath.Base(strings.TrimSuffix(exe, " (deleted)"))) {
		return ErrBuiltIn
	}
	if _, err := exec.LookPath("nsenter"); err != nil && len(apart(pid)) > 0 {
		return ErrNoEnter
	}
	return nil
}

// interpreterFile is a program that is nothing but Python. Another that has Python built in would, started once more, do what it is for.
var interpreterFile = regexp.MustCompile(`^python[0-9.]*[a-z]*$`)

const remoteExec = "import sys; sys.remote_exec(int(sys.argv[1]), sys.argv[2])"

func (remote) Ask(pid int, file string) (time.Duration, error) {
	cmd, inside, err := interpreter(pid)
	if err != nil {
		return 0, err
	}
	cmd.Args = append(cmd.Args, "-I", "-S", "-c", remoteExec, strconv.Itoa(inside), file)
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
	return 0, fmt.Errorf("its interpreter, started once more to ask it: %w%s", err, lastWords(out))
}

// callOff gives the process nothing to run in the place of a file that it has not come to: Python would say on the training's
// standard error that it is not there.
func (r remote) callOff(pid int) { _, _ = r.Ask(pid, os.DevNull) }

// interpreter is the program that a process runs, to be started once more where that sees the same files and processes, and
// the number of the process there.
func interpreter(pid int) (cmd *exec.Cmd, inside int, err error) {
	exe, err := os.Readlink(process.File(pid, "exe"))
	if err != nil {
		return nil, 0, ErrRefused
	}
	root, err := os.Readlink(process.File(pid, "root"))
	if err != nil {
		return nil, 0, ErrRefused
	}
	exe = filepath.Join("/", strings.TrimPrefix(exe, root)) // the link tells the way from our root
	if kinds := apart(pid); len(kinds) > 0 {
		status, err := process.ReadStatus(pid)
		cmd = exec.Command("nsenter", append(kinds, "--target", strconv.Itoa(pid), "--root", "--wd", "--", exe)...)
		return cmd, status.Inside, err
	}
	cmd = &exec.Cmd{Path: exe, Args: []string{exe}}
	if root != "/" {
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	}
	return cmd, pid, nil
}

// namespaces are those that decide what sys.remote_exec finds, by their names in /proc, with nsenter's words for them.
var namespaces = [][2]string{{"user", "--user"}, {"mnt", "--mount"}, {"pid", "--pid"}}

// apart returns nsenter's words for the namespaces that a process does not share with us, as one in a container.
func apart(pid int) (kinds []string) {
	for _, n := range namespaces {
		if shared, err := shares(pid, n[0]); err == nil && !shared {
			kinds = append(kinds, n[1])
		}
	}
	if len(kinds) > 0 && kinds[0] == "--user" {
		kinds = append(kinds, "--preserve-credentials") // ours are there what the process's are
	}
	return kinds
}

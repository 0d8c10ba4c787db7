package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/attach"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/process"
)

// refused says why a process cannot be attached to, and what to do.
func refused(err error, pid int) error {
	return &UserError{fmt.Errorf("cannot attach to process %d: %w", pid, err), strings.TrimSpace(refusal(err, pid) + " " + trainings(err, pid))}
}

// launches reports whether a process is a launcher by its command line.
func launches(pid int) bool {
	argv, _ := process.Command(pid)
	return finding.Target{Argv: argv}.Launches()
}

// trainings names the processes under one that was refused for what a launcher is refused for as well.
func trainings(err error, pid int) string {
	const most = 8 // as many as a machine has GPUs
	if !slices.ContainsFunc([]error{attach.ErrLauncher, attach.ErrBlocked, attach.ErrNotPython, attach.ErrNoTorch}, func(e error) bool { return errors.Is(err, e) }) {
		return ""
	}
	below := attach.Below(pid)
	if len(below) == 0 {
		return ""
	}
	var named []string
	for _, n := range below[:min(most, len(below))] {
		named = append(named, strconv.Itoa(n))
	}
	if len(below) > most {
		named = append(named, "…")
	}
	return fmt.Sprintf("Processes with PyTorch that it has started: %s.", strings.Join(named, ", "))
}

func refusal(err error, pid int) string {
	for _, known := range []struct {
		err  error
		hint string
	}{
		{attach.ErrGone, "`pgrep -af python` lists those that run. A training that ended while torchleak attached did so by itself."},
		{attach.ErrEnded, "`pgrep -af python` lists those that run."},
		{attach.ErrThread, "Give the number of the process."},
		{attach.ErrOthers, "torchleak attaches to its own user's processes only: run it as that user, as with sudo -u NAME."},
		{attach.ErrStopped, fmt.Sprintf("Let it run: kill -CONT %d", pid)},
		{attach.ErrTraced, "A process can have one: end that first."},
		{attach.ErrNotPython, "A launcher such as torchrun, or a shell, has the training as its child: `pgrep -af python` lists those that run."},
		{attach.ErrSymbols, "A static or stripped build hides them. Start the training under `torchleak run` the next time."},
		{attach.ErrUnseen, fmt.Sprintf("It lives in a container, or under another root: let the recording lie there, with --dir /proc/%d/root/tmp/torchleak, or run torchleak inside.", pid)},
		{attach.ErrTooOld, "Take another --method."},
		{attach.ErrShut, "By PYTHON_DISABLE_REMOTE_DEBUG, or -X disable-remote-debug. A debugger gets in all the same: --method auto takes one that is installed, as by apt-get install gdb."},
		{attach.ErrBuiltIn, "Only an interpreter can: take --method gdb, or lldb."},
		{attach.ErrNoEnter, "Install it, as with apt-get install util-linux, or take --method gdb."},
		{attach.ErrNotFound, "Install one where the training runs, as with apt-get install gdb, or lldb and python3."},
		{attach.ErrNoPython, "Install a gdb that has it, as those of the distributions do, or take --method lldb."},
		{attach.ErrMachine, "Start the training under `torchleak run` the next time."},
		{attach.ErrRefused, whoMay(attach.Scope())},
		{attach.ErrShielded, "It has given up rights that it was started with, or asked for this by prctl(PR_SET_DUMPABLE, 0). Start the training under `torchleak run` the next time."},
		{attach.ErrElsewhere, "Install gdb, or run torchleak inside."},
		{attach.ErrFailed, "What it had changed in the process was put back: try again, or take another --method."},
		{attach.ErrBlocked, "It waits in native code, such as for the GPU, a lock or a disk. Nothing was changed in it: try again when it makes steps. A launcher such as torchrun makes none itself."},
		{attach.ErrNoTorch, "Is it the process that trains? Launchers have it as their child. One that has just started may not have come to it yet."},
		{attach.ErrLauncher, "Attach to one of those that it has started."},
		{attach.ErrFiles, raised(pid, "--nofile=1024")},
		{attach.ErrSpace, raised(pid, "--as=unlimited --data=unlimited")},
		{attach.ErrFileSize, raised(pid, "--fsize=unlimited")},
		{attach.ErrOccupied, "It was started by `torchleak run`, or attached to: its recording has the same report, see `torchleak report` and `torchleak ui`."},
		{attach.ErrOld, "Nothing can be done for an older one."},
	} {
		if errors.Is(err, known.err) {
			return known.hint
		}
	}
	return "The training goes on as it was. Start it under `torchleak run` the next time."
}

// raised is how a limit is raised by prlimit's flags. Only who has a capability may raise a hard one.
func raised(pid int, flags string) string {
	return fmt.Sprintf("Raise its limit while it runs: prlimit --pid %d %s. This needs CAP_SYS_RESOURCE where the hard limit, which prlimit --pid %d shows, is as low; "+
		"without it, start the training under `torchleak run` the next time.", pid, flags, pid)
}

// whoMay is what to do where the system refuses, by kernel.yama.ptrace_scope.
func whoMay(scope string) string {
	switch scope {
	case "", "0":
	case "3":
		return "It stays so until the machine is started anew. Start the training under `torchleak run` the next time."
	default:
		return "As root, sysctl kernel.yama.ptrace_scope=0 for the time of it, or run torchleak as root where the training is root's too."
	}
	return "In a container this takes the capability: docker run --cap-add=SYS_PTRACE, in Kubernetes securityContext.capabilities.add: [SYS_PTRACE]."
}

package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/session"
)

// silence explains a run in which nothing was watched, and what to do.
func silence(r session.Result, argv []string) (msg, hint string) {
	if r.Removed {
		return "the recording was removed, or renamed, while the training ran",
			"The training, and what cleans up beside it, must leave the recording alone until the end; --dir puts it elsewhere."
	}
	if len(r.Left) > 0 {
		return "the command has ended, but processes it started still run: they are not watched any more",
			fmt.Sprintf("Start the training so that it stays in the foreground. They are %s.", numbers(r.Left))
	}
	if r.Stopped == session.StoppedByTimeout {
		done, flag := "the training was stopped", "--timeout"
		if r.GoesOn {
			done, flag = "the training goes on", "--duration"
		}
		return "no step was seen in the time given, " + done,
			"Give it more time with " + flag + ". A step is an optimizer step, a backward pass, a module's forward or a loader's batch."
	}
	if len(r.Notes) > 0 {
		return mute(r.Notes, argv)
	}
	switch r.Contact {
	case session.Nested:
		return "the command starts a torchleak of its own, which watched the training instead", "Its report counts; leave one of the two out."
	case session.NoProbe:
		return "the probe was not loaded, nothing was watched",
			"It comes in through PYTHONPATH: python -I, -E and -S ignore that, a script that sets PYTHONPATH anew must end it in :$PYTHONPATH, " +
				"and sudo, su, env -i and containers start without it, or as one who may not read it; there run torchleak inside. Python must be 3.8 or newer."
	case session.NoTorch:
		if r.Exit != 0 {
			return fmt.Sprintf("the command ended with status %d before it imported torch", r.Exit), "Its own messages are above."
		}
		return "the command never imported torch, nothing was watched",
			fmt.Sprintf("Is this the Python of the training? Try: %s -c 'import torch'", python(argv))
	}
	if r.Exit != 0 {
		return fmt.Sprintf("the command ended with status %d before its first step", r.Exit), "Its own messages are above."
	}
	return "torch was imported, but no step was seen",
		"A step is an optimizer step, a backward pass, a module's forward or a loader's batch; `import torchleak; torchleak.step()` marks one by hand."
}

// helper says of a process without steps which one trains, perhaps.
func helper(above int) string {
	return fmt.Sprintf("It may be a loader worker or another helper: process %d, which has started it, has PyTorch too and may be the training.", above)
}

// mute says why a training was not recorded. argv is the command that was to start it.
func mute(reasons, argv []string) (msg, hint string) {
	msg = "the probe could not record: " + reasons[0]
	if strings.HasPrefix(reasons[0], recording.NoFlight) {
		return msg, "Name a directory with room for the recording with --dir; `ulimit -a` shows how large files may be, and how many may be open."
	}
	return msg, "PyTorch 1.13 and newer can be watched. Which is it? Try: " + python(argv) + " -c 'import torch; print(torch.__file__, torch.__version__)'"
}

// python is the interpreter that a command names, or the usual one where it starts a launcher or a shell.
func python(argv []string) string {
	if len(argv) > 0 && strings.HasPrefix(filepath.Base(argv[0]), "python") {
		return argv[0]
	}
	return "python"
}

// numbers lists processes, the first few of many.
func numbers(pids []int) string {
	const most = 5
	var b strings.Builder
	for i, pid := range pids {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(pids)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "process %d", pid)
	}
	return b.String()
}

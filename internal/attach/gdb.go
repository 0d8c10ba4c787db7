package attach

import (
	_ "embed"
	"os/exec"
)

//go:embed gdb.py
var gdbScript string

// gdb runs the plan in its own Python.
var gdb = debugger{
	name:    "gdb",
	needs:   []string{"gdb"},
	dialect: gdbScript,
	// The addresses are known. That gdb finds none of the process's files saves it from opening hundreds of libraries while the
	// process stands still, nine tenths of that time.
	command: func(script string) *exec.Cmd {
		return exec.Command("gdb", "-nx", "-nh", "-batch", "-iex", "set sysroot /dev/null", "-iex", "set auto-solib-add off",
			"-iex", "set debuginfod enabled off", "-iex", "set auto-load no", "-x", script)
	},
}

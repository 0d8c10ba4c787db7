package attach

import _ "embed"

//go:embed gdb.py
var gdbScript string

// gdb runs the plan in its own Python.
var gdb = debugger{
	name:    "gdb",
	needs:   []string{"gdb"},
	dialect: gdbScript,
	// The addresses are known. That gdb finds none of the process's files saves it from opening hundreds of libraries while the
	// process stands still, nine tenths of that time. Without threads of its own it gets signals when the plan lets it.
	command: []string{"gdb", "-nx", "-nh", "-batch", "-iex", "set sysroot /dev/null", "-iex", "set auto-solib-add off",
		"-iex", "set debuginfod enabled off", "-iex", "maint set worker-threads 0", "-iex", "set auto-load no", "-ex", "python " + plan},
}

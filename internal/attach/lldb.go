package attach

import _ "embed"

//go:embed lldb.py
var lldbScript string

// lldb runs the plan in any Python, which asks the part of lldb that is at a process.
var lldb = debugger{
	name:    "lldb",
	needs:   []string{"lldb-server", "python3"},
	dialect: lldbScript,
	near:    true,
	command: []string{"python3", "-I", "-S", "-c", plan},
}

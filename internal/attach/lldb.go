package attach

import (
	_ "embed"
	"os/exec"
)

//go:embed lldb.py
var lldbScript string

// lldb runs the plan in any Python, which asks the part of lldb that is at a process.
var lldb = debugger{
	name:    "lldb",
	needs:   []string{"lldb-server", "python3"},
	dialect: lldbScript,
	near:    true,
	command: func(script string) *exec.Cmd { return exec.Command("python3", "-I", "-S", script) },
}

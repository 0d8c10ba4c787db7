package profiling

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/profile"
)

// call is one level of a stack as profile viewers show it.
type call struct {
	name, file string
	line       int
}

// stackOf is where a row was made, outermost first. The operator ends it; what is older than the window has its category
// and its owner in place of a stack.
func stackOf(r *profile.Row) []call {
	if r.Operator == profile.Older {
		calls := []call{{name: profile.Older}, {name: string(r.Category)}}
		if r.Owner != "" {
			calls = append(calls, call{name: r.Owner})
		}
		return calls
	}
	var calls []call
	for i := len(r.Stack) - 1; i >= 0; i-- {
		at := r.Stack[i]
		calls = append(calls, call{at.Function, at.File, at.Line})
	}
	return append(calls, call{name: operator(r.Origin)})
}

// operator names an operator for programs.
func operator(o profile.Origin) string {
	switch {
	case o.Backward && o.Of != "":
		return o.Operator + " in backward of " + o.Of
	case o.Backward:
		return o.Operator + " in backward"
	}
	return o.Operator
}

// title names a memory of a process.
func title(p *profile.Process, m *profile.Memory) string {
	if p.WorldSize > 1 {
		return fmt.Sprintf("rank %d %s", p.Rank, m.Name)
	}
	return m.Name
}

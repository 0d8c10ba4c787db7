package profile

import "strings"

// Phases as the probe names them.
const (
	forward    = "forward"
	backward   = "backward"
	optimizer  = "optimizer"
	evaluation = "evaluation"
)

// calls reads the operators that ran. One of backward is laid where its forward was.
func (f *file) calls() []Call {
	stacks := make([][]Place, len(f.Stacks))
	sites := make([][2]Place, len(f.Stacks))
	for i, numbers := range f.Stacks {
		for _, n := range numbers {
			stacks[i] = append(stacks[i], f.Frames[n].Place)
		}
		sites[i] = f.site(numbers)
	}
	calls := make([]Call, len(f.Ops.Operator))
	for i := range calls {
		at := i
		if tie := f.Ops.Tie[i]; tie >= 0 {
			at = tie
			calls[i].Of = f.Operators[f.Ops.Operator[tie]]
		}
		c := &calls[i]
		c.Operator = f.Operators[f.Ops.Operator[i]]
		c.Phase = f.Phases[f.Ops.Phase[i]]
		c.Backward = c.Phase == backward
		c.Begin, c.End, c.tracked = f.Ops.Begin[i], max(f.Ops.End[i], f.Ops.Begin[i]), f.Ops.Tracked[i] == 1
		if m := f.Ops.Module[at]; m >= 0 {
			c.Module = f.Modules[m]
		}
		if s := f.Ops.Stack[at]; s >= 0 {
			c.Stack, c.Site, c.Inside, c.stack = stacks[s], sites[s][0], sites[s][1], s+1
		}
	}
	return calls
}

// site is the innermost frame of the user's, and the innermost of a package that it led to. Without one of the user's,
// the package's is the site.
func (f *file) site(stack []int) (places [2]Place) {
	for i, n := range stack {
		if f.Frames[n].User {
			places[0] = f.Frames[n].Place
			if i > 0 {
				places[1] = f.Frames[stack[0]].Place
			}
			return places
		}
	}
	if len(stack) > 0 {
		places[0] = f.Frames[stack[0]].Place
	}
	return places
}

// Origin is where what the call makes comes from.
func (c *Call) Origin() Origin {
	return Origin{c.Operator, c.Of, c.Backward, c.Site, c.Inside, c.Module}
}

// inForward says whether what a call makes is a part of the model's forward, or of the loss.
func (c *Call) inForward() bool {
	if c.Phase == backward || c.Phase == optimizer {
		return false
	}
	return c.tracked || c.Module != "" || c.Phase == forward || c.Phase == evaluation
}

// moduleOf is the path of the module that a parameter belongs to.
func moduleOf(name string) string {
	return name[:max(0, strings.LastIndexByte(name, '.'))]
}

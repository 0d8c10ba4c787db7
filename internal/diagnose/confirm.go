package diagnose

import (
	"math"
	"strings"

	"github.com/torchleak/torchleak/internal/detect"
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

// Confirm is what evidence says to the detector of a memory. It is false where the evidence cannot speak: growth takes
// two censuses to see.
func Confirm(e *evidence.Evidence, memory string) (detect.Confirmation, bool) {
	if e == nil || len(e.Censuses) < 2 {
		return detect.Confirmation{}, false
	}
	answer := detect.Confirmation{Step: e.LastStep()}
	unclaimed, opaque := false, false
	weight, loose, cycles, limited, bound, age := 0.0, 0.0, 0.0, 0.0, int64(0), int64(0)
	var young emptied
	for _, c := range all(e, finding.Memory{Name: memory}) {
		switch {
		case c.holder != nil && c.holder.Emptied:
			answer.Emptied = true
			continue
		case c.bounded():
			limited += c.weight()
			bound = max(bound, c.bound())
			if steps := c.filling(); steps > 0 {
				answer.Filling = max(answer.Filling, steps)
				answer.FillingBytes += c.weight()
			}
			continue
		case c.holder != nil && c.holder.Emptier != "" && !c.remote():
			young.add(c, memory)
			continue
		case c.cycle != nil || c.kind() == "cycle" || c.circular() && e.GC.Enabled:
			cycles += c.weight()
		case c.steady && memory == "host" && c.registry():
			answer.Survivors, opaque = true, true
		case c.steady && memory == "host" && c.kind() == "container" && c.holder.Native:
			answer.Survivors, opaque = true, true
		case c.steady && c.kind() == "container" && c.segments():
			answer.Survivors, opaque = true, true
		case c.steady && memory == "host" && c.numbers() && c.weight() < least:
			continue
		case c.steady && c.unclaimed():
			loose += c.weight()
			unclaimed = true
		case c.steady:
			answer.Survivors = true
			answer.Hooks = answer.Hooks || c.kind() == "hooks"
		default:
			continue
		}
		weight += c.weight()
		answer.Entries += c.elements
		age = max(age, c.age())
		answer.Holder = answer.Holder || c.holder != nil && c.holder.Path != ""
	}
	// Beside garbage cycles, what nothing was found to hold belongs to them, unless they are a trifle beside it.
	answer.Survivors = answer.Survivors || unclaimed && cycles <= loose/8
	if profiler(e) != nil {
		answer.Survivors, answer.Holder, opaque = true, true, true
	}
	if traces(e) {
		answer.Survivors, opaque = true, true
	}
	if opaque {
		weight = 0 // what is kept lies in C++: how much it is is not known
	}
	if age < unlimited {
		answer.Age = age
	}
	answer.BytesPerStep = int64(weight + 0.5)
	young.join(&answer, weight)
	answer.Cycle = cycles > 0 && cycles >= weight/2
	if limited > 0 && limited >= enough*(limited+weight) {
		// Most of the growth lies in holders that let go of their oldest entry in the end.
		answer.Survivors, answer.Holder, answer.Bound = true, true, bound
		answer.BytesPerStep += int64(limited + 0.5)
	}
	return answer, true
}

// least is how many bytes a step a container without tensors must take to be a leak: a training writes down numbers.
const least = 1024

// numbers reports a container that grows without tensors in it, or one value that does: a string, an array.
func (c *candidate) numbers() bool {
	return (c.kind() == "container" || c.kind() == "slot") && len(c.groups) == 0
}

// registry reports a container of torch's own: it writes down no numbers, and what it keeps lies mostly in C++.
func (c *candidate) registry() bool { return c.numbers() && strings.HasPrefix(c.holder.Path, "torch.") }

// profiler is the profiler that is on, as far as a name of the program leads to it: it keeps an event for every operator
// until it is left.
func profiler(e *evidence.Evidence) *evidence.Holder {
	if called(e, "profiler_on") == nil {
		return nil
	}
	for i := range e.Holders {
		if h := &e.Holders[i]; h.Kind == "native" && h.Type != "" && h.Scope.Name != "" {
			return h
		}
	}
	return nil
}

// traces reports that a model is traced in every step, or as often as the memory grows: what a trace registers in the
// process is never freed, and no object of Python's refers to it.
func traces(e *evidence.Evidence) bool {
	c := called(e, "jit_trace")
	return c != nil && e.WatchSteps > 0 && 2*c.Count*max(1, e.Period) >= e.WatchSteps
}

// bound is the number of steps that fill the candidate's holder from empty.
func (c *candidate) bound() int64 {
	if c.elements <= 0 {
		return *c.holder.MaxLen
	}
	return int64(float64(*c.holder.MaxLen)/c.elements) + 1
}

// filling is how many steps the candidate's holder takes until it is full.
func (c *candidate) filling() int64 {
	left := *c.holder.MaxLen - last(c.holder.Length)
	if c.elements <= 0 || left <= 0 {
		return 0
	}
	return int64(min(float64(left)/c.elements, 1<<32)) + 1
}

// emptied is what containers gain that the source empties or cuts down.
type emptied struct {
	weight, entries float64
	age             int64
	emptier         string
}

func (m *emptied) add(c *candidate, memory string) {
	if !c.steady || memory == "host" && c.numbers() && c.weight() < least {
		return
	}
	m.weight += c.weight()
	m.entries += c.elements
	if age := c.age(); age < unlimited && age > m.age {
		m.age = age
	}
	if m.emptier == "" {
		m.emptier = c.holder.Emptier
	}
}

// join says in an answer that most of what survives lies in such containers, where it does: what others hold weighs as
// much as given.
func (m *emptied) join(answer *detect.Confirmation, others float64) {
	if m.weight == 0 || m.weight < enough*(m.weight+others) {
		return
	}
	answer.Survivors, answer.Holder, answer.Emptier = true, true, m.emptier
	answer.Age, answer.Entries = m.age, answer.Entries+m.entries
	answer.BytesPerStep += int64(m.weight + 0.5)
}

// unlimited is the age of what shows none.
const unlimited = math.MaxInt64

// age is how many steps the candidate's container has gained entries as it does now to be as long as it is.
func (c *candidate) age() int64 {
	if c.kind() != "container" || c.elements <= 0 || len(c.holder.Length) == 0 {
		return unlimited
	}
	return int64(float64(last(c.holder.Length))/c.elements + 0.5)
}

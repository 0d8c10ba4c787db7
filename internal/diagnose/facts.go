package diagnose

import (
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

// A share of a memory's growth that is explained well enough to look no further.
const enough = 0.5

// facts returns candidates for calls that were seen and whose memory no Python object refers to, where the
// holders found do not explain the growth.
func facts(l *locate.Locator, e *evidence.Evidence, m finding.Memory, found []*candidate) []*candidate {
	var more []*candidate
	for _, f := range [...]struct{ what, rule string }{
		{"backward.create_graph", "TL107"},
		{"jit_trace", "TL121"},
		{"new_group", "TL116"},
		{"profiler_on", "TL118"},
		{"anomaly_on", "TL118"},
		{"module_forward_grad_eval", "TL105"},
	} {
		call := called(e, f.what)
		if call == nil || f.rule == "TL105" && !growsInEvaluation(e) {
			continue
		}
		if withRule(found, f.rule) != nil {
			if f.rule != "TL105" {
				moveToCall(l, e, f.rule, call, found)
			}
			continue
		}
		if explained(m, found) >= enough {
			continue
		}
		place, _ := l.At(call.Frames)
		if f.rule == "TL105" && evaluates(place, call, found) {
			continue
		}
		c := &candidate{memory: m, evidence: e, rule: f.rule, call: call, place: place}
		switch {
		case f.rule == "TL105":
			c.store = c.place // what keeps the result was not found
		case f.what == "profiler_on":
			c.ofProfiler(l)
		}
		more = append(more, c)
		break // one such fact takes what is left; the next run shows whether there is another
	}
	return more
}

// evaluates gives the fact that a model in eval mode ran with gradients on to what the very statement fills, and reports
// whether there is such a thing.
func evaluates(run locate.Place, call *evidence.Call, found []*candidate) bool {
	for _, c := range found {
		if c.holder != nil && c.hasGraph() && sameStatement(c.place, run) {
			c.rule, c.call, c.store = "TL105", call, c.place
			return true
		}
	}
	return false
}

// ofProfiler names the profiler that is on, and the statement that switched it on.
func (c *candidate) ofProfiler(l *locate.Locator) {
	h := profiler(c.evidence)
	if h == nil {
		return
	}
	c.holder = h
	if p, ok := l.Starts(*h); ok {
		c.place = p
	}
}

// moveToCall lays what holds something of a rule in sight at the call that was seen: it is the statement to change.
func moveToCall(l *locate.Locator, e *evidence.Evidence, rule string, call *evidence.Call, found []*candidate) {
	p, ok := l.At(call.Frames)
	if !ok {
		return
	}
	for _, c := range found {
		if c.rule == rule && c.evidence == e {
			c.call, c.place = call, p
		}
	}
}

// growsInEvaluation reports whether evaluations are what memory grew in most while it was watched.
func growsInEvaluation(e *evidence.Evidence) bool {
	var most evidence.Phase
	for _, p := range e.Phases {
		if p.Bytes > most.Bytes {
			most = p
		}
	}
	return most.Phase == "evaluation"
}

// groupsAdded lays growth of an optimizer's state at the call that adds parameter groups: the state follows.
func groupsAdded(l *locate.Locator, e *evidence.Evidence, found []*candidate) {
	call := called(e, "add_param_group")
	if call == nil {
		return
	}
	p, ok := l.At(call.Frames)
	if !ok {
		return
	}
	for _, c := range found {
		if c.kind() == "optimizer" {
			c.call, c.place = call, p
		}
	}
}

// strong leaves out what is often an effect of the cause, where the rest explains the growth.
func strong(m finding.Memory, found []*candidate) []*candidate {
	if kept := strongOnly(found); explained(m, kept) >= enough {
		return kept
	}
	return found
}

func strongOnly(found []*candidate) []*candidate {
	var kept []*candidate
	for _, c := range found {
		if !c.weak() {
			kept = append(kept, c)
		}
	}
	return kept
}

// weak reports whether the candidate may be an effect: tensors that nothing in Python was found to refer to (a census
// that ran out of time takes tensors for new and lost that are neither), a container that leads to them and did not
// grow, a name that leads to the newest of them only, and a name that is given a fresh value, not one made of its own.
func (c *candidate) weak() bool {
	if c.rule == "TL130" || c.rule == "TL106" && c.kind() == "native" {
		return true
	}
	if c.kind() == "container" && len(c.holder.Length) == 0 {
		return true
	}
	if c.kind() != "slot" {
		return false
	}
	if len(c.holder.Bytes) == 0 {
		return true
	}
	return c.place.Action == locate.Assign && c.place.Value != "" && !mentions(c.place.Value, c.place.Target)
}

// mentions reports whether an expression reads the name that a target ends in.
func mentions(value, target string) bool {
	if i := strings.IndexByte(target, '['); i > 0 {
		target = target[:i]
	}
	name := target[strings.LastIndexByte(target, '.')+1:]
	for at := 0; ; {
		i := strings.Index(value[at:], name)
		if i < 0 || name == "" {
			return false
		}
		start, end := at+i, at+i+len(name)
		if (start == 0 || !wordByte(value[start-1])) && (end == len(value) || !wordByte(value[end])) {
			return true
		}
		at = end
	}
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

func withRule(found []*candidate, rule string) *candidate {
	for _, c := range found {
		if c.rule == rule {
			return c
		}
	}
	return nil
}

// explained is the share of a memory's growth that the candidates weigh, 1 at most; 0 when the rate is not known and
// nothing was found.
func explained(m finding.Memory, found []*candidate) float64 {
	weight := 0.0
	for _, c := range found {
		weight += c.weight()
	}
	if r := rate(m); r > 0 {
		return min(weight/float64(r), 1)
	}
	if weight > 0 {
		return 1
	}
	return 0
}

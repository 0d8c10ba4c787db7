package diagnose

import (
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// write is the statement seen most often to fill the holder, nil when none was seen.
func (c *candidate) write() *evidence.Write {
	if c.holder == nil {
		return nil
	}
	var best *evidence.Write
	for i := range c.holder.Writes {
		if w := &c.holder.Writes[i]; best == nil || w.Count > best.Count {
			best = w
		}
	}
	return best
}

func (c *candidate) phase() string {
	if w := c.write(); w != nil {
		return w.Phase
	}
	return ""
}

// inEvaluation reports whether the tensors were stored while no training was going on: the probe saw an evaluation, the
// module was in eval mode, or a module in eval mode ran with gradients on in the same function.
func (c *candidate) inEvaluation() bool {
	if w := c.write(); w != nil {
		if w.GradEnabled != nil && !*w.GradEnabled && c.graphBytes == 0 {
			return false
		}
		if w.Phase == "evaluation" || w.ModuleTraining != nil && !*w.ModuleTraining {
			return true
		}
	}
	return c.gradInEvaluation() != nil
}

// modeUnknown reports whether the watch did not see in which mode the model was when the tensors were stored.
func (c *candidate) modeUnknown() bool {
	w := c.write()
	return w == nil || w.ModuleTraining == nil && w.Phase != "forward" && w.Phase != "backward"
}

// gradInEvaluation is the fact that a module in eval mode ran with gradients on where the storing happens: in the
// function that stores, or under a statement that does both.
func (c *candidate) gradInEvaluation() *evidence.Call {
	call, _ := c.evaluationFrames()
	return call
}

// evaluationFrames returns that fact with the stack of the statement that has to run without gradients. Where the
// evaluation and the storing part in a function higher up, it is that function's statement: functions below it may serve
// the training as well.
func (c *candidate) evaluationFrames() (*evidence.Call, []finding.Frame) {
	for i := range c.evidence.Calls {
		call := &c.evidence.Calls[i]
		if call.What != "module_forward_grad_eval" || len(call.Frames) == 0 {
			continue
		}
		if c.place.Location.File == "" || sameFunction(call.Frames[0].Function, c.place.Function) {
			return call, call.Frames
		}
		if w := c.write(); w != nil {
			if j := parting(call.Frames, w.Frames); j >= 0 {
				return call, call.Frames[j:]
			}
		}
	}
	return nil, nil
}

// parting is the frame of a stack at which another one leaves it: the statement beside the other's in the function that
// runs both, or one statement that does both, as in `history.record(validate(model))`. Below zero where they have
// nothing in common.
func parting(stack, other []finding.Frame) int {
	for j, f := range stack {
		k := slices.Index(other, f)
		if k < 0 {
			continue
		}
		if j > 0 && k > 0 && stack[j-1].File == other[k-1].File && stack[j-1].Function == other[k-1].Function {
			return j - 1
		}
		return j
	}
	return -1
}

// sameFunction compares a frame's function with a place's: the frame may carry the class as well.
func sameFunction(frame, place string) bool {
	return frame == place || strings.HasSuffix(frame, "."+place)
}

// graphDominates reports whether the graphs kept weigh more than the tensors that keep them: saved activations of forwards
// whose backward never ran.
func (c *candidate) graphDominates() bool {
	if c.graphBytes > c.tensorBytes {
		return true
	}
	for _, g := range c.groups {
		if g.GraphTruncated && grown(g.GraphNodes) > 0 && grown(g.GraphBytes) == 0 {
			return true // the walk could not read what the nodes save
		}
	}
	return false
}

// throughHook reports whether a module hook leads to the holder.
func (c *candidate) throughHook() bool { return c.holder != nil && c.holder.Hook != nil }

// inForward reports whether the tensors were stored while a module ran forward, or a hook in its backward.
func (c *candidate) inForward() bool {
	if c.throughHook() || c.phase() == "forward" || c.phase() == "backward" {
		return true
	}
	return c.place.Function == "forward" && c.place.Class != ""
}

// remembers reports whether the holder is a dict that a lookup of the same key comes before: a cache written by hand.
func (c *candidate) remembers() bool {
	if !strings.Contains(strings.ToLower(c.holder.Type), "dict") || !c.place.Readable() {
		return false
	}
	base, key, _ := strings.Cut(c.place.Target, "[")
	if base == "" {
		return false
	}
	key = strings.TrimSuffix(key, "]")
	text, get := scopeText(c.place), base+".get("+key
	return strings.Contains(text, key+" not in "+base) || strings.Contains(text, "if "+key+" in "+base+":") ||
		strings.Contains(text, get+",") || strings.Contains(text, get+")") || key == "" && strings.Contains(text, get) ||
		strings.Contains(text, "except KeyError") && strings.Contains(text, "return "+base+"[")
}

// scopeText is the source of the function that a place stands in, of the whole file on module level.
func scopeText(p locate.Place) string {
	if p.Scope == pysyntax.None {
		return p.File.Text(0)
	}
	return p.File.Text(p.Scope)
}

// Operators that make tensors out of data rather than out of a model.
var inputOperators = map[string]bool{
	"stack": true, "tensor": true, "as_tensor": true, "from_numpy": true, "frombuffer": true, "randn": true, "rand": true,
	"randint": true, "normal": true, "empty": true, "zeros": true, "ones": true, "full": true, "arange": true, "randperm": true,
	"__getitem__": true, "index_select": true, "default_collate": true, "randn_like": true, "bernoulli": true, "eye": true,
}

// isInput reports whether what is kept came from the data and not from the model.
func (c *candidate) isInput(l *locate.Locator) bool {
	g := c.group()
	if c.phase() == "data" {
		return true
	}
	if c.phase() == "evaluation" || c.kind() == "slot" && grown(g.Count) == 0 {
		return false // an evaluation's results, or one tensor made longer by cat
	}
	for _, b := range c.evidence.Births {
		if b.Group != g.ID || len(b.Frames) == 0 {
			continue
		}
		switch b.Operator {
		case "detach", "clone", "to", "cpu": // say nothing of where the values came from
		case "":
			p, ok := l.At(b.Frames)
			return ok && strings.HasPrefix(p.Location.Code, "for ") // the loop over the loader
		default:
			return inputOperators[b.Operator]
		}
	}
	if detaches(c.stored()) {
		return false
	}
	for _, f := range l.Origin(c.stored()) {
		if p, ok := l.At([]finding.Frame{f}); ok && (p.Action == locate.Evaluate || detaches(p)) {
			return false
		}
	}
	for _, f := range c.stored().Calls { // what a caller hands over
		if p, ok := l.At([]finding.Frame{f}); ok && detaches(p) {
			return false
		}
	}
	// Without a birth in user code it was made by the loader: collated, moved, indexed.
	return true
}

// detaches reports whether a statement takes a value off its graph: data has none.
func detaches(p locate.Place) bool { return strings.Contains(p.Location.Code, ".detach(") }

// called returns the fact of that name with the highest count, nil when it was not seen.
func called(e *evidence.Evidence, what string) *evidence.Call {
	var best *evidence.Call
	for i := range e.Calls {
		if c := &e.Calls[i]; c.What == what && (best == nil || c.Count > best.Count) {
			best = c
		}
	}
	return best
}

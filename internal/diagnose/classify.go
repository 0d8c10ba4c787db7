package diagnose

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/locate"
)

// classify lays the candidate at a rule by what was seen: kind of holder, graph, bytes, phase, grad mode, calls,
// element types. Names that the user chose decide nothing.
func (c *candidate) classify(l *locate.Locator) {
	switch c.kind() {
	case "hooks":
		c.rule = "TL109"
	case "cache":
		c.rule = "TL110"
	case "exception":
		c.rule = "TL112"
	case "cycle":
		c.rule = c.cycleRule()
	case "optimizer", "registry":
		c.rule = "TL114"
	case "slot":
		c.rule = c.slotRule(l)
	case "container":
		c.rule = c.containerRule(l)
	default:
		c.rule = c.nativeRule(l)
	}
}

// cycleRule tells circles through the graph node of a custom Function from circles of plain objects.
func (c *candidate) cycleRule() string {
	c.cycle = matchingCycle(c)
	if c.cycle == nil {
		return "TL117"
	}
	for _, name := range append([]string{c.cycle.Type, c.cycle.Path}, c.cycle.Sample...) {
		// torch's own nodes have a number behind the word.
		if name == "ctx" || strings.HasSuffix(name, ".ctx") || strings.HasSuffix(name, "Backward") {
			return "TL111"
		}
	}
	return "TL117"
}

// matchingCycle is the garbage cycle that the candidate's holder stands for: the one of its path or type, else the largest.
func matchingCycle(c *candidate) *evidence.Cycle {
	if c.cycle != nil {
		return c.cycle
	}
	var best *evidence.Cycle
	for i := range c.evidence.Cycles {
		y := &c.evidence.Cycles[i]
		if c.holder != nil && (y.Path != "" && y.Path == c.holder.Path || y.Type != "" && y.Type == c.holder.Type) {
			return y
		}
		if best == nil || y.Bytes > best.Bytes {
			best = y
		}
	}
	return best
}

// slotRule is for one name whose value's graph or storage grows.
func (c *candidate) slotRule(l *locate.Locator) string {
	g := c.group()
	history := g != nil && c.oneTensor()
	switch {
	case g == nil:
		return "TL119" // one value that grows and is no tensor: a string, an array
	case grown(g.Count) > 0 && len(g.Holders) == 1 && (!history || c.graphDominates() && c.inEvaluation()):
		return c.containerRule(l) // a name that leads to more and more tensors, such as a chain of objects
	case g.Category == "gradient":
		return "TL107"
	case c.nodes == 0 && c.graphBytes == 0 && !history && grown(g.Count) == 0 && !scalar(g):
		return "TL104" // one tensor made longer by cat in every step, whatever made the pieces
	case c.nodes == 0 && c.graphBytes == 0 && !history:
		return c.plainRule(l)
	case g.Category != "buffer" && scalar(g):
		return "TL103"
	case c.longer() && !scalar(g) && c.tensorBytes >= c.graphBytes:
		return "TL104" // cat with the graph on: the tensor grows more than its history
	}
	return "TL108"
}

// oneTensor reports whether the holder is a name of one tensor with a graph. More tensors like it are then those that
// its graph saved in earlier steps: nothing but the history of the one keeps them.
func (c *candidate) oneTensor() bool {
	g := c.group()
	return g.GradFn != "" && grown(g.Count) > 0 && (c.holder.Type == g.Type || c.holder.Type == "Tensor")
}

// longer reports whether the tensor in a slot has more bytes from census to census, its graph aside.
func (c *candidate) longer() bool {
	if len(c.holder.Bytes) > 0 {
		return grown(c.holder.Bytes) > 0
	}
	return grown(c.group().Bytes) > 0
}

// Types whose entries say what is kept.
var (
	exceptionType = regexp.MustCompile(`(^|\.)(Exception|BaseException|KeyboardInterrupt|StopIteration|\w+(Error|Exception|Warning))$`)
	figureType    = regexp.MustCompile(`(^|\.)(Figure\w*|Profiler\w*|profile|EventList|FunctionEvent|\w*ProfilerEvent)$`)
	groupType     = regexp.MustCompile(`(^|\.)(ProcessGroup\w*)$`)
	traceType     = regexp.MustCompile(`(^|\.)(ScriptModule|TopLevelTracedModule|TracedModule|RecursiveScriptModule|ScriptFunction|OptimizedModule)$`)
	moduleType    = regexp.MustCompile(`(^|\.)(ModuleList|ModuleDict|ParameterList|ParameterDict|Sequential)$`)
)

// groupRegistry is the module that notes each process group, what it is for and who is in it, in several containers of its own.
const groupRegistry = "torch.distributed.distributed_c10d"

// containerRule is for a list, dict, set or queue that gets longer.
func (c *candidate) containerRule(l *locate.Locator) string {
	elements := c.holder.Elements
	switch {
	case c.circular():
		return "TL117"
	case exceptionType.MatchString(elements):
		return "TL112"
	case figureType.MatchString(elements):
		return "TL118"
	case groupType.MatchString(elements), c.holder.Scope.Module == groupRegistry:
		return "TL116"
	case traceType.MatchString(elements):
		return "TL121"
	}
	g := c.group()
	if g == nil {
		return "TL119"
	}
	switch {
	case moduleType.MatchString(c.holder.Type) || elements == "Parameter":
		return "TL114"
	case g.Category != "" && g.Category != "gradient", c.copiesOfState():
		return "TL115"
	case g.Shared:
		return "TL120"
	}
	if c.hasGraph() {
		return c.graphRule(l)
	}
	return c.plainRule(l)
}

// circular reports whether objects that refer to each other are the likely holder, though no circle was followed to its
// end: no name leads to the object that holds the tensors. A plain container of that kind may be held by C code, as the
// arguments of a callback of atexit, and an iterator by the loop that runs over it, unless a circle was seen beside it or
// the collector is off.
func (c *candidate) circular() bool {
	if !c.rootless() {
		return false
	}
	return !unowned[c.holder.Type] || len(c.evidence.Cycles) > 0 || !c.evidence.GC.Enabled
}

// unowned are types that are held without a name in a healthy program.
var unowned = map[string]bool{
	"tuple": true, "list": true, "dict": true, "set": true,
	"enumerate": true, "zip": true, "map": true, "filter": true, "islice": true, "chain": true, "generator": true,
	"list_iterator": true, "tuple_iterator": true, "dict_itemiterator": true, "dict_valueiterator": true,
	"hamt": true, "hamt_bitmap_node": true, "hamt_array_node": true, // of contexts
}

// rootless reports whether a full search from all names of the program does not lead to the holder.
func (c *candidate) rootless() bool { return c.nameless() && !c.evidence.Truncated }

// nameless reports a container to which no name of the program was found to lead.
func (c *candidate) nameless() bool {
	return c.kind() == "container" && c.holder.Root == "" && c.holder.Scope.Name == ""
}

// unclaimed reports what no holder was found of, or only one that nobody is known to hold.
func (c *candidate) unclaimed() bool {
	return c.holder == nil || c.kind() == "native" || c.nameless()
}

// copiesOfState reports whether each entry brings a whole set of tensors of different shapes, as a state dict does.
func (c *candidate) copiesOfState() bool {
	if c.hasGraph() || c.elements == 0 {
		return false
	}
	shapes := map[string]bool{}
	for _, g := range c.groups {
		if grown(g.Count) >= grown(c.holder.Length) { // less often, it is a storage that several entries have views of
			shapes[fmt.Sprint(g.Shape)] = true
		}
	}
	each := c.tensors / c.elements
	return c.holder.Elements == "OrderedDict" && each >= 1.5 || each >= 3.5 && len(shapes) >= 2
}

// graphRule is for kept tensors that carry a graph.
func (c *candidate) graphRule(l *locate.Locator) string {
	g := c.group()
	switch {
	case c.graphDominates() && (c.inEvaluation() || c.modeUnknown() && !c.retained() && readsAsEvaluation(l, c)):
		return "TL105"
	case isLoss(g):
		return "TL102"
	case c.inForward():
		return "TL101"
	case pins(g) && c.graphBytes == 0:
		return "TL113"
	}
	return "TL104"
}

// isLoss reports whether a group's tensors are losses or other single numbers.
func isLoss(g *evidence.Group) bool {
	return scalar(g) || strings.Contains(g.GradFn, "Loss") || strings.Contains(g.GradFn, "CrossEntropy")
}

// readsAsEvaluation says by the source alone that a statement keeps the result of a model that no backward follows.
func readsAsEvaluation(l *locate.Locator, c *candidate) bool {
	if c.consumed(l) {
		return false
	}
	run, ok := l.Evaluation(c.place)
	return ok && !run.GradOff
}

// plainRule is for kept tensors without a graph.
func (c *candidate) plainRule(l *locate.Locator) string {
	g := c.group()
	switch {
	case c.throughHook():
		return "TL101"
	case pins(g):
		return "TL113"
	case scalar(g):
		return "TL119"
	case c.remembers():
		return "TL110"
	case c.inForward():
		return "TL101"
	case c.isInput(l):
		return "TL120"
	}
	return "TL104"
}

// nativeRule is for tensors that nothing in Python was found to refer to.
func (c *candidate) nativeRule(l *locate.Locator) string {
	switch g := c.group(); {
	case c.cycle != nil:
		return c.cycleRule()
	case g == nil:
		return "TL130"
	case c.holder != nil && strings.Contains(c.holder.Type, "Backward"): // the graph of its own gradient holds it
		return "TL107"
	case g.Category == "gradient" && c.hasGraph() || called(c.evidence, "backward.create_graph") != nil && c.hasGraph():
		return "TL107"
	case g.GradFn == "ToCopyBackward0" && (strings.HasSuffix(g.DType, "float16")):
		return "TL122" // a cast of a weight that only autocast's cache refers to
	case castsOfLeaves(g):
		// Autocast's cache keeps each leaf that it has a cast of, and its cast, where no census can see either.
		if p, ok := l.Region("autocast"); ok {
			c.place = p
			return "TL122"
		}
	case called(c.evidence, "backward.retain_graph") != nil && c.hasGraph():
		return "TL106"
	}
	return "TL130"
}

// castsOfLeaves reports whether a group is what autocast makes casts of: leaves of single precision with gradients on.
func castsOfLeaves(g *evidence.Group) bool {
	return (g.Category == "" || g.Category == "gradient" || g.Category == "parameter") && g.GradFn == "" && strings.HasSuffix(g.DType, "float32") &&
		(g.RequiresGrad || g.Category == "gradient")
}

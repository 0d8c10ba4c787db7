package diagnose

import (
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/rule"
	"github.com/torchleak/torchleak/internal/rule/rules"
)

// finding is the candidate in the words of the report. Tensors that are charged to another one are not held here again.
func (c *candidate) finding(l *locate.Locator, charged map[*evidence.Group]bool) finding.Finding {
	r, _ := rules.Find(c.rule)
	f := finding.Finding{
		Rule: r.ID, Name: r.Name,
		Verdict: c.memory.Verdict, Memory: c.memory.Name,
		Confidence:  c.confidence(),
		AllocatedAt: []finding.Frame{},
		Calls:       []finding.Frame{},
		Phase:       c.phase(),
	}
	if f.Phase == "" {
		f.Phase = c.memory.Phase
	}
	if c.bytes > 0 {
		f.BytesPerStep = number(c.bytes)
	}
	if known(c.place) {
		location := c.place.Location
		location.Excerpt = c.place.Excerpt()
		f.Location = &location
		f.Calls = append(f.Calls, c.place.Calls...)
	}
	if c.evidence != nil {
		f.AllocatedAt = append(f.AllocatedAt, c.allocatedAt(l)...)
	}
	c.fillHolder(&f, charged)
	if c.evidence != nil && (f.Count != nil || f.RetainedBytes != nil) {
		f.AsOfStep = number(c.evidence.LastStep())
	}
	f.Why, f.Fix = r.Explain(c.ruleCase(l))
	return f
}

func (c *candidate) fillHolder(f *finding.Finding, charged map[*evidence.Group]bool) {
	count, retained := int64(0), c.held(charged)
	for _, g := range c.groups {
		count += int64(float64(last(g.Count))*c.share(g) + 0.5)
	}
	if h := c.holder; h != nil {
		f.Holder = &finding.Holder{Path: shortPath(h.Path), Type: h.Type, Through: h.Through}
		if c.rule == "TL107" && h.Kind == "native" {
			f.Holder.Path = "graph of gradients that have a graph of their own, in C++"
		}
		if n := len(h.Length); n > 0 && h.Kind != "slot" {
			f.Holder.Length = number(h.Length[n-1])
			count = h.Length[n-1]
		}
	} else if y := c.cycle; y != nil {
		f.Holder = &finding.Holder{Path: y.Path, Type: y.Type}
		count, retained = max(count, y.Count), max(retained, y.Bytes)
	}
	if count > 0 {
		f.Count = number(count)
	}
	if retained > 0 {
		f.RetainedBytes = number(retained)
	}
}

// confidence is proven where growth was seen in every one of at least two windows and the holder is named.
func (c *candidate) confidence() finding.Confidence {
	named := c.holder != nil && c.holder.Path != "" && c.kind() != "native" || c.cycle != nil && c.cycle.Path != ""
	windows := c.evidence != nil && len(c.evidence.Censuses) >= 3
	switch {
	case c.evidence == nil && c.holder == nil && c.rule == "TL130":
		return finding.Possible
	case named && windows && c.steady && float64(c.bytes) < tolerance*max(c.weight(), 1):
		return finding.Proven
	case named, known(c.place), c.memory.Verdict != finding.Leak && c.memory.Verdict != finding.Cycle:
		return finding.Likely
	}
	return finding.Possible
}

// ruleCase is the candidate as its rule sees it.
func (c *candidate) ruleCase(l *locate.Locator) *rule.Case {
	k := &rule.Case{
		Memory: c.memory, Place: c.place, Store: c.store,
		Holder: shortHolder(c.holder), Group: c.group(), Cycle: c.cycle,
		Sources: l.Files(),
		Tensors: c.tensors, Elements: c.elements, Nodes: c.nodes,
		TensorBytes: int64(c.tensorBytes + c.own + 0.5), GraphBytes: int64(c.graphBytes + 0.5),
		BytesPerStep: c.bytes,
	}
	if c.holder != nil {
		k.TensorsOnly = c.tensorsOnly()
	}
	if c.evidence != nil {
		if p := c.evidence.Period; p > 1 && c.memory.Period == nil && c.tensors > 0 && c.tensors < 1 {
			k.Memory.Period = &p // seldom readings show no period; the windows of evidence were as long as one
		}
		k.Steps = steps(c.evidence)
		k.Retained = called(c.evidence, "backward.retain_graph") != nil
		k.Evaluating = c.inEvaluation()
		k.GradInEval = k.Evaluating && c.gradInEvaluation() != nil
		k.Trains = l.Trains(c.place)
		// What a model in eval mode made is a constant to those who read it: the targets of a teacher.
		k.Consumed = !k.GradInEval && c.consumed(l)
	}
	return k
}

// consumed reports whether a backward pass reads what is kept. A state that is carried over is read by the next step's,
// which does not need its history.
func (c *candidate) consumed(l *locate.Locator) bool {
	switch c.kind() {
	case "", "hooks", "native":
		return false
	case "slot":
		return c.rule == "TL103" && l.Consumed(*c.holder)
	}
	return l.Consumed(*c.holder)
}

// tensorsOnly reports whether nothing but tensors was seen to pass the statement at fault: that of a hook, and one that
// fills a container of its own function. A function that others call is given by others what it stores.
func (c *candidate) tensorsOnly() bool {
	h := c.holder
	own := h.Scope.Kind == "local" && sameFunction(h.Scope.Function, c.place.Function) || c.place.Function == "<module>"
	switch {
	case h.Hook == nil && !own:
		return false
	case c.kind() == "slot":
		return true
	}
	held := int64(0)
	for _, g := range c.groups {
		held += last(g.Count)
	}
	return h.Elements == "Tensor" && held >= last(h.Length)
}

func number(n int64) *int64 { return &n }

// longestPath is how many bytes of a holder's path are shown in full.
const longestPath = 120

// shortPath is a path without its middle where it is long, as that of a leaf of a tree: its beginning tells what holds it,
// its end as what.
func shortPath(path string) string {
	if len(path) <= longestPath {
		return path
	}
	head := strings.LastIndexByte(path[:longestPath/2], '.')
	tail := strings.LastIndexByte(path, '.')
	if head < 0 || tail <= head {
		return path
	}
	return path[:head] + ".…" + path[tail+1:]
}

// shortHolder is h with its path as it is shown.
func shortHolder(h *evidence.Holder) *evidence.Holder {
	if h == nil || shortPath(h.Path) == h.Path {
		return h
	}
	short := *h
	short.Path = shortPath(h.Path)
	return &short
}

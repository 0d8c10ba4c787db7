package diagnose

import (
	"slices"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

// candidate is one possible explanation of a memory's growth: a holder and what it was seen to gain.
type candidate struct {
	memory   finding.Memory
	rule     string
	evidence *evidence.Evidence
	holder   *evidence.Holder
	groups   []*evidence.Group // tensors held, the ones that grew most first
	cycle    *evidence.Cycle
	call     *evidence.Call

	place locate.Place // the statement to change; Location.File is empty when none is known
	store locate.Place // the statement that keeps the result, when place is another

	tensors, elements, nodes float64 // per step
	tensorBytes, graphBytes  float64 // per step, measured
	own                      float64 // bytes per step of entries that are no tensors, measured
	waiting                  float64 // bytes of garbage that waited for the collector, spread over the steps watched
	estimate                 float64 // bytes per step of what was only counted
	bytes                    int64   // bytes per step charged to it in the end
	steady                   bool    // grew in every window
	follows                  *candidate
}

// weight is what the candidate costs per step, measured or counted.
func (c *candidate) weight() float64 {
	return c.tensorBytes + c.graphBytes + c.own + c.waiting + c.estimate
}

// group is what the holder is about: of a slot the tensor in it, whose number stays while its graph or its storage
// grows; of anything else the tensors that grew most.
func (c *candidate) group() *evidence.Group {
	if len(c.groups) == 0 {
		return nil
	}
	if c.kind() == "slot" {
		for _, g := range c.groups {
			if grown(g.Count) == 0 {
				return g
			}
		}
	}
	return c.groups[0]
}

// hasGraph reports whether the tensors held carry a graph.
func (c *candidate) hasGraph() bool {
	for _, g := range c.groups {
		if g.GradFn != "" || grown(g.GraphNodes) > 0 {
			return true
		}
	}
	return false
}

func (c *candidate) kind() string {
	if c.holder == nil {
		return ""
	}
	return c.holder.Kind
}

// bounded reports whether the holder cannot grow past a limit of its own.
func (c *candidate) bounded() bool {
	return c.holder != nil && c.holder.MaxLen != nil && *c.holder.MaxLen >= 0 && !c.remote()
}

// farOff is how many steps a limit may be away and still excuse what carries graphs.
const farOff = 1000

// remote reports a limit that was set for plain entries, as a replay memory's of 100,000: with a graph at each of them
// nobody will see it reached.
func (c *candidate) remote() bool {
	return c.holder.MaxLen != nil && c.hasGraph() && c.bound() > farOff
}

// holders returns a candidate for everything that gained memory and has no bound, and what those with a bound gained
// per step.
func holders(e *evidence.Evidence, m finding.Memory) (found []*candidate, limited float64) {
	for _, c := range all(e, m) {
		if c.bounded() {
			limited += c.weight()
		} else {
			found = append(found, c)
		}
	}
	return found, limited
}

// all returns a candidate for every holder, every group of tensors without one, and every garbage cycle that gained
// something of a memory.
func all(e *evidence.Evidence, m finding.Memory) []*candidate {
	var found []*candidate
	cycles := false
	owned := ownership(e)
	for _, c := range siblings(e, owned) {
		c.memory = m
		c.measure(c.groups)
		found = append(found, c)
	}
	for i := range e.Holders {
		c := &candidate{memory: m, evidence: e, holder: &e.Holders[i]}
		c.measure(owned[e.Holders[i].ID])
		if c.kind() == "cycle" && len(c.groups) == 0 && garbage(e) {
			continue // the collector ran between the censuses: what waited at the last one is the better figure
		}
		if c.weight() > 0 && !c.gradientsOnly() {
			found = append(found, c)
			cycles = cycles || c.kind() == "cycle"
		}
	}
	for i := range e.Groups {
		if len(e.Groups[i].Holders) > 0 {
			continue
		}
		c := &candidate{memory: m, evidence: e}
		c.measure([]*evidence.Group{&e.Groups[i]})
		if c.weight() > 0 {
			found = append(found, c)
		}
	}
	for i := range e.Cycles {
		if y := &e.Cycles[i]; !cycles && y.Bytes > 0 {
			found = append(found, &candidate{memory: m, evidence: e, cycle: y, holder: cycleHolder(e, y), waiting: float64(y.Bytes) / float64(steps(e)), steady: true})
		}
	}
	return reached(saved(handed(found)))
}

// handed adds to the one container of a C++ library's objects the tensors that only C++ was found to refer to: such an object keeps
// what it was made with, as the handle of a collective does.
func handed(found []*candidate) []*candidate {
	keeper := onlyContainer(found, func(c *candidate) bool { return c.holder.Native })
	if keeper == nil {
		return found
	}
	return slices.DeleteFunc(found, func(c *candidate) bool {
		if c.kind() != "native" || c.holder.Type != "" || c.hasGraph() {
			return false
		}
		keeper.own += c.weight()
		return true
	})
}

// saved adds to the one container that keeps graphs, which no backward has freed, what only C++ was found to refer to: those
// graphs have saved it. Only the newest of them are read, and on a busy machine not all of those.
func saved(found []*candidate) []*candidate {
	keeper := onlyContainer(found, func(c *candidate) bool { return c.graphBytes > 0 })
	if keeper == nil {
		return found
	}
	return slices.DeleteFunc(found, func(c *candidate) bool {
		if c.kind() != "native" || c.holder.Type != "" || !c.hasGraph() {
			return false
		}
		keeper.estimate += c.weight()
		return true
	})
}

// reached adds to the one container that keeps graphs the parameters that nothing else refers to, with their gradients, where
// each entry brings as many: a graph holds what it begins from, and so the model of a trial whose loss is kept.
func reached(found []*candidate) []*candidate {
	keeper := onlyContainer(found, func(c *candidate) bool { return c.nodes > 0 })
	if keeper == nil {
		return found
	}
	return slices.DeleteFunc(found, func(c *candidate) bool {
		if c.holder != nil && (c.kind() != "native" || c.holder.Type != "") || !c.leavesOnly() || !c.comesWith(keeper.holder.Length) {
			return false
		}
		keeper.estimate += c.weight()
		return true
	})
}

// onlyContainer is the one container that is as asked; nil where several are, since whose a tensor is could not be told.
func onlyContainer(found []*candidate, is func(*candidate) bool) *candidate {
	var only *candidate
	for _, c := range found {
		if c.kind() != "container" || !is(c) {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// leavesOnly reports whether the candidate is parameters, and what backward left in their gradients.
func (c *candidate) leavesOnly() bool {
	for _, g := range c.groups {
		if g.GradFn != "" || !g.RequiresGrad && g.Category != "gradient" {
			return false
		}
	}
	return len(c.groups) > 0
}

// comesWith reports whether each group gets the same number of tensors with every entry of a container.
func (c *candidate) comesWith(lengths []int64) bool {
	for _, g := range c.groups {
		if len(g.Count) != len(lengths) || grown(lengths) <= 0 || grown(g.Count)%grown(lengths) != 0 {
			return false
		}
		each := grown(g.Count) / grown(lengths)
		for i := 1; i < len(lengths); i++ {
			if g.Count[i]-g.Count[i-1] != each*(lengths[i]-lengths[i-1]) {
				return false
			}
		}
	}
	return true
}

// garbage reports whether cycles that hold bytes waited for the collector.
func garbage(e *evidence.Evidence) bool {
	for i := range e.Cycles {
		if e.Cycles[i].Bytes > 0 {
			return true
		}
	}
	return false
}

// gradientsOnly reports whether the candidate is plain gradients that only C++ refers to: their parameters hold them, and
// what holds those is the explanation.
func (c *candidate) gradientsOnly() bool {
	if c.kind() != "native" || c.hasGraph() || len(c.groups) == 0 {
		return false
	}
	for _, g := range c.groups {
		if g.Category != "gradient" {
			return false
		}
	}
	return true
}

// cycleHolder is the holder that stands for a garbage cycle, nil without one. Its figures go up and down with the
// collector, so it need not have grown.
func cycleHolder(e *evidence.Evidence, y *evidence.Cycle) *evidence.Holder {
	for i := range e.Holders {
		if h := &e.Holders[i]; h.Kind == "cycle" && h.Path == y.Path {
			return h
		}
	}
	return nil
}

// ownership returns the groups that each holder keeps, by the holder's number.
func ownership(e *evidence.Evidence) map[int][]*evidence.Group {
	owned := map[int][]*evidence.Group{}
	for i := range e.Groups {
		for _, id := range e.Groups[i].Holders {
			if n := len(owned[id]); n == 0 || owned[id][n-1] != &e.Groups[i] {
				owned[id] = append(owned[id], &e.Groups[i])
			}
		}
	}
	for i := range e.Holders {
		h := &e.Holders[i]
		if len(owned[h.ID]) > 0 {
			continue
		}
		for _, g := range inStep(e, h) {
			for _, id := range g.Holders {
				delete(owned, id) // the names of single tensors among them
			}
			owned[h.ID] = append(owned[h.ID], g)
		}
	}
	history(e, owned)
	return owned
}

// history gives the name of a tensor whose graph keeps more and more of them what only C++ was found to refer to and has a
// graph as well: it was saved in the same steps.
func history(e *evidence.Evidence, owned map[int][]*evidence.Group) {
	var names, natives []*evidence.Holder
	for i := range e.Holders {
		h := &e.Holders[i]
		saved := slices.ContainsFunc(owned[h.ID], func(g *evidence.Group) bool { return g.GradFn != "" && grown(g.Count) > 0 })
		switch {
		case saved && h.Kind == "slot" && h.Type == "Tensor":
			names = append(names, h)
		case saved && h.Kind == "native":
			natives = append(natives, h)
		}
	}
	if len(names) != 1 {
		return
	}
	for _, h := range natives {
		var rest []*evidence.Group
		for _, g := range owned[h.ID] {
			if g.GradFn != "" && g.Category == "" {
				owned[names[0].ID] = append(owned[names[0].ID], g)
			} else {
				rest = append(rest, g)
			}
		}
		owned[h.ID] = rest
	}
}

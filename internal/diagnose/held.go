package diagnose

import "github.com/torchleak/torchleak/internal/evidence"

// share is the part of a group's figures that is the candidate's own. Several containers may be given tensors alike,
// each its own: they share the group by the entries they gained. Holders of the very same tensors have all of them.
func (c *candidate) share(g *evidence.Group) float64 {
	if c.kind() != "container" || len(g.Holders) < 2 {
		return 1
	}
	entries := int64(0)
	for _, id := range g.Holders {
		h := holderByID(c.evidence, id)
		if h == nil || h.Kind != "container" || grown(h.Length) <= 0 {
			return 1
		}
		entries += grown(h.Length)
	}
	if mine := grown(c.holder.Length); mine > 0 && entries <= grown(g.Count) {
		return float64(mine) / float64(entries)
	}
	return 1
}

// held is what the candidate's tensors and the graphs behind them keep of the memory, as of the newest census. A tensor
// that a graph saved is listed in a group as well, so the two are not added up; what a graph saves is estimated from
// a few of its tensors, and several tensors may have one graph, so it can be no more than what the candidate is charged
// with per step in all the steps until then. Tensors that were charged to a candidate before this one are left out, and
// what this one has all of is charged. What keeps graph nodes for the most part, which are counted and not measured, holds
// more than is known: 0.
func (c *candidate) held(charged map[*evidence.Group]bool) int64 {
	tensors, graph, stored := 0.0, 0.0, 0.0
	for _, g := range c.groups {
		if !lies(g, c.memory.Name) || charged[g] {
			continue
		}
		charged[g] = c.share(g) == 1
		storages := float64(allocated(last(g.Bytes), last(g.Count), c.memory.Name)) * c.share(g)
		tensors += storages
		graph = max(graph, float64(last(g.GraphBytes))*c.share(g))
		if g == c.group() {
			stored = storages
		}
	}
	if c.nodes > 0 && c.estimate > 8*(c.tensorBytes+c.graphBytes+c.own) {
		return 0
	}
	if graph == 0 {
		return int64(tensors + 0.5)
	}
	all := max(tensors-graph, stored) + graph
	each := c.bytes
	if each <= 0 {
		each = rate(c.memory)
	}
	if each > 0 {
		all = min(all, max(float64(each)*float64(c.evidence.LastStep()+1), stored))
	}
	return int64(all + 0.5)
}

// sameTensors reports whether two candidates show the very same tensors: those of two names that one history leads to.
func (c *candidate) sameTensors(other *candidate) bool {
	if c.memory.Name != other.memory.Name || len(c.groups) == 0 || len(c.groups) != len(other.groups) {
		return false
	}
	for i, g := range c.groups {
		if g != other.groups[i] || c.share(g) < 1 {
			return false
		}
	}
	return true
}

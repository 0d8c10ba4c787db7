package diagnose

import (
	"slices"
	"sort"

	"github.com/torchleak/torchleak/internal/evidence"
)

// measure fills in what the candidate gained per step: its groups, and its holder's own entries.
func (c *candidate) measure(groups []*evidence.Group) {
	span := float64(steps(c.evidence))
	host := c.memory.Name == "host"
	tensors := 0.0 // bytes
	c.groups = nil
	for _, g := range groups {
		if grown(g.Count) <= 0 && grown(g.Bytes) <= 0 && grown(g.GraphNodes) <= 0 && grown(g.GraphBytes) <= 0 {
			continue
		}
		here := lies(g, c.memory.Name)
		if !here && !host {
			continue
		}
		c.groups = append(c.groups, g)
		mine := c.share(g) / span
		c.steady = c.steady || steady(g.Count) || steady(g.Bytes) || steady(g.GraphNodes) || steady(g.GraphBytes)
		c.tensors += positive(grown(g.Count)) * mine
		// The groups of one holder share a graph: what the longest saves is listed as tensors of its own as well.
		nodes, bytes := graphGrowth(g)
		c.nodes = max(c.nodes, nodes*mine)
		if here {
			tensors += positive(storageGrowth(g, c.memory.Name)) * mine
			c.graphBytes = max(c.graphBytes, bytes*mine)
		}
	}
	c.plausible()
	if host {
		c.estimate += c.nodes*nodeBytes + c.tensors*tensorBytes
	}
	c.order()
	c.tensorBytes = tensors
	if g := c.group(); g != nil && c.graphBytes > 0 {
		c.tensorBytes = tensors - c.graphBytes
		if lies(g, c.memory.Name) {
			c.tensorBytes = max(c.tensorBytes, positive(storageGrowth(g, c.memory.Name))*c.share(g)/span)
		}
		c.tensorBytes = max(c.tensorBytes, 0)
	}
	if c.holder != nil {
		c.measureEntries(host, span)
	}
}

// graphGrowth is by how many nodes and bytes the graphs behind the tensors of a group grew. Each tensor has a node of its own
// at least: a walk that saw fewer did not get beyond the first of them, and those that came are taken to keep as much.
func graphGrowth(g *evidence.Group) (nodes, bytes float64) {
	nodes, bytes = positive(grown(g.GraphNodes)), positive(grown(g.GraphBytes))
	if came := positive(grown(g.Count)); g.GradFn != "" && g.GraphTruncated && nodes < came {
		return came * float64(last(g.GraphNodes)), came * float64(last(g.GraphBytes))
	}
	return nodes, bytes
}

// plausible brings down what was scaled up from a walk that ran out of time: graphs cannot keep more than the memory
// grows by.
func (c *candidate) plausible() {
	truncated := false
	for _, g := range c.groups {
		truncated = truncated || g.GraphTruncated
	}
	if r := float64(rate(c.memory)); truncated && r > 0 && c.graphBytes > r {
		c.nodes *= r / c.graphBytes
		c.graphBytes = r
	}
}

// order puts the group first that the holder is about. Where graphs are what is kept, the tensor with the longest
// graph is the one that was stored.
func (c *candidate) order() {
	weight := groupWeight
	if c.graphBytes > 0 {
		weight = func(g *evidence.Group) float64 { return total(g.GraphNodes) / max(total(g.Count), 1) }
	}
	sort.SliceStable(c.groups, func(i, j int) bool { return weight(c.groups[i]) > weight(c.groups[j]) })
}

func total(figures []int64) float64 {
	sum := int64(0)
	for _, n := range figures {
		sum += n
	}
	return float64(sum)
}

func (c *candidate) measureEntries(host bool, span float64) {
	h := c.holder
	entries := positive(grown(h.Length)) / span
	if entries > 0 {
		c.elements = entries
		c.steady = c.steady || steady(h.Length)
	}
	if c.segments() {
		c.own = max(float64(rate(c.memory)), entries*entryBytes) // what lies in them is not measured: all that grows, as far as is known
	}
	if !host {
		return
	}
	// The holder's own figure counts what its tensors do not: arrays, strings, numbers.
	if own := positive(grown(h.Bytes)) / span; len(c.groups) == 0 && own > 0 {
		c.own += own
		c.steady = c.steady || steady(h.Bytes)
		if h.Plain() {
			return
		}
	}
	each, known := elementBytes[h.Elements]
	switch {
	case h.Kind == "hooks":
		each = hookBytes
	case !known:
		each = entryBytes
	}
	c.estimate += entries * each
}

// segments reports a container of shared memory, mapped or by its descriptors, that grows: each entry keeps its segment.
func (c *candidate) segments() bool {
	return c.memory.Name == "shm" && c.elements > 0 && slices.Contains([]string{"SharedMemory", "mmap", "ShareableList", "descriptor"}, c.holder.Elements)
}

// groupWeight orders the groups of one holder by what they gained. A view goes before the whole tensor on the same
// storage: the view is what was stored.
func groupWeight(g *evidence.Group) float64 {
	weight := positive(grown(g.Bytes)) + positive(grown(g.GraphBytes)) + positive(grown(g.GraphNodes))*nodeBytes
	if pins(g) {
		weight *= 1.01
	}
	return weight
}

func positive(n int64) float64 { return float64(max(n, 0)) }

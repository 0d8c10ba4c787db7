package diagnose

import (
	"sort"

	"github.com/torchleak/torchleak/internal/finding"
)

// What explains less than this share of a memory's growth is noise beside what explains more.
const worth = 0.05

// worthy leaves out what explains too little of a memory's growth, unless there is nothing else.
func worthy(m finding.Memory, found []*candidate) []*candidate {
	total := rate(m)
	most := int64(0)
	for _, c := range found {
		most = max(most, c.bytes)
	}
	if total <= 0 {
		total = most
	}
	var kept []*candidate
	for _, c := range found {
		if c.trifling(total) {
			continue
		}
		if float64(c.bytes) >= worth*float64(total) || c.bytes == most {
			kept = append(kept, c)
		}
	}
	return kept
}

// unshadowed leaves out growth of the host that nobody was found to hold, where a device grows by more and it is known
// who holds that: a tensor of a device has its object and its graph's nodes on the host.
func unshadowed(all []*candidate) []*candidate {
	var kept []*candidate
	for _, c := range all {
		shadow := false
		for _, d := range all {
			shadow = shadow || c.rule == "TL130" && c.memory.Name == "host" && d.memory.Name != "host" && d.memory.Kind != "worker" && d.rule != "TL130" &&
				d.holder != nil && d.bytes >= c.bytes
		}
		if !shadow {
			kept = append(kept, c)
		}
	}
	return kept
}

// A history of plain numbers grows in every training. Where it is less than this share of the growth it is not the
// cause, even if nothing else was found.
const nothing = 0.01

func (c *candidate) trifling(total int64) bool {
	return c.holder != nil && c.holder.Plain() && len(c.groups) == 0 && float64(c.bytes) < nothing*float64(total)
}

// Device memory is the scarcer one: at similar shares of what there is, it comes first.
const deviceFactor = 8

func (c *candidate) cost() int64 {
	if c.memory.Name == "host" || c.memory.Kind == "worker" {
		return c.bytes
	}
	return c.bytes * deviceFactor
}

// rank sorts by cost, with followers right behind what they follow, and joins candidates for the same statement.
func rank(all []*candidate) []*candidate {
	var leaders, ranked []*candidate
	followers := map[*candidate][]*candidate{}
	for _, c := range all {
		if c.follows != nil {
			followers[c.follows] = append(followers[c.follows], c)
		} else {
			leaders = append(leaders, c)
		}
	}
	sort.SliceStable(leaders, func(i, j int) bool { return leaders[i].cost() > leaders[j].cost() })
	leaders = nameless(leaders)
	for _, c := range leaders {
		ranked = join(ranked, c)
		for _, f := range followers[c] {
			ranked = join(ranked, f)
		}
	}
	for _, c := range ranked {
		c.follow(ranked)
	}
	return ranked
}

// follow gives a follower the figures of what it follows, which may have been joined with others since.
func (c *candidate) follow(ranked []*candidate) {
	if c.follows == nil {
		return
	}
	for _, r := range ranked {
		if r != c && sameStatement(r.place, c.follows.place) {
			c.follows = r
		}
	}
	f := c.follows
	c.bytes, c.tensors, c.nodes, c.tensorBytes, c.graphBytes, c.own = f.bytes, f.tensors, f.nodes, f.tensorBytes, f.graphBytes, f.own
}

// merge adds what another candidate for the same statement costs. What both show is counted once.
func (c *candidate) merge(other *candidate) {
	c.bytes += other.bytes
	c.own += other.own
	if c.sameTensors(other) {
		return
	}
	c.tensors += other.tensors
	c.nodes += other.nodes
	c.tensorBytes += other.tensorBytes
	c.graphBytes += other.graphBytes
}

// nameless puts growth that nobody was found to hold behind the rest: it tells no statement to change. It stays where
// it is if the rest is a trifle beside it.
func nameless(leaders []*candidate) []*candidate {
	var named, rest []*candidate
	most := int64(0)
	for _, c := range leaders {
		if c.rule == "TL130" {
			rest = append(rest, c)
		} else {
			named = append(named, c)
			most = max(most, c.cost())
		}
	}
	if len(rest) > 0 && float64(most) < worth*float64(rest[0].cost()) {
		return leaders
	}
	return append(named, rest...)
}

// join adds c unless its statement is listed already; then what it costs in the same memory is added there.
func join(ranked []*candidate, c *candidate) []*candidate {
	for i, r := range ranked {
		switch {
		case sameStatement(r.place, c.place):
		case !known(r.place) && !known(c.place) && r.rule == c.rule && r.memory.Name == c.memory.Name && r.holder == c.holder:
		case !known(c.place) && c.rule == "TL117" && r.rule == c.rule && r.memory.Name == c.memory.Name: // another part of the same garbage
		case !known(r.place) && !known(c.place) && r.rule == c.rule && r.memory.Kind == "worker" && c.memory.Kind == "worker": // each does the same
		default:
			continue
		}
		if r.memory.Name == "host" && c.memory.Name != "host" && c.follows == nil {
			ranked[i] = c // one statement fills both: the device is what matters
			return ranked
		}
		if r.memory.Name == c.memory.Name && c.follows == nil && r.follows == nil {
			if r.kind() == "native" && r.holder.Type == "" && c.holder != nil {
				r.holder = c.holder // says more than "nothing"
			}
			r.merge(c)
		}
		return ranked
	}
	return append(ranked, c)
}

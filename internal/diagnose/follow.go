package diagnose

import "github.com/torchleak/torchleak/internal/locate"

// followed adds the second statement where two of them make a fault: the evaluation that runs with gradients on and the
// statement that keeps its results; the statement that keeps a graph and the backward that retained it.
func followed(l *locate.Locator, found []*candidate) []*candidate {
	var all []*candidate
	retained := false
	for _, c := range found {
		all = append(all, c)
		if c.holder == nil || !c.hasGraph() || c.rule == "TL107" {
			continue
		}
		switch {
		case c.rule == "TL105":
			all = append(all, moveToEvaluation(l, c)...)
		case c.retained() && !retained:
			if f := c.follower("TL106", callPlace(l, c, "backward.retain_graph")); f != nil {
				all, retained = append(all, f), true
			}
		case c.graphDominates() && !c.retained() && !c.consumed(l) && c.kind() != "cycle": // a circle is broken, however large
			// No backward freed these graphs, and no evaluation was seen: a rollout.
			if p, ok := l.Evaluation(c.place); ok && !p.GradOff {
				if f := c.follower("TL105", p); f != nil {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// causes leaves out slots whose value was only computed from another slot: with a carried state, the loss of the step
// has a graph that grows by the same nodes, and more of them altogether. Of names of one tensor that leads to more and more
// of them, the one that a chain of objects leads to tells why. What a growing number of hooks puts into a list is theirs.
func causes(found []*candidate) []*candidate {
	var kept []*candidate
	for _, c := range found {
		derived := false
		for _, base := range found {
			derived = derived || c != base && (c.computedFrom(base) || c.inChain(base))
			if c.putBy(base) {
				base.estimate += c.weight()
				derived = true
			}
		}
		if !derived {
			kept = append(kept, c)
		}
	}
	return kept
}

// putBy reports whether hooks, of which there are ever more, put the candidate's entries there: as many in a step as there
// are hooks, and as many more in the next. The list is emptied in each step, or it would gain all of them.
func (c *candidate) putBy(hooks *candidate) bool {
	if c.kind() != "container" || hooks.kind() != "hooks" {
		return false
	}
	writes := int64(0)
	for _, w := range c.holder.Writes {
		writes += w.Count
	}
	here, there := c.holder.Length, hooks.holder.Length
	if len(here) != len(there) || len(here) == 0 || 2*writes < last(there) || last(there) <= 4*(grown(there)/steps(c.evidence)) {
		return false
	}
	for i := range here {
		if here[i]-here[0] != there[i]-there[0] {
			return false
		}
	}
	return true
}

// inChain reports whether base is another name of the candidate's growing number of tensors, by way of a chain.
func (c *candidate) inChain(base *candidate) bool {
	return c.kind() == "slot" && base.kind() == "slot" && c.group() != nil && c.group() == base.group() && grown(c.group().Count) > 0 &&
		locate.Chained(base.holder.Path) && !locate.Chained(c.holder.Path)
}

func (c *candidate) computedFrom(base *candidate) bool {
	if c.kind() != "slot" || base.kind() != "slot" {
		return false
	}
	g, b := c.group(), base.group()
	if g == nil || b == nil {
		return false
	}
	return grown(b.GraphNodes) > 0 && grown(g.GraphNodes) == grown(b.GraphNodes) && last(g.GraphNodes) > last(b.GraphNodes)
}

// moveToEvaluation lays a TL105 at the statement that runs the model, and returns the statement that stores as its
// follower. Where the run cannot be told, the storing statement stays: it ends the growth as well.
func moveToEvaluation(l *locate.Locator, c *candidate) []*candidate {
	run, ok := l.Evaluation(c.place)
	if !ok || run.GradOff {
		run, ok = locate.Place{}, false
		if _, frames := c.evaluationFrames(); frames != nil {
			run, ok = l.At(frames)
		}
	}
	if !ok || !known(run) {
		return nil
	}
	if sameStatement(run, c.place) {
		c.store = c.place
		return nil
	}
	rule := "TL104"
	if isLoss(c.group()) {
		rule = "TL102"
		if c.kind() == "slot" {
			rule = "TL103"
		}
	}
	f := c.follower(rule, c.place)
	c.store, c.place = c.place, run
	return []*candidate{f}
}

// follower is a second statement for the same memory; it is reported right behind the first.
func (c *candidate) follower(rule string, p locate.Place) *candidate {
	if !known(p) || sameStatement(p, c.place) && rule != "TL102" && rule != "TL103" && rule != "TL104" {
		return nil
	}
	f := *c
	f.rule, f.place, f.follows = rule, p, c
	if rule == "TL106" || rule == "TL105" {
		f.store = c.place
	}
	return &f
}

// sameGrowth is the place of the candidate that the i-th follows: its fix frees what the i-th shows as well. Two holders of
// the same tensors are no such pair: both have to let go. Nil where the i-th stands for memory of its own.
func sameGrowth(ranked []*candidate, i int) *int {
	for j, first := range ranked[:i] {
		if ranked[i].follows == first {
			return &j
		}
	}
	return nil
}

// retained reports whether a backward with retain_graph=True was seen and saved tensors stay.
func (c *candidate) retained() bool {
	return called(c.evidence, "backward.retain_graph") != nil && c.graphBytes > 0
}

func callPlace(l *locate.Locator, c *candidate, what string) locate.Place {
	if call := called(c.evidence, what); call != nil {
		if p, ok := l.At(call.Frames); ok {
			return p
		}
	}
	return locate.Place{}
}

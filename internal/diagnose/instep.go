package diagnose

import (
	"slices"

	"github.com/torchleak/torchleak/internal/evidence"
)

// inStep returns the groups of tensors that grow in step with a container of objects: the probe's way to one of their
// tensors led through a name of the newest object (a local variable, its optimizer), but they are as many more per
// window as the container's entries, times a whole number. What is in the entries is not known; what else keeps the
// older tensors alive is not known either.
func inStep(e *evidence.Evidence, h *evidence.Holder) []*evidence.Group {
	if h.Kind != "container" || h.Plain() || h.Elements == "Tensor" || !steady(h.Length) || grown(h.Length) < 2 {
		return nil
	}
	var groups []*evidence.Group
	for i := range e.Groups {
		g := &e.Groups[i]
		if byNameOnly(e, h, g) && (multiple(g.Count, h.Length) || ofEntries(e, h, g)) {
			groups = append(groups, g)
		}
	}
	return groups
}

// byNameOnly reports whether all that is known to hold a group are names of single tensors, or lie in the newest entry
// of h.
func byNameOnly(e *evidence.Evidence, h *evidence.Holder, g *evidence.Group) bool {
	for _, id := range g.Holders {
		if x := holderByID(e, id); x != nil && (x.Kind != "slot" || len(x.Bytes) > 0) && !inEntry(h, x) {
			return false
		}
	}
	return len(g.Holders) > 0 && grown(g.Count) > 0
}

// ofEntries reports whether all that is known to hold a group belongs to an entry of h: the newest may have no state yet, so
// that the tensors are no multiple of the entries.
func ofEntries(e *evidence.Evidence, h *evidence.Holder, g *evidence.Group) bool {
	return !slices.ContainsFunc(g.Holders, func(id int) bool {
		x := holderByID(e, id)
		return x == nil || !inEntry(h, x)
	})
}

// inEntry reports whether x belongs to an object of the kind that h holds: the state of an optimizer, of which h is a
// list. It was not seen to get longer itself.
func inEntry(h, x *evidence.Holder) bool {
	return x.Kind == "container" && len(x.Length) == 0 && x.Scope.Class != "" && x.Scope.Class == h.Elements
}

// multiple reports whether counts rose in every window by the same whole multiple of what lengths rose by.
func multiple(counts, lengths []int64) bool {
	if len(counts) != len(lengths) {
		return false
	}
	times := int64(0)
	for i := 1; i < len(counts); i++ {
		more, entries := counts[i]-counts[i-1], lengths[i]-lengths[i-1]
		if entries <= 0 || more < entries || more%entries != 0 || times != 0 && more/entries != times {
			return false
		}
		times = more / entries
	}
	return true
}

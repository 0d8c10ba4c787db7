package diagnose

import (
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

// bestPlace is the statement that fills the candidate's holder: seen in the watch, found in the source, else the one
// that made the tensors it keeps.
func bestPlace(l *locate.Locator, c *candidate) locate.Place {
	if c.holder != nil {
		if p, ok := written(l, c); ok {
			return p
		}
	}
	if p, ok := l.At(c.births()); ok {
		return p
	}
	return locate.Place{}
}

// written is the statement that fills the candidate's holder, closes its circle or registers its hook.
func written(l *locate.Locator, c *candidate) (locate.Place, bool) {
	switch {
	case c.rootless(): // it has no name that the source could tell more of
		if p, ok := registered(l, c); ok {
			return p, true
		}
		return l.Hidden(*c.holder)
	case c.kind() == "cycle":
		if p, ok := closing(l, c); ok {
			return p, true
		}
	case c.kind() == "container":
		if p, ok := l.Escape(*c.holder); ok {
			return p, true
		}
		if p, ok := l.Hoards(*c.holder); ok && c.outnumbered() {
			c.store = l.Writes(*c.holder)[0]
			return p, true
		}
	}
	if places := l.Writes(*c.holder); len(places) > 0 {
		if better, ok := filling(l, c, places[0]); ok {
			return better, true
		}
		return places[0], true
	}
	if c.kind() == "hooks" {
		return registered(l, c)
	}
	return locate.Place{}, false
}

// outnumbered reports whether there are more than twice as many tensors of the kind as the container has entries: most of
// them lie in others like it.
func (c *candidate) outnumbered() bool {
	return len(c.groups) > 0 && last(c.groups[0].Count) > 2*last(c.holder.Length)
}

// registered is the registration of a hook that was seen in the watch.
func registered(l *locate.Locator, c *candidate) (locate.Place, bool) {
	for _, r := range c.evidence.Registrations {
		if c.holder.Hook == nil || c.holder.Hook.Table == "" || r.Table == c.holder.Hook.Table {
			if p, ok := l.At(r.Frames); ok {
				return p, true
			}
		}
	}
	return locate.Place{}, false
}

// closing is the statement that closes a circle of references: the registration that was seen where a hook lies on the
// way round, else what the source tells.
func closing(l *locate.Locator, c *candidate) (locate.Place, bool) {
	if len(c.holder.Writes) > 0 {
		return locate.Place{}, false // seen
	}
	for _, r := range c.evidence.Registrations {
		if r.Table != "" && strings.Contains(c.holder.Path, r.Table) {
			if p, ok := l.At(r.Frames); ok {
				return p, true
			}
		}
	}
	if places := l.Closes(*c.holder); len(places) > 0 {
		return places[0], true
	}
	return locate.Place{}, false
}

// filling returns the statement found in the source that fills a container, where the one seen cannot: lines of other
// threads are not traced, so growth that they cause is seen at whatever line ran then; and a generator that fills it is no
// caller any more when it is looked for, as the function behind a with statement or a for loop.
func filling(l *locate.Locator, c *candidate, seen locate.Place) (locate.Place, bool) {
	if c.kind() != "container" || !seen.Seen {
		return locate.Place{}, false
	}
	unseen := *c.holder
	unseen.Writes = nil
	places := l.Writes(unseen)
	if len(places) == 0 {
		return locate.Place{}, false
	}
	switch seen.Action {
	case locate.AugAssign, locate.Backward, locate.Evaluate, locate.Return, locate.Other:
		return places[0], true
	case locate.Assign: // to another name
		return places[0], c.holder.Scope.Name != "" && !mentions(seen.Target, c.holder.Scope.Name)
	case locate.Call:
		return places[0], strings.HasPrefix(seen.Location.Code, "with ") && strings.Contains(seen.Location.Code, places[0].Function+"(") ||
			resumes(c, seen, places[0])
	}
	return locate.Place{}, false
}

// resumes reports whether the statement seen asked for a generator's next value, by a loop say, and the one found stands in
// that generator, whose name the holder is.
func resumes(c *candidate, seen, found locate.Place) bool {
	scope := c.holder.Scope
	function := scope.Function[strings.LastIndexByte(scope.Function, '.')+1:]
	return scope.Kind == "local" && strings.Contains(c.holder.Path, "generator "+scope.Function+"()") &&
		found.Function == function && seen.Function != function
}

// births is the stack that made most of the tensors held, nil when it was not seen.
func (c *candidate) births() []finding.Frame {
	var frames []finding.Frame
	count := int64(-1)
	for _, g := range c.groups {
		for _, b := range c.evidence.Births {
			if b.Group == g.ID && b.Count > count && len(b.Frames) > 0 {
				frames, count = b.Frames, b.Count
			}
		}
		if frames != nil {
			break // the group that grew most decides
		}
	}
	return frames
}

// stored is the statement that stores what is kept, as far as it is known.
func (c *candidate) stored() locate.Place {
	if known(c.store) {
		return c.store
	}
	return c.place
}

// allocatedAt is where the tensors held were made: seen, read from the source, or the allocator's own history.
func (c *candidate) allocatedAt(l *locate.Locator) []finding.Frame {
	if frames := c.births(); len(frames) > 0 {
		return shortened(l, frames)
	}
	if site := ownSite(c); site != nil {
		return shortened(l, site.Frames)
	}
	if stored := c.stored(); known(stored) {
		if frames := l.Origin(stored); len(frames) > 0 {
			return frames
		}
	}
	if site := largestSite(c.evidence, c.memory.Name); site != nil {
		return shortened(l, site.Frames)
	}
	return []finding.Frame{}
}

// shortened gives frames the paths that the report shows, and the first line of the statement that a line belongs to. The
// locator shortens the stacks of places only.
func shortened(l *locate.Locator, frames []finding.Frame) []finding.Frame {
	out := make([]finding.Frame, 0, len(frames))
	for _, f := range frames {
		if p, ok := l.At([]finding.Frame{f}); ok {
			f.File, f.Line = p.Location.File, p.Location.Line
		}
		out = append(out, f)
	}
	return out
}

func known(p locate.Place) bool { return p.Location.File != "" }

func sameStatement(a, b locate.Place) bool {
	return known(a) && a.Location.File == b.Location.File && a.Location.Line == b.Location.Line
}

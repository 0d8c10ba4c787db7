package diagnose

import (
	"fmt"
	"slices"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/locate"
)

// MarkEmptiers marks the containers that the source empties or cuts down as the training goes on: while that may yet come,
// their growth proves nothing. A container that is cut down at a length that the source tells has that bound, as long as it
// is no longer.
func MarkEmptiers(l *locate.Locator, e *evidence.Evidence) {
	for i := range e.Holders {
		h := &e.Holders[i]
		if at, ok := l.Empties(*h); ok {
			h.Emptier = fmt.Sprintf("%s:%d", at.Location.File, at.Location.Line)
			if h.MaxLen == nil && at.Most > 0 && len(h.Length) > 0 && last(h.Length) <= at.Most {
				h.MaxLen = &at.Most
			}
		}
	}
}

// MarkEmptied marks the containers of now that cannot have kept all they were given since earlier: at the rate at which
// they grow they would be at least twice as long by now. A list that is emptied every epoch grows in every census and
// still keeps nothing, unless the tensors that went into it live on: then what is emptied is another list each time.
func MarkEmptied(earlier, now *evidence.Evidence) {
	span := steps(now)
	passed := now.LastStep() - earlier.LastStep()
	if passed < 4*span {
		return
	}
	before := map[string]int64{}
	for _, h := range earlier.Holders {
		if h.Kind == "container" && len(h.Length) > 0 {
			before[h.Path] = last(h.Length)
		}
	}
	for i := range now.Holders {
		h := &now.Holders[i]
		length, known := before[h.Path]
		if h.Kind != "container" || !known || len(h.Length) < 2 {
			continue
		}
		due := float64(h.Length[len(h.Length)-1]-h.Length[0]) / float64(span) * float64(passed)
		h.Emptied = h.Emptied || due > 0 && float64(last(h.Length)-length) < due/2 && !liveOn(earlier, now, h.ID, due)
	}
}

// liveOn reports whether the tensors of a kind that a holder has became more since earlier by half of what was due to go
// into it, or more.
func liveOn(earlier, now *evidence.Evidence, holder int, due float64) bool {
	before := map[string]int64{}
	for i := range earlier.Groups {
		g := &earlier.Groups[i]
		before[alike(g)] += last(g.Count)
	}
	for i := range now.Groups {
		g := &now.Groups[i]
		if n, known := before[alike(g)]; known && slices.Contains(g.Holders, holder) && float64(last(g.Count)-n) >= due/2 {
			return true
		}
	}
	return false
}

// alike names what the tensors of a group have in common.
func alike(g *evidence.Group) string { return fmt.Sprint(g.Device, g.DType, g.Shape, g.GradFn) }

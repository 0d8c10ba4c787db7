package diagnose

import (
	"fmt"

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
// still keeps nothing.
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
		h.Emptied = due > 0 && float64(last(h.Length)-length) < due/2
	}
}

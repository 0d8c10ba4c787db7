package simulate

import (
	"cmp"
	"slices"
)

// Advice is a setting that lowers the peak of this very trace, or lets it fit.
type Advice struct {
	Conf    string `json:"conf"`
	Effect  Effect `json:"effect"`
	Peak    uint64 `json:"peak_reserved_bytes"`
	Saved   uint64 `json:"saved_bytes,omitempty"`
	Percent int    `json:"saved_percent,omitempty"`
}

// advise names the settings that help, best first. Against live memory that grows none helps for long, and none
// is named; nor is one where the model does not follow the trace.
func (w *whatIf) advise() {
	if w.GrowsBy > 0 || !w.Replay.close() {
		return
	}
	for _, c := range w.Configs {
		switch c.Effect {
		case Rescues:
			w.Advice = append(w.Advice, Advice{Conf: c.Conf, Effect: c.Effect, Peak: c.PeakReserved})
		case Lowers:
			saved := c.base - c.PeakReserved
			w.Advice = append(w.Advice, Advice{c.Conf, c.Effect, c.PeakReserved, saved, int(100 * saved / c.base)})
		}
	}
	slices.SortStableFunc(w.Advice, func(a, b Advice) int { return cmp.Compare(a.Peak, b.Peak) })
}

// close says that the model follows the trace well enough to be believed.
func (r *Replay) close() bool { return float64(r.Exact) >= 0.99*float64(r.Events) }

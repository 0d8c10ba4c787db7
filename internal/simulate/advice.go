package simulate

import (
	"cmp"
	"slices"
)

// Advice is a setting that lowers the peak of this very trace.
type Advice struct {
	Conf      string  `json:"conf"`
	Peak      uint64  `json:"peak_reserved_bytes"`
	Saved     uint64  `json:"saved_bytes"`
	Change    float64 `json:"change"`
	AvoidsOOM bool    `json:"avoids_oom"` // the recorded settings ran out of memory, these do not
}

// worthwhile is the least share of the peak that advice must save.
const worthwhile = 0.03

// advise names the settings that lower the peak wherever segments may have lain, best first. Against live
// memory that grows no setting helps, and none is named.
func (w *whatIf) advise() {
	if w.GrowsBy > 0 || w.Replay.FirstDivergence != nil && !w.Replay.close() {
		return
	}
	for i := range w.Configs {
		c := &w.Configs[i]
		from := w.beginning(&c.settings)
		base := w.baseline(from)
		worst := c.Interval[1]
		if from == packed && !w.Replay.Complete {
			worst = c.PeakReserved // the far end is that of another beginning
		}
		helps := w.Replay.failed() && !c.OOM
		if c.OOM || !helps && float64(worst) > (1-worthwhile)*float64(base) {
			continue
		}
		a := Advice{Conf: c.Conf, Peak: c.PeakReserved, Change: c.Change, AvoidsOOM: helps}
		if base > c.PeakReserved {
			a.Saved = base - c.PeakReserved
		}
		w.Advice = append(w.Advice, a)
	}
	slices.SortStableFunc(w.Advice, func(a, b Advice) int { return cmp.Compare(a.Peak, b.Peak) })
}

// close says that the model follows the trace well enough to be believed.
func (r *Replay) close() bool { return float64(r.Exact) >= 0.99*float64(r.Events) }

// failed says that the recorded run met the end of its memory.
func (r *Replay) failed() bool { return r.OOMs > 0 }

package detect

import "github.com/torchleak/torchleak/internal/stats"

// creeping measures growth too slow to matter in a step, over the whole run: its floor rose in nearly every one of the
// longest windows, evenly, and by now by a hundredth and a mebibyte at least. A curve of numbers does that; the run is
// not to be called flat for it.
func (t *track) creeping() (rate, bool) {
	const least, worth = 8, 1 << 20
	h := &t.hist
	for k := len(h.levels) - 1; k >= 0; k-- {
		ws := h.last(k, levelSize)
		for len(ws) > 0 && ws[0].start < settle {
			ws = ws[1:]
		}
		if len(ws) < least {
			continue
		}
		x, raw := floors(ws)
		y := stats.WithoutJumps(x, raw)
		n, falls := len(y)-1, 0
		for i := range n {
			if y[i+1] <= y[i] {
				falls++
			}
		}
		before, after := y[n/2]-y[0], y[n]-y[n/2]
		gain := min(raw[n]-raw[0], y[n]-y[0])
		if falls > n/8 || 2*after < before || gain < worth || 100*gain < raw[0] {
			return rate{}, false
		}
		r := rateOf(ws, float64(int64(1)<<(k+firstLevel))*t.stride())
		return r, r.Mid > 0 && r.Mid < t.least
	}
	return rate{}, false
}

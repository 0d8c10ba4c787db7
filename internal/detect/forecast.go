package detect

import (
	"math"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/stats"
)

// pace measures how long a step takes: the median of the last intervals between samples.
type pace struct {
	step, nanos int64
	recent      [63]float64
	n           int
}

func (p *pace) add(step, nanos int64) {
	if p.nanos != 0 && nanos > p.nanos && step > p.step {
		p.recent[p.n%len(p.recent)] = float64(nanos-p.nanos) / float64(step-p.step)
		p.n++
	}
	p.step, p.nanos = step, nanos
}

// seconds is the time of one step, NaN before two samples with a time.
func (p *pace) seconds() float64 {
	return stats.Median(p.recent[:min(p.n, len(p.recent))]) / 1e9
}

// forecast fills in when the memory will be full if it goes on growing by perStep.
func (d *Detector) forecast(m *finding.Memory, perStep float64) {
	room, ok := d.room()
	if !ok || perStep <= 0 {
		return
	}
	steps := int64(max(0, float64(room)/perStep))
	m.StepsToOOM = &steps
	if s := d.pace.seconds(); !math.IsNaN(s) {
		t := math.Round(float64(steps)*s*10) / 10
		m.SecondsToOOM = &t
	}
}

// room is how much may still be taken. On a device that is what the driver has left and what the allocator
// holds unused; elsewhere the limit less what is resident or, where that is not read, live.
func (d *Detector) room() (int64, bool) {
	f := &d.facts
	if d.device() {
		limit := d.options.Limit
		if limit == 0 {
			limit = f.total
		}
		if limit == 0 {
			return 0, false
		}
		if f.driver > f.held && f.held > 0 {
			return limit - (f.driver - f.held) - f.last, true
		}
		return limit - f.last, true
	}
	if d.options.Limit == 0 {
		return 0, false
	}
	return d.options.Limit - max(f.last, f.resident), true
}

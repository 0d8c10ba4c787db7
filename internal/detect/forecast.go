package detect

import "github.com/torchleak/torchleak/internal/finding"

// forecast fills in when the memory reaches its own limit if it goes on growing by perStep. What else bounds it, and how long
// a step takes, is known to who knows the whole process.
func (d *Detector) forecast(m *finding.Memory, perStep float64) {
	if room, ok := d.room(); ok {
		m.Fills(float64(room)/perStep, "")
	}
}

// room is how much may still be taken. On a device that is what the driver has left and what the allocator
// holds unused; elsewhere the limit less what is resident or, where that is not read, live.
func (d *Detector) room() (int64, bool) {
	f := &d.facts
	if d.device() {
		limit := d.options.Limit
		if limit <= 0 {
			limit = f.total
		}
		if limit <= 0 {
			return 0, false
		}
		if f.driver > f.held && f.held > 0 {
			return limit - (f.driver - f.held) - f.last, true
		}
		return limit - f.last, true
	}
	if d.options.Limit <= 0 {
		return 0, false
	}
	return d.options.Limit - max(f.last, f.resident), true
}

package analysis

import "github.com/torchleak/torchleak/internal/stats"

// pace is how long a step takes: the newest paces, in seconds, in a ring.
type pace struct {
	last    int64 // nanoseconds at the newest sample
	seconds [512]float64
	count   int
}

// add notes that so many steps ended at a time; the first one has no beginning.
func (p *pace) add(steps, nanos int64) {
	if p.last > 0 && nanos > p.last && steps > 0 {
		p.seconds[p.count%len(p.seconds)] = float64(nanos-p.last) / 1e9 / float64(steps)
		p.count++
	}
	p.last = nanos
}

// median is what a step takes as a rule; nil before there were a few.
func (p *pace) median() *float64 {
	const few = 4
	if p.count < few {
		return nil
	}
	m := stats.Median(p.seconds[:min(p.count, len(p.seconds))])
	return &m
}

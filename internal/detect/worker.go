package detect

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/units"
)

// Hoards says whether the source of a worker's data set keeps what it hands out, without end: growth has a cause then, and
// need not last as long as one that may be a cache or a buffer that fills. The next worker in its place may have another data set.
func (d *Detector) Hoards(hoards bool) { d.hoards = hoards }

// manyEpochs is after how many of them a worker must have had nearly every sample: which ones it gets is drawn anew in each.
const manyEpochs = 8

// Fills says whether the source of a worker's data set keeps each sample once, and nothing else, and how many epochs the training
// has begun: that ends with the data set.
func (d *Detector) Fills(samples bool, epochs int64) { d.fills = samples && epochs <= manyEpochs }

// fillsUp looks for growth that may well be that.
func (d *Detector) fillsUp() (ruling, bool) {
	t := d.main()
	if !d.fills || t.seen() < enough || !d.grows(t) {
		return ruling{}, false
	}
	return ruling{
		verdict: finding.Bounded, track: t, growth: t.growth,
		why: "grows with its batches: the source of its data set keeps each sample once, and this ends with the data set",
	}, true
}

// copied reads how many of a worker's private pages were its parent's: what it has written to since it was forked, a
// reference count on the page is enough. What the worker takes itself is private from the beginning.
func copied(s *memory.Sample) (int64, bool) {
	private, ok := s.Get(memory.WorkerPrivate)
	own, ok2 := s.Get(memory.WorkerOwn)
	return private - own, ok && ok2
}

// A copy that is worth a word, in bytes and as a part of what the worker has. The first touches of a process copy the
// pages of its modules.
const (
	worthCopying = 4 << 20
	partCopied   = 10
	fewReadings  = 8 // private pages are dear to count
)

// copies looks for a worker that takes nothing itself and copies page by page what it shares with its parent. That ends
// once nothing is shared any more.
func (d *Detector) copies() (ruling, bool) {
	t := d.track("copied")
	if t == nil || t.seen() < fewReadings {
		return ruling{}, false
	}
	least := max(worthCopying, d.facts.private/partCopied)
	if g := t.growth; g != nil && d.grows(t) && t.last().value-g.base >= least {
		why := "takes nothing itself: each page that is read or written becomes its own"
		if d.facts.shared > 0 {
			why += fmt.Sprintf("; at most %s are left", units.Bytes(d.facts.shared))
		}
		return ruling{verdict: finding.Bounded, track: t, growth: g, why: why}, true
	}
	if g := t.past; g != nil && g.grown >= least {
		why := "took nothing itself: pages that it shared became its own, up to an end"
		return ruling{verdict: finding.Bounded, track: t, growth: g, why: why}, true
	}
	return ruling{}, false
}

// noteWorker keeps what a worker has for itself, and what it still shares with others.
func (d *Detector) noteWorker(s *memory.Sample) {
	private, ok := s.Get(memory.WorkerPrivate)
	anon, ok2 := s.Get(memory.HostAnon)
	if ok && ok2 {
		d.facts.private, d.facts.shared = private, max(0, anon-private)
	}
}

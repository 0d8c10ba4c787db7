package simulate

import "github.com/torchleak/torchleak/internal/snapshot"

// releaseAll is empty_cache: pending frees are waited for, whole segments and pages go back to the driver.
func (a *allocator) releaseAll() {
	for a.pending.first != nil {
		a.complete(a.pending.first)
	}
	for _, p := range a.half(snapshot.Pool{}) {
		for _, b := range p.idle() {
			a.release(b)
		}
		var pages []*block
		for _, s := range p.full() {
			for b := range s.free.all {
				if b.region != nil {
					pages = append(pages, b)
				}
			}
		}
		for _, b := range pages {
			a.unmapPages(b)
		}
	}
}

// release is cudaFree of a free block that is its whole segment.
func (a *allocator) release(b *block) {
	b.shelf.take(b)
	a.driver.release(b.addr, b.size)
	a.lose(snapshot.SegmentFree, b.shelf, b.addr, b.size)
	delete(a.heads, b.addr)
	a.drop(b)
}

func (a *allocator) lose(kind snapshot.Kind, s *shelf, addr, size uint64) {
	a.Reserved -= size
	a.DeviceFrees++
	a.note(kind, s, addr, size)
}

// releaseOversize frees one block that is large enough, or else the largest until they are enough.
func (a *allocator) releaseOversize(s *shelf, size uint64) bool {
	key := max(size, a.settings.MaxSplit)
	if p := s.free.from(key); p.valid() {
		if b := s.free.at(p); b.region == nil && b.whole() {
			a.release(b)
			return true
		}
	}
	freed := uint64(0)
	for freed < key {
		p := s.free.below(key)
		if !p.valid() {
			break
		}
		b := s.free.at(p)
		if b.size < a.settings.MaxSplit || b.region != nil || !b.whole() {
			break
		}
		freed += b.size
		a.release(b)
	}
	return freed >= key
}

// collect is the garbage collection: above the threshold, the cached segments that were passed over the
// longest are freed.
func (a *allocator) collect() {
	mark := uint64(a.settings.GCThreshold * float64(a.limit))
	if a.Reserved <= mark {
		return
	}
	target, reclaimed := a.Reserved-mark, uint64(0)
	large := a.half(snapshot.Pool{})[0]
	candidates := large.idle()
	total := uint64(0)
	for _, b := range candidates {
		total += large.calls - b.gcBase
	}
	for again := true; again && reclaimed < target && len(candidates) > 0; {
		again = false
		mean := float64(total) / float64(len(candidates))
		kept := candidates[:0]
		for _, b := range candidates {
			age := large.calls - b.gcBase
			if float64(age) < mean {
				kept = append(kept, b)
				continue
			}
			again = true
			total -= age
			reclaimed += b.size
			a.release(b)
		}
		candidates = kept
	}
}

// idle returns the free blocks of a half pool that are whole cudaMalloc segments, in the order of the set.
func (p *pool) idle() (blocks []*block) {
	for _, s := range p.full() {
		for b := range s.free.all {
			if b.region == nil && b.whole() {
				blocks = append(blocks, b)
			}
		}
	}
	return blocks
}

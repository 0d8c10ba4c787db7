package simulate

// releaseAll is empty_cache: pending frees are waited for, whole segments and pages go back to the driver.
func (a *allocator) releaseAll() {
	for _, b := range a.pending {
		a.finish(b)
	}
	a.pending = a.pending[:0]
	for _, p := range a.half(PoolID{}) {
		for _, b := range p.idle() {
			a.release(b)
		}
		var pages []*block
		for _, s := range p.shelves {
			for _, e := range s.free {
				if e.block.region != nil {
					pages = append(pages, e.block)
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
	b.shelf.free.remove(b.size, b)
	a.driver.release(b.addr, b.size)
	a.lose(SegmentFree, b.shelf, b.addr, b.size)
	delete(a.heads, b.addr)
	a.drop(b)
}

func (a *allocator) lose(kind Kind, s *shelf, addr, size uint64) {
	a.Reserved -= size
	a.DeviceFrees++
	a.note(kind, s, addr, size)
}

// releaseOversize frees one block that is large enough, or else the largest until they are enough.
func (a *allocator) releaseOversize(s *shelf, size uint64) bool {
	key := max(size, a.settings.MaxSplit)
	i := s.free.search(key, 0)
	if i < len(s.free) && s.free[i].block.region == nil && s.free[i].block.whole() {
		a.release(s.free[i].block)
		return true
	}
	freed := uint64(0)
	for i--; i >= 0 && freed < key; i-- {
		b := s.free[i].block
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
	large := a.half(PoolID{})[0]
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
	for _, s := range p.shelves {
		for _, e := range s.free {
			if e.block.region == nil && e.block.whole() {
				blocks = append(blocks, e.block)
			}
		}
	}
	return blocks
}

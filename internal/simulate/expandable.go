package simulate

import "github.com/torchleak/torchleak/internal/snapshot"

// newExpandable finds room at the earliest place where free and unmapped pieces suffice, and maps it.
func (a *allocator) newExpandable(s *shelf, size uint64) *block {
	b := place(s, size)
	if b == nil {
		b = a.newRegion(s)
	}
	if b.unmapped {
		first := b
		if b = a.mapPages(b, min(b.size, size)); b == nil {
			if first.whole() {
				// PyTorch keeps the address space; a trace tells where it is only when pages are mapped.
				a.dropRegion(first)
			}
			return nil
		}
	}
	for b.size < size {
		next := b.next
		if next == nil { // a region smaller than the request
			return nil
		}
		if b = a.mapPages(next, min(size-b.size, next.size)); b == nil {
			return nil
		}
	}
	s.take(b)
	return b
}

func place(s *shelf, size uint64) *block {
	for start := range s.unmapped.all {
		if p := start.prev; p != nil && p.free() {
			start = p
		}
		sum := uint64(0)
		for b := start; b != nil && (b.unmapped || b.free()); b = b.next {
			if sum += b.size; sum >= size {
				return start
			}
		}
	}
	return nil
}

func (a *allocator) newRegion(s *shelf) *block {
	page := a.settings.page(s.small)
	addr, size := a.driver.reserve(page)
	b := a.blank()
	b.addr, b.size, b.shelf = addr, size, s
	b.region = &region{addr, page}
	b.unmap()
	a.heads[addr] = b
	return b
}

// mapPages maps the front of an unmapped block and returns the free block that this is part of now, or nil
// when the driver has no more.
func (a *allocator) mapPages(b *block, want uint64) *block {
	page := b.region.page
	size := (want + page - 1) / page * page
	if !a.driver.grow(b.addr, size) {
		return nil
	}
	s := b.shelf
	s.unmapped.remove(0, b)
	a.hold(snapshot.SegmentMap, s, b.addr, size)
	if size < b.size {
		a.cut(b, size).unmap()
	}
	b.unmapped = false
	b = a.merge(b)
	a.shelve(b)
	return b
}

// unmapPages gives the whole pages of a free block back; what lies at its ends stays.
func (a *allocator) unmapPages(b *block) {
	s := b.shelf
	start, end := b.pages()
	if start >= end {
		return
	}
	s.take(b)
	if start > b.addr {
		front := b
		b = a.cut(b, start-b.addr)
		a.shelve(front)
	}
	if end < b.end() {
		a.shelve(a.cut(b, end-start))
	}
	a.driver.release(start, end-start)
	a.lose(snapshot.SegmentUnmap, s, start, end-start)
	if p := b.prev; p != nil && p.unmapped {
		a.absorb(p, b)
		b = p
	} else {
		b.unmap()
	}
	if n := b.next; n != nil && n.unmapped {
		s.unmapped.remove(0, n)
		a.absorb(b, n)
	}
	if b.whole() {
		a.dropRegion(b)
	}
}

// dropRegion gives up a segment of which nothing is mapped.
func (a *allocator) dropRegion(b *block) {
	b.shelf.unmapped.remove(0, b)
	delete(a.heads, b.addr)
	a.drop(b)
}

func (b *block) unmap() {
	b.unmapped = true
	b.shelf.unmapped.insert(0, b)
}

package simulate

import "slices"

// restore builds an allocator in a known state and returns the blocks of the holdings by handle. Where a
// holding's block size is not known it follows from the gap behind: a large block keeps up to 1 MiB more than
// was asked for, so a gap that small is part of it.
func restore(s Settings, d driver, limit uint64, held segments, lanes []lane, live []holding, handles int32) (*allocator, []*block) {
	a := newAllocator(s, d, limit)
	blocks := make([]*block, handles)
	for _, l := range lanes {
		a.open(l)
	}
	var last *block // of the region that may go on
	for i := range held {
		seg := &held[i]
		shelves := a.open(lane{seg.Pool, seg.Stream})
		sh := shelves[0]
		if seg.Small {
			sh = shelves[1]
		}
		a.Reserved += seg.Size
		b := a.blank()
		b.addr, b.size, b.shelf = seg.Addr, seg.Size, sh
		if seg.Expandable {
			b = a.inRegion(b, last)
			last = b.next
		} else {
			a.heads[b.addr] = b
		}
		live = a.occupy(b, seg, live, blocks)
	}
	a.PeakReserved, a.PeakAllocated = a.Reserved, a.Allocated
	return a, blocks
}

// inRegion puts a mapped range into the unmapped rest of a region of its kind, or into a new one that
// begins there.
func (a *allocator) inRegion(b, tail *block) *block {
	page := a.settings.page(b.shelf.small)
	if tail == nil || tail.shelf != b.shelf || tail.end() < b.end() {
		_, size := a.driver.reserve(page)
		tail = a.blank()
		tail.addr, tail.size, tail.shelf = b.addr, max(size, b.size), b.shelf
		tail.region = &region{b.addr, page}
		tail.unmap()
		a.heads[tail.addr] = tail
	}
	tail.shelf.unmapped.remove(0, tail)
	middle := tail
	if gap := b.addr - tail.addr; gap > 0 {
		middle = a.cut(tail, gap)
		tail.unmap()
	}
	if middle.size > b.size {
		a.cut(middle, b.size).unmap()
	}
	middle.unmapped = false
	a.drop(b)
	return middle
}

// occupy cuts a mapped block into holdings and free pieces, and returns the holdings behind it.
func (a *allocator) occupy(b *block, seg *Segment, live []holding, blocks []*block) []holding {
	end := b.end()
	for len(live) > 0 && live[0].addr < b.addr {
		live = live[1:] // outside of all segments: nothing to cut it from
	}
	var free []*block
	for b.size > 0 && len(live) > 0 && live[0].addr < end {
		h := live[0]
		live = live[1:]
		if h.addr < b.addr {
			continue // overlaps the one before
		}
		if gap := h.addr - b.addr; gap > 0 {
			free = append(free, b)
			b = a.cut(b, gap)
		}
		next := end
		if len(live) > 0 {
			next = min(next, live[0].addr)
		}
		size := min(a.sizeWithin(&h, seg, next-h.addr), next-h.addr)
		var rest *block
		if size < b.size {
			rest = a.cut(b, size)
		}
		b.allocated, b.pending, b.requested = !h.pending, h.pending, h.requested
		a.Active += b.size
		a.Requested += b.requested
		if h.pending {
			a.pending.add(b)
		} else {
			a.Allocated += b.size
		}
		blocks[h.handle], b.owner = b, h.handle+1
		if b = rest; b == nil {
			break
		}
	}
	if b != nil && !b.allocated && !b.pending {
		free = append(free, b)
	}
	for _, f := range slices.Backward(free) {
		a.shelve(f)
	}
	return live
}

func (a *allocator) sizeWithin(h *holding, seg *Segment, room uint64) uint64 {
	if h.size > 0 {
		return h.size
	}
	size := a.settings.Round(h.requested)
	if !seg.Small && !seg.Expandable && size < room && (room-size <= smallLimit || size >= a.settings.MaxSplit) {
		return room
	}
	return size
}

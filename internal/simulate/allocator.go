package simulate

import "github.com/torchleak/torchleak/internal/snapshot"

// driver is where an allocator's memory comes from.
type driver interface {
	// malloc is cudaMalloc: an address, or false when the device is full.
	malloc(size uint64) (addr uint64, ok bool)
	// reserve returns address space for an expandable segment, of which nothing is mapped yet.
	reserve(page uint64) (addr, size uint64)
	// grow maps pages; false when the device is full.
	grow(addr, size uint64) bool
	// full says beforehand that more will be refused.
	full() bool
	// release takes a segment or pages back.
	release(addr, size uint64)
}

// Stats are the counters of an allocator, as torch.cuda.memory_stats has them.
type Stats struct {
	Allocated, Active, Requested, Reserved uint64
	PeakAllocated, PeakReserved            uint64
	Retries                                int
	DeviceAllocs, DeviceFrees              int
}

// allocator is the model of one device's caching allocator.
type allocator struct {
	settings Settings
	driver   driver
	limit    uint64 // bytes the process may hold, 0 for no limit
	Stats

	pools   map[snapshot.Pool]*[2]*pool
	shelves map[lane]*[2]*shelf // large, small
	heads   map[uint64]*block   // first block of each segment
	pending queue
	spare   *block  // blocks to use again
	log     []Event // what was done with the driver, while logging
	logging bool
}

func newAllocator(s Settings, d driver, limit uint64) *allocator {
	a := &allocator{settings: s, driver: d, limit: limit, pools: map[snapshot.Pool]*[2]*pool{}, shelves: map[lane]*[2]*shelf{}, heads: map[uint64]*block{}}
	a.half(snapshot.Pool{}) // the default pool comes first in releases
	return a
}

func (a *allocator) half(id snapshot.Pool) *[2]*pool {
	p := a.pools[id]
	if p == nil {
		private := id != snapshot.Pool{}
		p = &[2]*pool{{private: private}, {private: private, small: true}}
		a.pools[id] = p
	}
	return p
}

// open returns the two shelves of a lane.
func (a *allocator) open(l lane) *[2]*shelf {
	s := a.shelves[l]
	if s != nil {
		return s
	}
	s = &[2]*shelf{}
	for i, p := range a.half(l.pool) {
		s[i] = &shelf{pool: p, lane: l}
	}
	a.shelves[l] = s
	return s
}

func (a *allocator) collects() bool { return a.limit > 0 && a.settings.GCThreshold > 0 }

// malloc serves a request, or returns nil when the device is full. With searched set the free blocks are
// known to have nothing.
func (a *allocator) malloc(shelves *[2]*shelf, request uint64, searched bool) *block {
	size := a.settings.Round(request)
	s := shelves[0]
	if size <= smallLimit {
		s = shelves[1]
	}
	var b *block
	if !searched {
		b = a.find(s, size)
	} else if a.collects() {
		s.calls++
	}
	if b == nil {
		if b = a.grow(s, size); b == nil {
			return nil
		}
	}
	a.hand(b, size, request)
	return b
}

// grow gets memory for a request from the driver, giving cached memory back as far as needed.
func (a *allocator) grow(s *shelf, size uint64) *block {
	if a.collects() {
		a.collect()
	}
	if a.settings.ThrowEarly && a.limit > 0 && a.settings.Fraction > 0 && a.Reserved+a.settings.SegmentSize(size) > a.limit {
		return nil
	}
	if b := a.newBlock(s, size); b != nil {
		return b
	}
	if a.settings.MaxSplit != unlimited && a.releaseOversize(s, size) {
		if b := a.newBlock(s, size); b != nil {
			return b
		}
	}
	// What pending frees bring back here is not looked at again: PyTorch only asks the driver.
	a.releaseAll()
	a.Retries++
	return a.newBlock(s, size)
}

// find takes the best fitting free block off its shelf.
func (a *allocator) find(s *shelf, size uint64) *block {
	if a.collects() {
		s.calls++
	}
	p := s.free.from(size)
	if p.valid() && s.free.at(p).region != nil {
		p = a.passExpandable(&s.free, p)
	}
	if !p.valid() {
		return nil
	}
	b := s.free.at(p)
	if limit := a.settings.MaxSplit; size < limit && b.size >= limit ||
		size >= limit && b.size >= size+a.settings.MaxNonSplitRounding {
		return nil
	}
	s.free.cut(p)
	s.taken(b)
	return b
}

// passExpandable goes on from an expandable block: to the one with the least room to grow, so that tails
// are used last, or past all of them when the option is off.
func (a *allocator) passExpandable(free *sorted, p spot) spot {
	if !a.settings.Expandable {
		for p.valid() && free.at(p).region != nil {
			p = free.next(p)
		}
		return p
	}
	room := func(b *block) uint64 {
		if b.next != nil && b.next.unmapped {
			return b.size + b.next.size
		}
		return b.size
	}
	for free.at(p).region != nil {
		next := free.next(p)
		if !next.valid() || room(free.at(next)) >= room(free.at(p)) {
			break
		}
		p = next
	}
	return p
}

// newBlock asks the driver.
func (a *allocator) newBlock(s *shelf, size uint64) *block {
	if a.driver.full() {
		return nil
	}
	want := a.settings.SegmentSize(size)
	if a.limit > 0 && a.Reserved+want > a.limit {
		return nil
	}
	if a.settings.Expandable {
		return a.newExpandable(s, size)
	}
	addr, ok := a.driver.malloc(want)
	if !ok {
		return nil
	}
	a.hold(snapshot.SegmentAlloc, s, addr, want)
	b := a.blank()
	b.addr, b.size, b.shelf = addr, want, s
	a.heads[addr] = b
	return b
}

// hand gives a block to a request and puts what is left over back.
func (a *allocator) hand(b *block, size, request uint64) {
	if a.splits(b, size) {
		a.shelve(a.cut(b, size))
	}
	b.allocated, b.requested = true, request
	a.Allocated += b.size
	a.Active += b.size
	a.Requested += request
	a.PeakAllocated = max(a.PeakAllocated, a.Allocated)
}

func (a *allocator) splits(b *block, size uint64) bool {
	rest := b.size - size
	if b.shelf.small || a.settings.Expandable {
		return rest >= minBlock
	}
	return size < a.settings.MaxSplit && rest > smallLimit
}

// cut shortens b to size and returns the piece behind it, which is on no shelf yet.
func (a *allocator) cut(b *block, size uint64) *block {
	rest := a.blank()
	rest.addr, rest.size, rest.shelf, rest.region = b.addr+size, b.size-size, b.shelf, b.region
	rest.prev, rest.next = b, b.next
	if b.next != nil {
		b.next.prev = rest
	}
	b.next, b.size = rest, size
	return rest
}

// hold books what the driver gave.
func (a *allocator) hold(kind snapshot.Kind, s *shelf, addr, size uint64) {
	a.Reserved += size
	a.PeakReserved = max(a.PeakReserved, a.Reserved)
	a.DeviceAllocs++
	a.note(kind, s, addr, size)
}

func (a *allocator) note(kind snapshot.Kind, s *shelf, addr, size uint64) {
	if a.logging {
		a.log = append(a.log, Event{Kind: kind, Addr: addr, Size: size, Stream: s.lane.stream, Pool: s.lane.pool})
	}
}

func (a *allocator) blank() *block {
	b := a.spare
	if b == nil {
		slab := make([]block, 256)
		for i := range slab[1:] {
			slab[i].next = &slab[i+1]
		}
		b = &slab[0]
	}
	a.spare = b.next
	*b = block{}
	return b
}

func (a *allocator) drop(b *block) {
	b.next, b.prev = a.spare, nil
	a.spare = b
}

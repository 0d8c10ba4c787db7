package simulate

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// block is a piece of a segment. Neighbours in the segment are linked; free ones are on a shelf.
type block struct {
	addr, size, requested uint64
	prev, next            *block
	shelf                 *shelf
	region                *region // the expandable segment it is part of, nil after cudaMalloc
	gcBase                uint64  // calls of the pool when it became free
	before, after         *block  // in the queue of those that are waited for
	owner                 int32   // one more than the handle of the request it serves or waits for, 0 for none
	allocated             bool
	pending               bool // freed, and a stream may still use it
	unmapped              bool // address space only
}

// free says that the block is in a free set: mapped, and neither used nor waited for.
func (b *block) free() bool { return !b.allocated && !b.pending && !b.unmapped }

// whole says that the block is its entire segment.
func (b *block) whole() bool { return b.prev == nil && b.next == nil }

// loose says that a free block, or pages of it, can go back to the driver. That stays as it is while the block is free.
func (b *block) loose() bool {
	if b.region == nil {
		return b.whole()
	}
	start, end := b.pages()
	return start < end
}

// pages returns the ends of the whole pages in a block of an expandable segment.
func (b *block) pages() (start, end uint64) {
	r := b.region
	return r.base + (b.addr-r.base+r.page-1)/r.page*r.page, r.base + (b.end()-r.base)/r.page*r.page
}

func (b *block) end() uint64 { return b.addr + b.size }

// region is the address space of one expandable segment.
type region struct {
	base uint64
	page uint64
}

// lane is what requests can share memory in: a pool and a stream.
type lane struct {
	pool   snapshot.Pool
	stream uint64
}

// pool is the small or the large half of a pool, over all streams.
type pool struct {
	small   bool
	private bool
	calls   uint64   // searches since garbage collection is armed
	stocked []*shelf // on which something can be released, and some on which nothing can be any more
}

// shelf holds the free blocks of one half of a pool on one stream.
type shelf struct {
	*pool
	lane     lane
	free     sorted // by size, then address
	unmapped sorted // by address
	loose    int    // free blocks that can be released
	listed   bool   // among those of the pool that are stocked
}

// put puts a free block on its shelf.
func (s *shelf) put(b *block) {
	s.free.insert(b.size, b)
	if !b.loose() {
		return
	}
	if s.loose++; !s.listed {
		s.listed = true
		s.pool.stocked = append(s.pool.stocked, s)
	}
}

// take takes a free block off its shelf.
func (s *shelf) take(b *block) {
	s.free.remove(b.size, b)
	s.taken(b)
}

// taken takes notice of a free block that is off its shelf.
func (s *shelf) taken(b *block) {
	if b.loose() {
		s.loose--
	}
}

// full returns the shelves on which something can be released, by stream. With thousands of streams they are few.
func (p *pool) full() []*shelf {
	p.stocked = slices.DeleteFunc(p.stocked, func(s *shelf) bool {
		s.listed = s.loose > 0
		return !s.listed
	})
	slices.SortFunc(p.stocked, func(x, y *shelf) int { return cmp.Compare(x.lane.stream, y.lane.stream) })
	return p.stocked
}

// of returns the block of a request, or nil when it was given back: the block may serve another one by now.
func of(blocks []*block, handle int32) *block {
	if b := blocks[handle]; b != nil && b.owner == handle+1 {
		return b
	}
	return nil
}

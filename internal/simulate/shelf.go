package simulate

import "slices"

// block is a piece of a segment. Neighbours in the segment are linked; free ones are on a shelf.
type block struct {
	addr, size, requested uint64
	prev, next            *block
	shelf                 *shelf
	region                *region // the expandable segment it is part of, nil after cudaMalloc
	gcBase                uint64  // calls of the pool when it became free
	allocated             bool
	pending               bool // freed, and a stream may still use it
	unmapped              bool // address space only
}

// free says that the block is in a free set: mapped, and neither used nor waited for.
func (b *block) free() bool { return !b.allocated && !b.pending && !b.unmapped }

// whole says that the block is its entire segment.
func (b *block) whole() bool { return b.prev == nil && b.next == nil }

func (b *block) end() uint64 { return b.addr + b.size }

// region is the address space of one expandable segment.
type region struct {
	base uint64
	page uint64
}

// lane is what requests can share memory in: a pool and a stream.
type lane struct {
	pool   PoolID
	stream uint64
}

// pool is the small or the large half of a pool, over all streams.
type pool struct {
	small   bool
	private bool
	calls   uint64   // searches since garbage collection is armed
	shelves []*shelf // by stream
}

// shelf holds the free blocks of one half of a pool on one stream.
type shelf struct {
	*pool
	lane     lane
	free     sorted // by size, then address
	unmapped sorted // by address
}

type entry struct {
	size, addr uint64
	block      *block
}

// sorted is a set of blocks in order. Sets hold some hundred blocks: moving them is cheaper than a tree.
type sorted []entry

// search returns the first place whose entry is not below (size, addr).
func (s sorted) search(size, addr uint64) int {
	lo, hi := 0, len(s)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if e := &s[mid]; e.size < size || e.size == size && e.addr < addr {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (s *sorted) insert(size uint64, b *block) {
	*s = slices.Insert(*s, s.search(size, b.addr), entry{size, b.addr, b})
}

func (s *sorted) remove(size uint64, b *block) {
	*s = s.cut(s.search(size, b.addr))
}

// cut takes the entry at i out.
func (s sorted) cut(i int) sorted {
	copy(s[i:], s[i+1:])
	return s[:len(s)-1]
}

package simulate

import "github.com/torchleak/torchleak/internal/snapshot"

// block is a piece of a segment. Neighbours in the segment are linked; free ones are on a shelf.
type block struct {
	addr, size, requested uint64
	prev, next            *block
	shelf                 *shelf
	region                *region // the expandable segment it is part of, nil after cudaMalloc
	gcBase                uint64  // calls of the pool when it became free
	owner                 int32   // one more than the handle of the request it serves or waits for, 0 for none
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
	pool   snapshot.Pool
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

// of returns the block of a request, or nil when it was given back: the block may serve another one by now.
func of(blocks []*block, handle int32) *block {
	if b := blocks[handle]; b != nil && b.owner == handle+1 {
		return b
	}
	return nil
}

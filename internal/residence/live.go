package residence

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Block is memory in use.
type Block struct {
	Addr, Size uint64 // Size as the allocator gave it, rounded
	Requested  uint64
	Stack      uint32 // as book numbers them
	Born       int    // the entry that allocated it, -1 where it is older than the trace
	Pending    bool   // freed, and still used by a stream
}

// live returns what is in use once entries up to event, without it, have happened: from the segments where that is
// all of them, else from the trace. It is sorted by address. end is a walk that is at the end of the trace.
func (b *book) live(end *walk, event int) []Block {
	d := end.device
	if event == d.To {
		return b.used(end)
	}
	w := newWalk(b, d)
	for w.next < event {
		w.step()
	}
	blocks := w.blocks()
	// What is freed later without having been born before is older than the trace, as is what is left at its end.
	older := map[uint32]bool{}
	for _, i := range end.lost[len(w.lost):] {
		e := w.trace.At(i)
		if !older[e.Place] {
			older[e.Place] = true
			blocks = append(blocks, Block{Addr: e.Addr, Size: rounded(e.Size), Requested: e.Size, Born: -1})
		}
	}
	for _, x := range b.used(end) {
		if place, _ := w.trace.Find(x.Addr); x.Born < 0 && !older[place] {
			blocks = append(blocks, x)
		}
	}
	slices.SortFunc(blocks, func(x, y Block) int { return cmp.Compare(x.Addr, y.Addr) })
	return blocks
}

// used returns the blocks that the segments show in use, with what the trace knows of them.
func (b *book) used(w *walk) (blocks []Block) {
	for _, f := range b.final(w.device) {
		block := Block{Addr: f.Addr, Size: f.Size, Requested: f.Requested, Stack: f.Stack, Born: -1, Pending: f.State == snapshot.Pending}
		if h, ok := w.seen(f); ok {
			block.Born, block.Stack = int(h.born)-1, h.stack
		}
		blocks = append(blocks, block)
	}
	w.births(blocks)
	slices.SortFunc(blocks, func(x, y Block) int { return cmp.Compare(x.Addr, y.Addr) })
	return blocks
}

// seen returns what the trace, at its end, knows of a block in use. What is freed and still used by a stream has no birth:
// the trace saw it freed.
func (w *walk) seen(f snapshot.Block) (holding, bool) {
	place, known := w.trace.Find(f.Addr)
	if !known {
		return holding{}, false
	}
	h := w.at[place]
	return h, h.born != 0 || f.State == snapshot.Pending && h.size > 0
}

// births finds which entries allocated what is freed and still used by a stream.
func (w *walk) births(blocks []Block) {
	missing := map[uint64]*Block{}
	for i := range blocks {
		if x := &blocks[i]; x.Pending && x.Born < 0 {
			missing[x.Addr] = x
		}
	}
	for i := w.device.To - 1; i >= w.device.From && len(missing) > 0; i-- {
		if w.trace.Kind(i) != snapshot.Alloc {
			continue
		}
		if x, ok := missing[w.trace.At(i).Addr]; ok {
			x.Born = i
			delete(missing, x.Addr)
		}
	}
}

// blocks returns what was born in the trace and lives.
func (w *walk) blocks() (blocks []Block) {
	for place := range w.at {
		if h := &w.at[place]; h.born != 0 {
			blocks = append(blocks, Block{Addr: w.trace.Addr(uint32(place)), Size: rounded(h.size), Requested: h.size, Stack: h.stack, Born: int(h.born) - 1})
		}
	}
	return blocks
}

// final returns the device's blocks that the segments show in use.
func (b *book) final(d snapshot.Device) (used []snapshot.Block) {
	for _, s := range b.snap.Segments {
		if s.Device != d.Index {
			continue
		}
		for _, bl := range b.snap.Blocks[s.First:s.Last] {
			if bl.State != snapshot.Inactive {
				used = append(used, bl)
			}
		}
	}
	return used
}

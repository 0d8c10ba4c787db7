package residence

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Life is a block from its allocation to its end.
type Life struct {
	Block
	Site
	Category
	Died int // the entry that freed it, the end of the device's entries where it lives on
}

// Lives lists every block that was in use at any time of a device's trace, those that are older than it first, the others
// in the order of their allocation.
func Lives(s *snapshot.Snapshot, d snapshot.Device) []Life {
	b := newBook(s)
	w := newWalk(b, d)
	var older, born []Life
	open := map[uint32]int{} // place -> of born
	for w.next < d.To {
		i, lost := w.next, len(w.lost)
		place, _, _ := w.trace.Brief(i)
		switch c := w.step(); {
		case c.size > 0:
			if last, ok := open[place]; ok { // its free was lost
				born[last].Died = i
			}
			open[place] = len(born)
			born = append(born, b.life(Block{Addr: w.trace.Addr(place), Size: rounded(uint64(c.size)), Requested: uint64(c.size), Stack: c.stack, Born: i}, d.To))
		case c.size < 0:
			born[open[place]].Died = i
			delete(open, place)
		case len(w.lost) > lost:
			e := w.trace.At(i)
			older = append(older, b.life(Block{Addr: e.Addr, Size: rounded(e.Size), Requested: e.Size, Born: -1}, i))
		}
	}
	for _, x := range b.used(w) {
		place, known := w.trace.Find(x.Addr)
		if last, ok := open[place]; known && ok {
			born[last].Size = x.Size // as the allocator rounded it
		} else {
			older = append(older, b.life(x, d.To))
		}
	}
	slices.SortStableFunc(older, func(x, y Life) int { return cmp.Compare(x.Addr, y.Addr) })
	return append(older, born...)
}

func (b *book) life(x Block, died int) Life {
	a := b.about(x.Stack)
	return Life{x, a.site, a.category, died}
}

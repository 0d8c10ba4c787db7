package residence

import "github.com/torchleak/torchleak/internal/snapshot"

// quantum is what the allocator rounds requests up to.
const quantum = 512

func rounded(n uint64) uint64 { return max((n+quantum-1)/quantum*quantum, quantum) }

// holding is what lies at an address.
type holding struct {
	born  uint32 // one more than the entry that allocated it, counted from the trace's beginning; 0 for nothing
	stack uint32 // as book numbers them
	size  uint64 // as requested
}

// Tally is how much memory there is of a kind.
type Tally struct {
	Bytes int64
	Count int
}

func (t *Tally) add(bytes int64, count int) {
	t.Bytes += bytes
	t.Count += count
}

// walk follows a device's trace entry by entry.
type walk struct {
	book    *book
	trace   *snapshot.Trace
	device  snapshot.Device
	release snapshot.Kind // the action at which memory is the program's no more
	tie     tie

	next     int       // the entry to come
	at       []holding // by place
	held     []Tally   // by site, as requested
	level    int64     // live bytes, against the trace's beginning
	reserved int64     // held from the driver, against the trace's beginning
	lost     []int     // frees of what the trace did not see allocated
	lostSize int64
	over     change // what lay where the last entry allocated: its free was lost
}

func newWalk(b *book, d snapshot.Device) *walk {
	w := &walk{book: b, trace: &b.snap.Trace, device: d, next: d.From, tie: tie{book: b}, release: snapshot.FreeRequested}
	w.at = make([]holding, w.trace.Places())
	w.held = make([]Tally, len(b.sites))
	// skip_actions can leave free_requested out.
	if !w.trace.Has(snapshot.FreeRequested, d.From, d.To) {
		w.release = snapshot.FreeCompleted
	}
	return w
}

// change is what an entry did to live memory.
type change struct {
	size  int64 // as requested; negative for a free, 0 for an entry that is neither
	stack uint32
}

// step takes the next entry.
func (w *walk) step() (c change) {
	i := w.next
	w.next++
	w.over = change{}
	kind := w.trace.Kind(i)
	if kind == snapshot.FreeCompleted && w.release == snapshot.FreeRequested {
		return c
	}
	place, stack, size := w.trace.Brief(i)
	switch kind {
	case snapshot.Alloc:
		stack = w.tie.see(stack)
		h := &w.at[place]
		if h.born != 0 {
			w.over = change{size: -int64(h.size), stack: h.stack}
			w.drop(h)
		}
		*h = holding{uint32(i) + 1, stack, size}
		w.level += int64(rounded(size))
		w.held[w.book.siteOf[stack]].add(int64(size), 1)
		return change{size: int64(size), stack: stack}
	case snapshot.FreeRequested, snapshot.FreeCompleted:
		h := &w.at[place]
		if h.born == 0 {
			w.lost = append(w.lost, i)
			w.lostSize += int64(rounded(size))
			w.level -= int64(rounded(size))
			break
		}
		// Where PyTorch took no stack of a free, the entry has that of the allocation, which tells nothing of now.
		if stack != h.stack {
			w.tie.see(stack)
		}
		c = change{size: -int64(h.size), stack: h.stack}
		w.drop(h)
	case snapshot.SegmentAlloc, snapshot.SegmentMap:
		w.reserved += int64(size)
	case snapshot.SegmentFree, snapshot.SegmentUnmap:
		w.reserved -= int64(size)
	}
	return c
}

func (w *walk) drop(h *holding) {
	w.level -= int64(rounded(h.size))
	w.held[w.book.siteOf[h.stack]].add(-int64(h.size), -1)
	h.born = 0
}

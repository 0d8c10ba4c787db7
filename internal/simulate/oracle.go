package simulate

import "github.com/torchleak/torchleak/internal/snapshot"

// oracle is the driver of a replay: it does what the trace says was done.
type oracle struct {
	card
	events []Event // of the malloc under way that concern the driver
	taken  int     // of them, up to the last allocation or mapping that was used
	freed  uint64  // bytes released so far
	fails  bool    // the request ran out of memory
}

func (o *oracle) begin(events []Event, fails bool) {
	o.events, o.taken, o.freed, o.fails = events, 0, 0, fails
}

func (o *oracle) release(_, size uint64) { o.freed += size }

// next is the next thing the trace says the driver gave. The device was full where releases stand before it that
// were not made yet, and where nothing stands before a request that failed.
func (o *oracle) next() (e *Event, full bool) {
	released := uint64(0)
	for i := range o.events {
		e := &o.events[i]
		if releases(e.Kind) {
			if released += e.Size; released > o.freed {
				return nil, true
			}
		} else if i >= o.taken {
			o.taken = i + 1
			return e, false
		}
	}
	return nil, o.fails
}

// full says that the device refused the request here, even if the model would not have asked it.
func (o *oracle) full() bool {
	before := o.taken
	_, full := o.next()
	o.taken = before
	return full
}

func (o *oracle) malloc(size uint64) (uint64, bool) {
	e, full := o.next()
	if full {
		return 0, false
	}
	if e == nil {
		addr, _ := o.card.reserve(size) // the trace asked for none: far from all recorded addresses
		return addr, true
	}
	return e.Addr, true
}

func (o *oracle) reserve(page uint64) (addr, size uint64) {
	addr, size = o.card.reserve(page)
	for i, e := range o.events {
		if e.Kind == snapshot.SegmentMap && i >= o.taken {
			return e.Addr, size
		}
	}
	return addr, size
}

func (o *oracle) grow(_, _ uint64) bool {
	_, full := o.next()
	return !full
}

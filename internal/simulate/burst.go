package simulate

import "github.com/torchleak/torchleak/internal/snapshot"

// apart takes an empty_cache away from the entries in front of an allocation: releases that are not the
// allocation's own.
func (p *program) apart(from, to int, held int64) int {
	events := p.trace.Events
	mid := from
	for mid < to && releases(events[mid].Kind) {
		mid++
	}
	if mid == from || to == len(events) || p.own(events[from:mid], held, events[mid:to], &events[to]) {
		return from
	}
	for mid > from && events[to].Stack > snapshot.NoFrames && events[mid-1].Stack == events[to].Stack {
		mid-- // released by the allocation, behind the empty_cache
	}
	p.emit(op{kind: opEmptyCache}, from, mid)
	return mid
}

// own says that an allocation released memory itself, because the device was full or garbage was to be
// collected. Then the allocator needed memory from the driver, and releases carry the stack of the allocation;
// those of empty_cache carry none, or that of the segment. Where no stack tells, a device that held more at
// another time was not full.
func (p *program) own(released []Event, held int64, acquired []Event, asked *Event) bool {
	failed := asked.Kind == snapshot.OOM
	if !failed && len(acquired) == 0 {
		return false
	}
	for _, e := range released {
		if e.Stack != asked.Stack && (e.Stack > snapshot.NoFrames || asked.Stack > snapshot.NoFrames) {
			return false
		}
	}
	return failed || asked.Stack > snapshot.NoFrames || p.trace.Settings.GCThreshold > 0 || held+int64(acquired[0].Size) > p.most
}

// most returns the most that was held during the trace, more than at its beginning.
func (t *Trace) most() (most int64) {
	held := int64(0)
	for i := range t.Events {
		held += change(&t.Events[i])
		most = max(most, held)
	}
	return most
}

// peak is the most that was held from the driver.
func (p *program) peak() uint64 {
	held := uint64(p.most)
	for _, s := range p.before {
		held += s.Size
	}
	return held
}

// change is by how much an entry changes what is held from the driver.
func change(e *Event) int64 {
	switch {
	case acquires(e.Kind):
		return int64(e.Size)
	case releases(e.Kind):
		return -int64(e.Size)
	}
	return 0
}

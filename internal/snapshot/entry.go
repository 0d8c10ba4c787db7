package snapshot

import (
	"errors"
	"math"

	"github.com/torchleak/torchleak/internal/pickle"
)

// maxEntries is how many entries the columns can number.
const maxEntries = math.MaxUint32 - 1

// record is a dictionary of an entry as it stands in the file.
type record struct {
	addr, free, size, stream, time uint64
	action, compile, metadata      uint32
	stack                          uint32
	pool                           uint32 // one more than its number in builder.pools
	has                            uint64
}

// entry appends an entry to the trace. Nearly all of a snapshot are entries, so their items are taken straight from
// the list of them.
func (b *builder) entry(items []pickle.Value) (pickle.Value, error) {
	r := record{action: absent, compile: absent, metadata: absent}
	b.extra = b.extra[:0]
	for i := 0; i+1 < len(items); i += 2 {
		k, v := &items[i], &items[i+1]
		if k.Kind != pickle.Text {
			continue
		}
		switch k.N { // a value of the wrong kind is as good as none
		case keyAction:
			text(&r.action, v)
		case keyAddr:
			r.number(&r.addr, keyAddr, v)
		case keyDeviceFree:
			r.number(&r.free, keyDeviceFree, v)
		case keySize:
			r.number(&r.size, keySize, v)
		case keyStream:
			r.number(&r.stream, keyStream, v)
		case keyTime:
			r.number(&r.time, keyTime, v)
		case keyCompileContext:
			text(&r.compile, v)
		case keyUserMetadata:
			text(&r.metadata, v)
		case keyPool:
			if v.Kind == kindPool {
				r.pool = uint32(v.N) + 1
			}
		case keyFrames:
			r.stack = stackOf(v)
		default:
			if k.N >= keyCount {
				b.more(k.N, *v)
			}
		}
	}
	return b.append(&r)
}

func (r *record) number(to *uint64, key int, v *pickle.Value) {
	if v.Kind == pickle.Int {
		*to = v.N
		r.has |= bit(key)
	}
}

func text(to *uint32, v *pickle.Value) {
	if v.Kind == pickle.Text {
		*to = uint32(v.N)
	}
}

// append appends an entry to the trace.
func (b *builder) append(r *record) (pickle.Value, error) {
	t := &b.s.Trace
	e := Entry{Kind: Other, Stack: r.stack, Size: r.size}
	if n := r.action - firstAction; n < uint32(Other) {
		e.Kind = Kind(n)
	} else if r.action != absent {
		b.other[b.s.text(r.action)]++
	}
	addr, key := r.addr, keyAddr
	if e.Kind == OOM {
		addr, key = r.free, keyDeviceFree
	}
	if e.Kind <= SegmentUnmap && (r.has&(bit(key)|bit(keySize)) != bit(key)|bit(keySize) || r.size > math.MaxInt64) {
		e.Kind = Other
		b.negative++
	}
	if !b.lane(r, &e.LaneID) {
		return plain, errors.New("more than 65,536 streams and pools")
	}
	if r.time <= math.MaxInt64/2 {
		e.Time = int64(r.time)
	}
	if t.length >= maxEntries {
		return plain, errors.New("more than 4,294,967,294 trace entries")
	}
	e.Place = t.places.number(addr)
	t.mark(metaRun{compile: r.compile, metadata: r.metadata, more: b.extras()})
	t.add(e)
	return pickle.RunOf(kindEntry, t.length-1, t.length), nil
}

// lane sets the number of the lane of an entry, mostly that of the one before, and says whether it can be told.
func (b *builder) lane(r *record, to *uint16) (ok bool) {
	if r.stream == b.lastStream && r.pool == b.lastPool {
		*to = b.lastLane
		return true
	}
	lane := Lane{Stream: r.stream}
	if r.pool > 0 {
		lane.Pool = b.pools[r.pool-1]
	}
	if *to, ok = b.s.Trace.lane(lane); ok {
		b.lastStream, b.lastPool, b.lastLane = r.stream, r.pool, *to
	}
	return ok
}

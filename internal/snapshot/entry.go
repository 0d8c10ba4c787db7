package snapshot

import (
	"errors"
	"math"

	"github.com/torchleak/torchleak/internal/pickle"
)

// maxEntries is how many entries the columns can number.
const maxEntries = math.MaxUint32 - 1

// layout says where in the items of a dictionary the values of an entry's keys are.
type layout struct {
	form    uint32 // of the dictionaries, 0 for none
	entry   bool
	at      [keyDevice]int32 // by key; 0, where a key is, for none
	unknown []int32          // keys that are not known
}

func (l *layout) read(items []pickle.Value) {
	l.at, l.unknown = [keyDevice]int32{}, l.unknown[:0]
	for i := 0; i+1 < len(items); i += 2 {
		switch k := items[i]; {
		case k.Kind != pickle.Text:
		case k.N < uint64(len(l.at)):
			l.at[k.N] = int32(i + 1)
		case k.N >= keyCount:
			l.unknown = append(l.unknown, int32(i))
		}
	}
}

// number returns a key's value, and false where it is no number from 0 on.
func (l *layout) number(items []pickle.Value, key int) (uint64, bool) {
	if v := &items[l.at[key]]; v.Kind == pickle.Int {
		return v.N, true
	}
	return 0, false
}

func (l *layout) text(items []pickle.Value, key int) uint32 {
	i := l.at[key]
	if v := &items[i]; i > 0 && v.Kind == pickle.Text {
		return uint32(v.N)
	}
	return absent
}

// isEntry says whether a dictionary is of an entry, which mostly shows by its first key.
func isEntry(items []pickle.Value) bool {
	return items[0].Kind == pickle.Text && items[0].N == keyAction
}

// Record appends an entry, if the dictionary is one. Nearly all of a snapshot are entries, nearly all of them of one form.
func (b *builder) Record(form uint32, items []pickle.Value) (pickle.Value, error) {
	l := &b.layout
	if form != l.form {
		l.form, l.entry = form, isEntry(items)
		l.read(items)
	}
	if !l.entry {
		return b.Dict(pickle.Value{Kind: pickle.Dict}, items)
	}
	return b.entry(l, items)
}

// anyEntry appends an entry whose keys may be others than those of the one before.
func (b *builder) anyEntry(items []pickle.Value) (pickle.Value, error) {
	b.single.read(items)
	return b.entry(&b.single, items)
}

// entry appends an entry to the trace. A value of the wrong kind is as good as none.
func (b *builder) entry(l *layout, items []pickle.Value) (pickle.Value, error) {
	if b.entries >= maxEntries {
		return plain, errors.New("more than 4,294,967,294 trace entries")
	}
	r := b.appender.next()
	r.compile, r.metadata = l.text(items, keyCompileContext), l.text(items, keyUserMetadata)
	r.kind, r.stack, r.more = Other, 0, 0
	if action := l.text(items, keyAction); action-firstAction < uint32(Other) {
		r.kind = Kind(action - firstAction)
	} else if action != absent {
		b.other[b.s.text(action)]++
	}
	key := keyAddr
	if r.kind == OOM {
		key = keyDeviceFree
	}
	var placed, sized bool
	r.addr, placed = l.number(items, key)
	r.size, sized = l.number(items, keySize)
	if r.kind <= SegmentUnmap && !(placed && sized && b.sizes.entries.add(r.size)) {
		r.kind = Other
		b.negative++
	}
	if time, _ := l.number(items, keyTime); time <= math.MaxInt64/2 {
		r.time = int64(time)
	} else {
		r.time = 0
	}
	if i := l.at[keyFrames]; i > 0 {
		r.stack = stackOf(&items[i])
	}
	if len(l.unknown) > 0 {
		r.more = b.unknown(l, items)
	}
	stream, _ := l.number(items, keyStream)
	var ok bool
	if r.lane, ok = b.lane(stream, &items[l.at[keyPool]]); !ok {
		return plain, errors.New("more than 65,536 streams and pools")
	}
	b.entries++
	return pickle.RunOf(kindEntry, b.entries-1, b.entries), nil
}

// unknown numbers the keys of an entry that are not known.
func (b *builder) unknown(l *layout, items []pickle.Value) uint32 {
	b.extra = b.extra[:0]
	for _, i := range l.unknown {
		b.more(items[i].N, items[i+1])
	}
	return b.extras()
}

// lane returns the number of the lane of an entry, mostly that of the one before, and false where it cannot be told.
func (b *builder) lane(stream uint64, pool *pickle.Value) (id uint16, ok bool) {
	p := noPool
	if pool.Kind == kindPool {
		p = pool.N
	}
	if stream == b.lastStream && p == b.lastPool {
		return b.lastLane, true
	}
	lane := Lane{Stream: stream}
	if p != noPool {
		lane.Pool = b.pools[p]
	}
	if id, ok = b.s.Trace.lane(lane); ok {
		b.lastStream, b.lastPool, b.lastLane = stream, p, id
	}
	return id, ok
}

// noPool stands for the pool of an entry that names none.
const noPool = ^uint64(0)

package snapshot

// Kind says what a trace entry reports.
type Kind uint8

// The actions of the allocator, in the order of names.
const (
	Alloc Kind = iota
	FreeRequested
	FreeCompleted
	SegmentAlloc
	SegmentFree
	SegmentMap
	SegmentUnmap
	OOM
	Taken // a snapshot was made
	Annotate
	UserDefined
	Other // an action that is not known here
)

func (k Kind) String() string {
	if k >= Other {
		return "other"
	}
	return names[firstAction+int(k)]
}

// Pool is the number of a memory pool; the default one is 0, 0.
type Pool [2]uint64

// Lane is what keeps blocks apart: they serve one stream and one pool.
type Lane struct {
	Stream uint64
	Pool   Pool
}

// Entry is one entry of a trace.
type Entry struct {
	Kind   Kind
	Place  uint32 // number of the address, for tables
	Addr   uint64 // for OOM what the device had free
	Size   uint64 // as requested, not as rounded
	Time   int64  // microseconds since 1970, 0 where it was not recorded
	Stack  uint32 // in Stacks, 0 where none was recorded
	LaneID uint16 // in Trace.Lanes
}

const (
	chunkBits = 14
	chunkSize = 1 << chunkBits
	escaped   = ^uint32(0)
	// halfTime lets entries of a chunk lie more than half an hour before or behind its first.
	halfTime = 1 << 31
)

// chunk holds a part of a trace by columns: a trace has tens of millions of entries.
type chunk struct {
	base  int64 // a time of 1 means one microsecond behind it
	kind  [chunkSize]Kind
	lane  column
	place column
	stack column
	size  [chunkSize]uint32 // escaped where it is in Trace.sizes
	time  [chunkSize]uint32 // 0 where there is none, escaped where it is in Trace.times
}

// Trace is the entries of all devices, one device behind the other.
type Trace struct {
	Lanes  []Lane
	chunks []*chunk
	length int
	sizes  map[uint32]uint64
	times  map[uint32]int64
	places places
	meta   []metaRun

	lanes map[Lane]uint16
}

// metaRun says which texts, and what else, the entries from one on carry.
type metaRun struct {
	from              uint32
	compile, metadata uint32 // texts, absent where the key is missing
	more              uint32 // set of unknown keys
}

const absent = ^uint32(0)

// Len returns how many entries there are.
func (t *Trace) Len() int { return t.length }

// Places returns one more than the greatest Place.
func (t *Trace) Places() int { return len(t.places.addrs) }

// Addr returns the address with a Place.
func (t *Trace) Addr(place uint32) uint64 { return t.places.addrs[place] }

// Find returns the Place of an address.
func (t *Trace) Find(addr uint64) (place uint32, ok bool) { return t.places.find(addr) }

// At returns entry i.
func (t *Trace) At(i int) Entry {
	c, j := t.chunks[i>>chunkBits], i&(chunkSize-1)
	e := Entry{Kind: c.kind[j], Place: c.place.at(j), Size: uint64(c.size[j]), Stack: c.stack.at(j), LaneID: uint16(c.lane.at(j))}
	e.Addr = t.places.addrs[e.Place]
	if c.size[j] == escaped {
		e.Size = t.sizes[uint32(i)]
	}
	switch d := c.time[j]; d {
	case 0:
	case escaped:
		e.Time = t.times[uint32(i)]
	default:
		e.Time = c.base + int64(d)
	}
	return e
}

// Kind returns what entry i reports.
func (t *Trace) Kind(i int) Kind { return t.chunks[i>>chunkBits].kind[i&(chunkSize-1)] }

// Brief returns what counting memory needs of entry i, without the address and the time: a walk over tens of millions
// of entries feels them.
func (t *Trace) Brief(i int) (place, stack uint32, size uint64) {
	c, j := t.chunks[i>>chunkBits], i&(chunkSize-1)
	if c.size[j] == escaped {
		return c.place.at(j), c.stack.at(j), t.sizes[uint32(i)]
	}
	return c.place.at(j), c.stack.at(j), uint64(c.size[j])
}

// add appends an entry.
func (t *Trace) add(e *row) {
	i, j := t.length, t.length&(chunkSize-1)
	if j == 0 {
		t.chunks = append(t.chunks, &chunk{base: e.time - halfTime})
	}
	c := t.chunks[i>>chunkBits]
	c.kind[j] = e.kind
	c.lane.put(j, uint32(e.lane))
	c.place.put(j, t.places.number(e.addr))
	c.stack.put(j, e.stack)
	c.size[j] = uint32(e.size)
	if e.size >= uint64(escaped) {
		c.size[j] = escaped
		t.sizes[uint32(i)] = e.size
	}
	if e.time != 0 {
		d := e.time - c.base
		c.time[j] = uint32(d)
		if d <= 0 || d >= int64(escaped) {
			c.time[j] = escaped
			t.times[uint32(i)] = e.time
		}
	}
	t.length++
}

// lane returns the number of a lane, and false where there are more than can be told apart.
func (t *Trace) lane(l Lane) (uint16, bool) {
	id, ok := t.lanes[l]
	if !ok {
		if len(t.Lanes) > 0xffff {
			return 0, false
		}
		id = uint16(len(t.Lanes))
		t.Lanes = append(t.Lanes, l)
		t.lanes[l] = id
	}
	return id, true
}

// mark notes what the next entry carries.
func (t *Trace) mark(run metaRun) {
	if n := len(t.meta); n > 0 {
		if run.from = t.meta[n-1].from; run == t.meta[n-1] {
			return
		}
	}
	run.from = uint32(t.length)
	t.meta = append(t.meta, run)
}

func newTrace() Trace {
	return Trace{Lanes: []Lane{{}}, lanes: map[Lane]uint16{{}: 0}, sizes: map[uint32]uint64{}, times: map[uint32]int64{}, places: newPlaces()}
}

// Count returns how many entries of each kind there are from one to another.
func (t *Trace) Count(from, to int) (counts [Other + 1]int) {
	for from < to {
		kinds := t.chunks[from>>chunkBits].kind[from&(chunkSize-1):]
		kinds = kinds[:min(len(kinds), to-from)]
		for _, k := range kinds {
			counts[k]++
		}
		from += len(kinds)
	}
	return counts
}

// Has says whether there is an entry of a kind from one to another.
func (t *Trace) Has(kind Kind, from, to int) bool {
	for ; from < to; from++ {
		if t.Kind(from) == kind {
			return true
		}
	}
	return false
}

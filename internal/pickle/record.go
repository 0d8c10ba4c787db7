package pickle

import "encoding/binary"

const (
	maxPairs = 32   // keys of a record
	maxHeld  = 1024 // values in its lists
	maxLists = 4
)

// records reads dictionaries as picklers of protocol 4 and 5 write them: EMPTY_DICT MEMOIZE MARK, keys and values, SETITEMS.
// Where the keys were met before, and the values are numbers, what was met before, and lists of it, a dictionary is read at
// once, and takes its numbers and its place on the stack when it is whole. Nearly all of a snapshot is of this sort. At
// anything else it stops in front of the dictionary.
func (d *Decoder) records() error {
	for {
		whole, err := d.stamped()
		if !whole && err == nil && d.recordBegins(d.pos) {
			whole, err = d.record()
		}
		if !whole || err != nil {
			return err
		}
	}
}

func (d *Decoder) recordBegins(pos int) bool {
	b := (*[window]byte)(d.buf[pos:])
	return b[0] == opEmptyDict && b[1] == opMemoize && b[2] == opMark
}

// form is the keys of a dictionary as they stand in the pickle: the next one nearly always has the same.
type form struct {
	keys   [maxPairs]raw
	values [maxPairs]raw // of the last dictionary; size 0 of what may not stay the same
	varies uint32        // keys whose value was seen to change, by bits
	known  int           // how many keys
	whole  int           // how many dictionaries had them, one behind the other
	number uint32        // of the form, from 1 on
	items  [2 * maxPairs]Value
}

// raw is up to 8 bytes of the pickle.
type raw struct {
	bytes, mask uint64
	size        int
}

func rawOf(bytes uint64, size int) raw {
	mask := uint64(1)<<(8*size) - 1
	return raw{bytes & mask, mask, size}
}

// lists are those among a record's values.
type lists struct {
	all   [maxLists]listed
	n     int
	items [maxHeld]Value
	held  int // how many items
}

// listed is a list among a record's values.
type listed struct {
	item, from, to int // its place among the items, and what it holds
	pos            int // where it is closed
}

// record reads one, and says whether it was whole.
func (d *Decoder) record() (bool, error) {
	var (
		f     = &d.form
		buf   = d.buf
		limit = d.end - 2*window // so that a key and a value are there
		pos   = d.pos + 3
	)
	d.lists.n, d.lists.held = 0, 0
	for n := 0; pos <= limit; n++ {
		bytes := binary.LittleEndian.Uint64(buf[pos:])
		if n >= f.known || bytes&f.keys[n&(maxPairs-1)].mask != f.keys[n&(maxPairs-1)].bytes {
			if byte(bytes) == opSetItems && n > 0 {
				if n < f.known {
					f.forget(n)
				}
				if f.whole++; f.whole > stampAfter {
					d.stamp.make(f)
				}
				return true, d.complete(0, f.items[:2*n], pos)
			}
			if !d.learn(n, bytes) {
				return false, nil
			}
		}
		pos += f.keys[n].size
		size := d.value(f.items[:], 2*n+1, pos, limit)
		if size == 0 {
			return false, nil
		}
		f.note(n, &f.items[2*n+1], binary.LittleEndian.Uint64(buf[pos:]), size)
		pos += size
	}
	return false, nil
}

// forget leaves the first n keys.
func (f *form) forget(n int) {
	f.known, f.whole = n, 0
	f.number++
	f.varies &= 1<<n - 1
}

// note takes notice of the value of key n.
func (f *form) note(n int, v *Value, bytes uint64, size int) {
	before := &f.values[n]
	if size >= 8 || v.Kind > Text {
		before.size = 0
		f.varies |= 1 << n
		return
	}
	if size != before.size || bytes&before.mask != before.bytes {
		if before.size != 0 && f.whole > 0 {
			f.varies |= 1 << n
		}
		*before = rawOf(bytes, size)
	}
}

// value reads the value at pos into an item. It returns its size, 0 where it is of no sort that is read here.
func (d *Decoder) value(items []Value, item, pos, limit int) int {
	b, v := (*[window]byte)(d.buf[pos:]), &items[item]
	switch b[0] {
	case opBinInt1:
		*v = Value{N: uint64(b[1]), Kind: Int}
		return 2
	case opLong1:
		n := int(b[1])
		if n-1 >= 8 || b[1+n&15] >= 0x80 {
			return 0
		}
		shift := 64 - 8*uint(n)
		*v = Value{N: binary.LittleEndian.Uint64(b[2:]) << shift >> shift, Kind: Int}
		return 2 + n
	case opBinInt:
		*v = integer(int64(int32(binary.LittleEndian.Uint32(b[1:]))))
		return 5
	case opBinInt2:
		*v = Value{N: uint64(binary.LittleEndian.Uint16(b[1:])), Kind: Int}
		return 3
	case opLongBinGet, opBinGet:
		return d.met(v, b)
	case opEmptyList:
		if b[1] == opMemoize && d.lists.n < maxLists {
			*v = Value{Kind: List, memo: borrowed}
			return d.list(item, pos, limit)
		}
	}
	return 0
}

// list reads a list of what was met before. It returns its size, 0 where something else is in it.
func (d *Decoder) list(item, at, limit int) int {
	l, buf := &d.lists, d.buf
	from, pos := l.held, at+2
	if buf[pos] == opMark {
		pos++
		for ; pos <= limit && l.held < maxHeld; l.held++ {
			size := d.met(&l.items[l.held], (*[window]byte)(buf[pos:]))
			if size == 0 {
				break
			}
			pos += size
		}
		if buf[pos] != opAppends {
			return 0
		}
		pos++
	}
	l.all[l.n] = listed{item, from, l.held, pos - 1}
	l.n++
	return pos - at
}

// learn takes note of another key at place n of the form, and forgets those behind it. It says whether it is one that was
// met before.
func (d *Decoder) learn(n int, bytes uint64) bool {
	f := &d.form
	if n == maxPairs {
		return false
	}
	var b [window]byte
	binary.LittleEndian.PutUint64(b[:], bytes)
	size := d.met(&f.items[2*n], &b)
	if size == 0 {
		return false
	}
	f.forget(n)
	f.keys[n] = rawOf(bytes, size)
	f.values[n].size = 0
	f.known = n + 1
	return true
}

// met reads a reference to what was met before. It returns its size, 0 where there is none.
func (d *Decoder) met(v *Value, b *[window]byte) int {
	switch b[0] {
	case opLongBinGet:
		if p := d.memo.get(int(binary.LittleEndian.Uint32(b[1:]))); p != 0 {
			*v = unpack(p)
			return 5
		}
	case opBinGet:
		if *v = d.memo.short[b[1]]; v.Kind != 0 {
			return 2
		}
	}
	return 0
}

// complete makes the record's value; at is where it is closed, form the number of its stamp, 0 for none.
func (d *Decoder) complete(form uint32, items []Value, at int) error {
	number, l := d.memo.length, &d.lists
	if !d.memo.reserve(number + l.n) {
		return d.fail("more than %d values are numbered", number)
	}
	for i, list := range l.all[:l.n] {
		v := &items[list.item]
		if list.to > list.from {
			var err error
			if *v, err = d.build.List(Value{Kind: List}, l.items[list.from:list.to]); err != nil {
				d.pos = list.pos
				return d.fail("%v", err)
			}
		}
		d.memo.set(number+1+i, pack(*v))
	}
	d.pos = at
	var v Value
	var err error
	if form != 0 {
		v, err = d.build.Record(form, items)
	} else {
		v, err = d.build.Dict(Value{Kind: Dict}, items)
	}
	if err != nil {
		return d.fail("%v", err)
	}
	d.pos++
	d.put(v, uint32(number)+1)
	return nil
}

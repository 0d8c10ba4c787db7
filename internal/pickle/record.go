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
	for d.recordBegins(d.pos) {
		whole, err := d.record()
		if err != nil || !whole {
			return err
		}
	}
	return nil
}

func (d *Decoder) recordBegins(pos int) bool {
	b := (*[window]byte)(d.buf[pos:])
	return b[0] == opEmptyDict && b[1] == opMemoize && b[2] == opMark
}

// form is the keys of a dictionary as they stand in the pickle: the next one nearly always has the same.
type form struct {
	keys  [maxPairs]key
	known int // how many of them
	items [2 * maxPairs]Value
	held  [maxHeld]Value // in the record's lists
}

// key is the opcode that fetches one.
type key struct {
	code, mask uint64
	size       int
}

// listed is a list among a record's values.
type listed struct {
	item, from, to int // its place among the items, and what it holds
	pos            int // where it is closed
}

// record reads one, and says whether it was whole.
func (d *Decoder) record() (bool, error) {
	var (
		f     = d.form
		lists [maxLists]listed
		buf   = d.buf
		limit = d.end - 2*window // so that a key and a value are there
		pos   = d.pos + 3
		m, l  int // values in lists, lists
	)
	for n := 0; pos <= limit; n++ {
		code := binary.LittleEndian.Uint64(buf[pos:])
		if n >= f.known || code&f.keys[n&(maxPairs-1)].mask != f.keys[n&(maxPairs-1)].code {
			if byte(code) == opSetItems && n > 0 {
				return true, d.complete(f.items[:2*n], lists[:l], pos)
			}
			if !d.learn(n, code) {
				return false, nil
			}
		}
		pos += f.keys[n].size
		b, v := (*[window]byte)(buf[pos:]), &f.items[2*n+1]
		switch b[0] {
		case opBinInt1:
			*v = Value{N: uint64(b[1]), Kind: Int}
			pos += 2
		case opLong1:
			n := int(b[1])
			if n-1 >= 8 || b[1+n&15] >= 0x80 {
				return false, nil
			}
			shift := 64 - 8*uint(n)
			*v = Value{N: binary.LittleEndian.Uint64(b[2:]) << shift >> shift, Kind: Int}
			pos += 2 + n
		case opBinInt:
			*v = integer(int64(int32(binary.LittleEndian.Uint32(b[1:]))))
			pos += 5
		case opBinInt2:
			*v = Value{N: uint64(binary.LittleEndian.Uint16(b[1:])), Kind: Int}
			pos += 3
		case opLongBinGet:
			p := d.memo.get(int(binary.LittleEndian.Uint32(b[1:])))
			if p == 0 {
				return false, nil
			}
			*v = unpack(p)
			pos += 5
		case opBinGet:
			size := d.met(v, b)
			if size == 0 {
				return false, nil
			}
			pos += size
		case opEmptyList:
			if b[1] != opMemoize || l == maxLists {
				return false, nil
			}
			*v = Value{Kind: List, memo: borrowed}
			from := m
			if pos += 2; b[2] == opMark {
				var whole bool
				if pos, m, whole = d.hold(pos+1, limit, from); !whole {
					return false, nil
				}
			}
			lists[l] = listed{2*n + 1, from, m, pos - 1}
			l++
		default:
			return false, nil
		}
	}
	return false, nil
}

// hold reads the items of a list from pos on, behind those that are held. It returns where the list ends, how many are held
// then, and whether all were met before.
func (d *Decoder) hold(pos, limit, from int) (end, held int, whole bool) {
	m := from
	for ; pos <= limit && m < maxHeld; m++ {
		size := d.met(&d.form.held[m], (*[window]byte)(d.buf[pos:]))
		if size == 0 {
			break
		}
		pos += size
	}
	return pos + 1, m, d.buf[pos] == opAppends
}

// learn takes note of another key at place n of the form, and forgets those behind it. It says whether it is one that was
// met before.
func (d *Decoder) learn(n int, code uint64) bool {
	f := d.form
	if n == maxPairs {
		return false
	}
	var b [window]byte
	binary.LittleEndian.PutUint64(b[:], code)
	size := d.met(&f.items[2*n], &b)
	if size == 0 {
		return false
	}
	mask := uint64(1)<<(8*size) - 1
	f.keys[n] = key{code & mask, mask, size}
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

// complete makes the record's value; at is where it is closed.
func (d *Decoder) complete(items []Value, lists []listed, at int) error {
	number := d.memo.length
	if !d.memo.reserve(number + len(lists)) {
		return d.fail("more than %d values are numbered", number)
	}
	for i, l := range lists {
		v := &items[l.item]
		if l.to > l.from {
			var err error
			if *v, err = d.build.List(Value{Kind: List}, d.form.held[l.from:l.to]); err != nil {
				d.pos = l.pos
				return d.fail("%v", err)
			}
		}
		d.memo.set(number+1+i, pack(*v))
	}
	d.pos = at
	v, err := d.build.Dict(Value{Kind: Dict}, items)
	if err != nil {
		return d.fail("%v", err)
	}
	d.pos++
	d.put(v, uint32(number)+1)
	return nil
}

package pickle

import "encoding/binary"

const (
	// stampAfter is how many dictionaries of one form make a stamp of it.
	stampAfter = 4
	// maxFixed is how many bytes between two values are compared at once.
	maxFixed = 24
)

// stamp is what dictionaries of one form have in common byte by byte: their keys, and values that have always been the same.
// Where the next dictionary has these bytes in the same places only what lies between them has to be understood.
type stamp struct {
	form  uint32 // number of the form, 0 while there is none
	gaps  [2 * maxPairs]fixed
	n     int // gaps with a value behind them; one more has none
	items [2 * maxPairs]Value
	size  int // items
}

// fixed is bytes that stand in front of a value.
type fixed struct {
	words, masks [maxFixed / 8]uint64
	size         int
	item         int // place of the value behind
}

func (f *fixed) add(c raw) {
	for i := range c.size {
		word, shift := f.size/8, f.size%8*8
		f.words[word] |= c.bytes >> (8 * i) & 0xff << shift
		f.masks[word] |= 0xff << shift
		f.size++
	}
}

// stands says whether the bytes stand at the beginning of b.
func (f *fixed) stands(b *[maxFixed]byte) bool {
	first := binary.LittleEndian.Uint64(b[:])&f.masks[0] ^ f.words[0]
	second := binary.LittleEndian.Uint64(b[8:])&f.masks[1] ^ f.words[1]
	third := binary.LittleEndian.Uint64(b[16:])&f.masks[2] ^ f.words[2]
	return first|second|third == 0
}

// make makes the stamp of a form.
func (s *stamp) make(f *form) {
	*s = stamp{form: f.number, size: 2 * f.known, items: f.items}
	gap := &s.gaps[0]
	gap.add(raw{bytes: opMark<<16 | opMemoize<<8 | opEmptyDict, size: 3})
	for n := range f.known {
		gap.add(f.keys[n])
		value, next := &f.values[n], 5+1
		if f.varies>>n&1 == 0 && value.size > 0 && gap.size+value.size+next <= maxFixed {
			gap.add(*value)
			continue
		}
		gap.item = 2*n + 1
		s.n++
		gap = &s.gaps[s.n]
	}
	gap.add(raw{bytes: opSetItems, size: 1})
}

// stamped reads a dictionary that the stamp fits, and says whether it does. All of a long trace goes through here, so that what
// is frequent is done in place.
func (d *Decoder) stamped() (bool, error) {
	s := &d.stamp
	if s.form == 0 {
		return false, nil
	}
	d.lists.n, d.lists.held = 0, 0
	buf, pos, limit := d.buf, d.pos, d.end-maxFixed-window
	for n := 0; ; n++ {
		gap := &s.gaps[n&(2*maxPairs-1)]
		if pos > limit || !gap.stands((*[maxFixed]byte)(buf[pos:])) {
			return false, nil
		}
		pos += gap.size
		if n == s.n {
			break
		}
		bytes, v := binary.LittleEndian.Uint64(buf[pos:]), &s.items[gap.item&(2*maxPairs-1)]
		switch byte(bytes) {
		case opLong1:
			shift := 64 - 8*uint(byte(bytes>>8))
			*v = Value{N: binary.LittleEndian.Uint64(buf[pos+2:]) << (shift & 63), Kind: Int}
			if shift >= 64 || int64(v.N) < 0 {
				return false, nil
			}
			v.N >>= shift
			pos += 2 + int(byte(bytes>>8))
		case opBinInt1:
			*v = Value{N: bytes >> 8 & 0xff, Kind: Int}
			pos += 2
		case opBinInt2:
			*v = Value{N: bytes >> 8 & 0xffff, Kind: Int}
			pos += 3
		case opBinInt:
			*v = integer(int64(int32(bytes >> 8)))
			pos += 5
		case opLongBinGet:
			p := d.memo.get(int(uint32(bytes >> 8)))
			if p == 0 {
				return false, nil
			}
			*v = unpack(p)
			pos += 5
		case opBinGet:
			if *v = d.memo.short[byte(bytes>>8)]; v.Kind == 0 {
				return false, nil
			}
			pos += 2
		default:
			size := d.value(s.items[:], gap.item, pos, limit)
			if size == 0 {
				return false, nil
			}
			pos += size
		}
	}
	return true, d.complete(s.form, s.items[:s.size], pos-1)
}

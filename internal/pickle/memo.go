package pickle

import (
	"math/bits"
	"slices"
)

// memo holds what later opcodes may refer to, by number. Python numbers every container, and nearly none is ever
// referred to; a slot that holds nothing worth a reference costs one bit.
type memo struct {
	length int
	short  [256]Value       // what the shortest opcodes reach, ready to be pushed; Kind 0 where there is none
	low    [lowSlots]uint32 // texts and frames lie among the first
	pages  []*page
}

const (
	lowSlots  = 1 << 16
	pageBits  = 12
	pageSlots = 1 << pageBits
	// maxGap is how far a pickle may number ahead: picklers count from 0 upwards.
	maxGap = 1 << 16
)

type page struct {
	held   [pageSlots / 64]uint64
	before [pageSlots / 64]uint16 // values of the words in front
	values []uint32               // of the slots that hold one, in order
	last   int                    // word up to which before is kept
}

// pack makes 32 bits of a value that may be shared, 0 of any other.
func pack(v Value) uint32 {
	switch {
	case v.Kind >= Once || v.N >= MaxShared:
		return 0
	case v.Kind >= Text:
		return uint32(v.Kind)<<27 | uint32(v.N)
	}
	return 0
}

func unpack(p uint32) Value {
	return Value{N: uint64(p & (MaxShared - 1)), Kind: Kind(p >> 27), memo: borrowed}
}

// reserve makes room for slot i and says whether that is a number that a pickler could have come to.
func (m *memo) reserve(i int) bool {
	if i >= m.length {
		if i > m.length+maxGap {
			return false
		}
		m.length = i + 1
		for len(m.pages)<<pageBits < m.length {
			var room []uint32
			if n := len(m.pages); n > 2 { // what belongs to the last ones may still be open
				p := m.pages[n-3]
				room, p.values = p.values[:0], slices.Clone(p.values)
			}
			m.pages = append(m.pages, &page{values: room})
		}
	}
	return true
}

// set puts a packed value into a reserved slot.
func (m *memo) set(i int, packed uint32) {
	if i < len(m.low) {
		m.low[i] = packed
		if i < len(m.short) {
			if m.short[i] = unpack(packed); packed == 0 {
				m.short[i] = Value{}
			}
		}
		return
	}
	p := m.pages[i>>pageBits]
	word, bit := i>>6&(len(p.held)-1), uint64(1)<<(i&63)
	for ; p.last < word; p.last++ {
		p.before[p.last+1] = uint16(len(p.values))
	}
	if p.last == word && p.held[word] < bit && packed != 0 { // behind all others, as nearly always
		p.held[word] |= bit
		p.values = append(p.values, packed)
		return
	}
	rank := int(p.before[word]) + bits.OnesCount64(p.held[word]&(bit-1))
	switch {
	case p.held[word]&bit != 0:
		p.values[rank] = packed
	case packed != 0:
		p.held[word] |= bit
		for w := word + 1; w <= p.last; w++ {
			p.before[w]++
		}
		if rank == len(p.values) {
			p.values = append(p.values, packed)
		} else {
			p.values = slices.Insert(p.values, rank, packed)
		}
	}
}

// get returns a slot's packed value, 0 where there is none.
func (m *memo) get(i int) uint32 {
	if i < len(m.low) {
		return m.low[i]
	}
	if i >= m.length {
		return 0
	}
	p := m.pages[i>>pageBits]
	word, bit := i>>6&(len(p.held)-1), uint64(1)<<(i&63)
	if p.held[word]&bit == 0 {
		return 0
	}
	return p.values[int(p.before[word])+bits.OnesCount64(p.held[word]&(bit-1))]
}

package pickle

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
)

// Encoder writes a pickle of plain data. Containers are written from outside to inside: what is begun must be ended.
type Encoder struct {
	w        *bufio.Writer
	protocol int
	texts    map[string]uint32
	numbered uint32
}

// NewEncoder begins a pickle of protocol 2, 4 or 5.
func NewEncoder(w io.Writer, protocol int) *Encoder {
	e := &Encoder{w: bufio.NewWriterSize(w, 256<<10), protocol: protocol, texts: map[string]uint32{}}
	e.op(opProto, byte(protocol))
	return e
}

func (e *Encoder) op(b ...byte) { _, _ = e.w.Write(b) } // bufio keeps the first error for End

// number gives what was written last a number to refer to it by.
func (e *Encoder) number() uint32 {
	n := e.numbered
	e.numbered++
	switch {
	case e.protocol >= 4:
		e.op(opMemoize)
	case n < 256:
		e.op(opBinPut, byte(n))
	default:
		e.op(append([]byte{opLongBinPut}, binary.LittleEndian.AppendUint32(nil, n)...)...)
	}
	return n
}

// Again writes a reference to what Numbered has numbered.
func (e *Encoder) Again(n uint32) {
	if n < 256 {
		e.op(opBinGet, byte(n))
		return
	}
	var b [5]byte
	b[0] = opLongBinGet
	binary.LittleEndian.PutUint32(b[1:], n)
	_, _ = e.w.Write(b[:])
}

// Text writes a text, one that came before as a reference.
func (e *Encoder) Text(s string) {
	if n, ok := e.texts[s]; ok {
		e.Again(n)
		return
	}
	if e.protocol >= 4 && len(s) < 256 {
		e.op(opShortBinUnicode, byte(len(s)))
	} else {
		e.op(append([]byte{opBinUnicode}, binary.LittleEndian.AppendUint32(nil, uint32(len(s)))...)...)
	}
	_, _ = e.w.WriteString(s)
	e.texts[s] = e.number()
}

// Int writes a number that is not below zero.
func (e *Encoder) Int(n uint64) {
	var b [11]byte
	switch {
	case n < 1<<8:
		e.op(opBinInt1, byte(n))
	case n < 1<<16:
		e.op(opBinInt2, byte(n), byte(n>>8))
	case n < 1<<31:
		b[0] = opBinInt
		binary.LittleEndian.PutUint32(b[1:], uint32(n))
		_, _ = e.w.Write(b[:5])
	default:
		size := 8
		for size > 1 && n>>(8*(size-1)) == 0 {
			size--
		}
		binary.LittleEndian.PutUint64(b[2:], n)
		if n>>(8*size-1)&1 == 1 { // the sign would be taken for a minus
			size++
		}
		b[0], b[1] = opLong1, byte(size)
		_, _ = e.w.Write(b[:2+size])
	}
}

// Negative writes a number below zero.
func (e *Encoder) Negative(n int64) {
	if n >= math.MinInt32 {
		e.op(binary.LittleEndian.AppendUint32([]byte{opBinInt}, uint32(n))...)
		return
	}
	e.op(binary.LittleEndian.AppendUint64([]byte{opLong1, 8}, uint64(n))...)
}

// None writes None.
func (e *Encoder) None() { e.op(opNone) }

// Bool writes a truth value.
func (e *Encoder) Bool(b bool) {
	if b {
		e.op(opTrue)
	} else {
		e.op(opFalse)
	}
}

// Float writes a number with a fraction.
func (e *Encoder) Float(f float64) {
	e.op(binary.BigEndian.AppendUint64([]byte{opBinFloat}, math.Float64bits(f))...)
}

// Pair writes a pair of numbers.
func (e *Encoder) Pair(p [2]uint64) {
	e.Int(p[0])
	e.Int(p[1])
	e.op(opTuple2)
}

// Dict begins a dictionary: keys and values follow in turn.
func (e *Encoder) Dict() { e.op(opEmptyDict, opMark) }

// EndDict ends a dictionary.
func (e *Encoder) EndDict() { e.op(opSetItems) }

// NumberedDict begins a dictionary that Again can refer to once it is ended.
func (e *Encoder) NumberedDict() (n uint32) {
	e.op(opEmptyDict)
	n = e.number()
	e.op(opMark)
	return n
}

// List begins a list.
func (e *Encoder) List() { e.op(opEmptyList, opMark) }

// Batch ends a batch of a list's items and begins the next, so that readers need not keep all of them waiting.
func (e *Encoder) Batch() { e.op(opAppends, opMark) }

// EndList ends a list.
func (e *Encoder) EndList() { e.op(opAppends) }

// NumberedList begins a list that Again can refer to once it is ended.
func (e *Encoder) NumberedList() (n uint32) {
	e.op(opEmptyList)
	n = e.number()
	e.op(opMark)
	return n
}

// End ends the pickle and says whether all of it was written.
func (e *Encoder) End() error {
	e.op(opStop)
	return e.w.Flush()
}

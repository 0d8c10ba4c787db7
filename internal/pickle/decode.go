package pickle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

const (
	// window is more than any opcode with its fixed arguments has: so many bytes are there, or zeros behind the end.
	window     = 16
	bufferSize = 256 << 10
	// maxStack is how many values may wait for their container. Python hands on a thousand at a time; the C++ pickler
	// all of a list, but those of one kind are joined.
	maxStack = 2 << 20
	maxDepth = 1000
	// maxWaiting is how far back on the stack an empty container is looked for.
	maxWaiting = 4096
	// maxText is the longest text that is read.
	maxText = 64 << 20
	// maxTexts is how many bytes of different texts are kept.
	maxTexts = 1 << 30
)

// Decoder is the stack machine that a pickle is a program for.
type Decoder struct {
	r       io.Reader
	build   Builder
	strings *Strings
	memo    memo
	form    form
	stamp   stamp
	lists   lists

	buf      []byte
	pos, end int
	ended    bool  // r has no more
	base     int64 // offset of buf[0]

	stack  []Value
	sp     int
	marks  []mark
	opened int // containers with a number that nothing was put into yet
}

// mark is where the items of a container begin.
type mark struct {
	sp, opened int
}

// Decode reads one pickle and returns its value.
func Decode(r io.Reader, b Builder, s *Strings) (Value, error) {
	d := &Decoder{r: r, build: b, strings: s, buf: make([]byte, bufferSize+window), stack: make([]Value, 4096)}
	if err := d.start(); err != nil {
		return Value{}, err
	}
	return d.run()
}

// fill moves what is unread to the front and reads more.
func (d *Decoder) fill() error {
	if d.ended {
		if d.pos >= d.end {
			return d.truncated()
		}
		return nil
	}
	d.base += int64(d.pos)
	d.end = copy(d.buf, d.buf[d.pos:d.end])
	d.pos = 0
	for d.end < window {
		n, err := d.r.Read(d.buf[d.end : len(d.buf)-window])
		d.end += n
		if errors.Is(err, io.EOF) {
			d.ended = true
			clear(d.buf[d.end : d.end+window])
			break
		}
		if err != nil {
			return fmt.Errorf("%w, behind byte %d of the pickle", err, d.base+int64(d.end))
		}
	}
	if d.pos >= d.end {
		return d.truncated()
	}
	return nil
}

func (d *Decoder) fail(format string, args ...any) error {
	return &SyntaxError{Offset: d.base + int64(d.pos), Msg: fmt.Sprintf(format, args...)}
}

func (d *Decoder) truncated() error {
	return &SyntaxError{Offset: d.base + int64(d.end), Msg: "the pickle ends in the middle", Truncated: true}
}

func (d *Decoder) push(v Value) {
	if d.sp == len(d.stack) {
		larger := make([]Value, 2*len(d.stack))
		copy(larger, d.stack)
		d.stack = larger
	}
	d.stack[d.sp] = v
	d.sp++
}

// run executes opcodes up to STOP.
func (d *Decoder) run() (Value, error) {
	for {
		if err := d.records(); err != nil {
			return Value{}, err
		}
		if d.simple() {
			continue
		}
		if d.pos+window > d.end {
			if err := d.fill(); err != nil {
				return Value{}, err
			}
		}
		b := (*[window]byte)(d.buf[d.pos:])
		var err error
		switch op := b[0]; op {
		case opSetItems, opAppends:
			err = d.extend(op)
		case opMemoize:
			err = d.remember(d.memo.length)
			d.pos++
		case opMark:
			d.marks = append(d.marks, mark{d.sp, d.opened})
			d.pos++
			if len(d.marks) > maxDepth {
				err = d.fail("containers lie more than %d deep", maxDepth)
			}
		case opStop:
			return d.stop()
		default:
			err = d.rare(op, b)
		}
		if err != nil {
			return Value{}, err
		}
		if d.sp > maxStack {
			return Value{}, d.fail("more than %d values wait for a container", maxStack)
		}
	}
}

// simple executes opcodes that only push, mark and number, as long as nothing is amiss with them: they make up nearly
// all of a snapshot. At any other it stops. It says whether it stopped at a record.
func (d *Decoder) simple() (record bool) {
	buf, pos, limit := d.buf, d.pos, d.end-window
	stack, sp := d.stack, d.sp
loop:
	for pos <= limit && sp < len(stack) {
		b := (*[window]byte)(buf[pos:])
		v := &stack[sp]
		switch b[0] {
		case opBinGet:
			if *v = d.memo.short[b[1]]; v.Kind == 0 {
				break loop
			}
			pos += 2
		case opLongBinGet:
			p := d.memo.get(int(binary.LittleEndian.Uint32(b[1:])))
			if p == 0 {
				break loop
			}
			*v = unpack(p)
			pos += 5
		case opBinInt1:
			*v = Value{N: uint64(b[1]), Kind: Int}
			pos += 2
		case opBinInt2:
			*v = Value{N: uint64(binary.LittleEndian.Uint16(b[1:])), Kind: Int}
			pos += 3
		case opBinInt:
			*v = integer(int64(int32(binary.LittleEndian.Uint32(b[1:]))))
			pos += 5
		case opLong1:
			n := int(b[1])
			if n-1 >= 8 || b[1+n&15] >= 0x80 {
				break loop
			}
			shift := 64 - 8*uint(n)
			*v = Value{N: binary.LittleEndian.Uint64(b[2:]) << shift >> shift, Kind: Int}
			pos += 2 + n
		case opEmptyDict:
			if pos > d.pos && d.recordBegins(pos) {
				record = true
				break loop
			}
			*v = Value{Kind: Dict}
			pos++
		case opEmptyList:
			*v = Value{Kind: List}
			pos++
		case opMark:
			if len(d.marks) == maxDepth {
				break loop
			}
			d.marks = append(d.marks, mark{sp, d.opened})
			pos++
			continue
		case opMemoize:
			if sp == 0 || !d.numberFresh(&stack[sp-1]) {
				break loop
			}
			pos++
			continue
		default:
			break loop
		}
		sp++
	}
	d.pos, d.sp = pos, sp
	return record
}

// fetch pushes value i of the memo.
func (d *Decoder) fetch(i int) error {
	packed := d.memo.get(i)
	if packed == 0 {
		return d.fetchEmpty(i)
	}
	d.push(unpack(packed))
	return nil
}

// fetchEmpty pushes an empty container that still waits for its own to be closed.
func (d *Decoder) fetchEmpty(i int) error {
	if i >= d.memo.length {
		return d.fail("value %d is referred to, only %d are there", i, d.memo.length)
	}
	for p := d.sp - 1; p >= 0 && p >= d.sp-maxWaiting; p-- {
		v := &d.stack[p]
		if v.memo != uint32(i)+1 || v.Kind != Dict && v.Kind != List {
			continue
		}
		if slices.ContainsFunc(d.marks, func(m mark) bool { return m.sp == p+1 }) {
			return d.fail("value %d is a container that holds itself", i)
		}
		d.settle(d.stack[p : p+1])
		d.push(unpack(d.memo.get(i)))
		return nil
	}
	return d.fail("value %d is referred to in itself or out of its place", i)
}

func integer(n int64) Value {
	if n < 0 {
		return Value{N: uint64(n), Kind: Negative}
	}
	return Value{N: uint64(n), Kind: Int}
}

// stop returns the value that is left.
func (d *Decoder) stop() (Value, error) {
	if d.pos >= d.end {
		return Value{}, d.truncated()
	}
	if d.sp != 1 || len(d.marks) != 0 {
		return Value{}, d.fail("%d values are left at the end", d.sp)
	}
	return d.stack[0], nil
}

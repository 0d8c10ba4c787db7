package pickle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxProtocol is the newest protocol there is.
const maxProtocol = 5

// start reads the mark that protocols from 2 on begin with.
func (d *Decoder) start() error {
	if err := d.fill(); err != nil {
		var s *SyntaxError
		if errors.As(err, &s) {
			s.Msg = "empty"
		}
		return err
	}
	switch protocol := d.buf[1]; {
	case d.buf[0] != opProto:
		return d.fail("not a pickle of protocol 2 to %d", maxProtocol)
	case d.end < 2:
		return d.truncated()
	case protocol < 2 || protocol > maxProtocol:
		return d.fail("pickle protocol %d is not known", protocol)
	}
	d.pos = 2
	return nil
}

// rare executes the opcodes that are seldom, and the others at the end of the pickle.
func (d *Decoder) rare(op byte, b *[window]byte) error {
	size := 1
	switch op {
	case opFrame:
		size = 9 // frames only help to read
	case opBinInt1:
		d.push(Value{N: uint64(b[1]), Kind: Int})
		size = 2
	case opBinInt2:
		d.push(Value{N: uint64(binary.LittleEndian.Uint16(b[1:])), Kind: Int})
		size = 3
	case opBinInt:
		d.push(integer(int64(int32(binary.LittleEndian.Uint32(b[1:])))))
		size = 5
	case opLong1:
		return d.long(2, int(b[1]))
	case opEmptyDict:
		d.push(Value{Kind: Dict})
	case opEmptyList:
		d.push(Value{Kind: List})
	case opBinGet, opLongBinGet:
		i := int(b[1])
		if size = 2; op == opLongBinGet {
			i, size = int(binary.LittleEndian.Uint32(b[1:])), 5
		}
		if err := d.fetch(i); err != nil {
			return err
		}
	case opNone:
		d.push(Value{Kind: None})
	case opTrue, opFalse:
		d.push(Value{N: uint64(opFalse - op), Kind: Bool})
	case opBinFloat:
		d.push(Value{N: binary.BigEndian.Uint64(b[1:]), Kind: Float})
		size = 9
	case opShortBinUnicode, opShortBinString:
		return d.text(Text, 2, uint64(b[1]))
	case opBinUnicode, opBinString:
		return d.text(Text, 5, uint64(binary.LittleEndian.Uint32(b[1:])))
	case opBinUnicode8:
		return d.text(Text, 9, binary.LittleEndian.Uint64(b[1:]))
	case opShortBinBytes:
		return d.text(Bytes, 2, uint64(b[1]))
	case opBinBytes:
		return d.text(Bytes, 5, uint64(binary.LittleEndian.Uint32(b[1:])))
	case opBinBytes8:
		return d.text(Bytes, 9, binary.LittleEndian.Uint64(b[1:]))
	case opLong4:
		return d.long(5, int(binary.LittleEndian.Uint32(b[1:])))
	case opEmptyTuple:
		d.push(Value{Kind: Tuple})
	case opTuple1, opTuple2, opTuple3:
		return d.tuple(d.sp-int(op-opTuple1)-1, false)
	case opTuple:
		return d.tuple(0, true)
	case opSetItem, opAppend:
		return d.extendOne(op)
	case opDict, opList:
		return d.gather(op)
	case opBinPut, opLongBinPut:
		i := int(b[1])
		if size = 2; op == opLongBinPut {
			i, size = int(binary.LittleEndian.Uint32(b[1:])), 5
		}
		if err := d.remember(i); err != nil {
			return err
		}
	default:
		return d.refuse(op)
	}
	d.pos += size
	return nil
}

// refuse says why an opcode is not executed.
func (d *Decoder) refuse(op byte) error {
	if d.pos >= d.end {
		return d.truncated()
	}
	at := d.base + int64(d.pos)
	if name, ok := code[op]; ok {
		return &SyntaxError{Offset: at, Code: true, Msg: "opcode " + name + d.what(op) + " would run code when Python loads it: refused"}
	}
	if name, ok := foreign[op]; ok {
		return d.fail("opcode %s does not occur in plain data of protocol 2 to %d", name, maxProtocol)
	}
	return d.fail("0x%02x is no opcode", op)
}

// what names what a refused opcode is about, where that can be seen.
func (d *Decoder) what(op byte) string {
	switch op {
	case 'c', 'i':
		names := bytes.SplitN(d.buf[d.pos+1:min(d.end, d.pos+200)], []byte("\n"), 3)
		if len(names) == 3 {
			return fmt.Sprintf(" (%.80q)", string(names[0])+"."+string(names[1]))
		}
	case 0x93:
		if d.sp >= 2 && d.stack[d.sp-1].Kind == Text && d.stack[d.sp-2].Kind == Text {
			return fmt.Sprintf(" (%.80q)", d.strings.Text(uint32(d.stack[d.sp-2].N))+"."+d.strings.Text(uint32(d.stack[d.sp-1].N)))
		}
	}
	return ""
}

// text reads a text of n bytes behind head bytes of opcode and length.
func (d *Decoder) text(kind Kind, head int, n uint64) error {
	if n > maxText {
		return d.fail("a text of %d bytes", n)
	}
	at := d.pos
	d.pos += head
	var id uint32
	if size := int(n); d.pos+size <= d.end {
		id = d.strings.Intern(d.buf[d.pos : d.pos+size])
		d.pos += size
	} else {
		long, err := d.beyond(size)
		if err != nil {
			return err
		}
		id = d.strings.Intern(long)
	}
	if d.strings.bytes > maxTexts {
		d.pos = at
		return d.fail("more than %d bytes of different texts", maxTexts)
	}
	d.push(Value{N: uint64(id), Kind: kind})
	return nil
}

// beyond reads n bytes that may lie beyond the buffer. It takes room only for bytes that are there.
func (d *Decoder) beyond(n int) ([]byte, error) {
	if d.pos > d.end {
		return nil, d.truncated()
	}
	var b bytes.Buffer
	b.Write(d.buf[d.pos:min(d.end, d.pos+n)])
	d.pos += b.Len()
	got, err := io.CopyN(&b, d.r, int64(n-b.Len()))
	d.base += got
	if errors.Is(err, io.EOF) {
		return nil, d.truncated()
	}
	return b.Bytes(), err
}

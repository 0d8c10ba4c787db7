package pickle

import "encoding/binary"

// maxNumber is how many bytes a number may have.
const maxNumber = 1 << 20

// long pushes a LONG1, which holds addresses and times, or a LONG4, which some picklers write for short numbers too: n bytes
// behind head bytes of opcode and length. Nothing in a snapshot is of more than 64 bits; what a later release may have put
// beside it is passed over.
func (d *Decoder) long(head, n int) error {
	if n > maxNumber {
		return d.fail("a number of %d bytes", n)
	}
	d.pos += head
	number, err := d.beyond(n)
	if err != nil {
		return err
	}
	var low [8]byte
	copy(low[:], number)
	v, ok := signed(number, binary.LittleEndian.Uint64(low[:]))
	if !ok {
		v = Value{Kind: Plain}
	}
	d.push(v)
	return nil
}

// signed reads a number in two's complement; low is its first 8 bytes. It is false where it has more than 64 bits.
func signed(b []byte, low uint64) (Value, bool) {
	switch n := len(b); {
	case n == 0:
		return Value{Kind: Int}, true
	case n == 9:
		return Value{N: low, Kind: Int}, b[8] == 0 // 64 bits with a zero byte in front of the sign
	case n > 9:
		return Value{}, false
	case b[n-1] < 0x80:
		return Value{N: low << (64 - 8*n) >> (64 - 8*n), Kind: Int}, true
	default:
		return Value{N: uint64(int64(low<<(64-8*n)) >> (64 - 8*n)), Kind: Negative}, true
	}
}

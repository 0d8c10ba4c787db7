package pickle

import "encoding/binary"

// long pushes a LONG1, which holds addresses and times.
func (d *Decoder) long(b *[window]byte) error {
	n := int(b[1])
	if n > 9 {
		return d.fail("a number of %d bytes", n)
	}
	v, ok := signed(b[2:2+n], binary.LittleEndian.Uint64(b[2:]))
	if !ok {
		return d.fail("a number of more than 64 bits")
	}
	d.push(v)
	d.pos += 2 + n
	return nil
}

// long4 pushes a LONG4, which some picklers write for short numbers too.
func (d *Decoder) long4(b *[window]byte) error {
	n := binary.LittleEndian.Uint32(b[1:])
	if n > 9 {
		return d.fail("a number of %d bytes", n)
	}
	var bytes [9]byte
	copy(bytes[:], b[5:5+n])
	v, ok := signed(bytes[:n], binary.LittleEndian.Uint64(bytes[:]))
	if !ok {
		return d.fail("a number of more than 64 bits")
	}
	d.push(v)
	d.pos += 5 + int(n)
	return nil
}

// signed reads a number in two's complement; low is its first 8 bytes with whatever follows them.
func signed(b []byte, low uint64) (Value, bool) {
	switch n := len(b); {
	case n == 0:
		return Value{Kind: Int}, true
	case n == 9:
		return Value{N: low, Kind: Int}, b[8] == 0 // 64 bits with a zero byte in front of the sign
	case b[n-1] < 0x80:
		return Value{N: low << (64 - 8*n) >> (64 - 8*n), Kind: Int}, true
	default:
		return Value{N: uint64(int64(low<<(64-8*n)) >> (64 - 8*n)), Kind: Negative}, true
	}
}

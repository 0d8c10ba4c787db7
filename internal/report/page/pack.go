package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
)

// Pack writes numbers as varints, column by column so that they compress well. unpack.js reads them.
type Pack struct{ out []byte }

// Number writes one.
func (p *Pack) Number(n uint64) { p.out = binary.AppendUvarint(p.out, n) }

// Signed writes a number of either sign, in zigzag.
func (p *Pack) Signed(n int64) { p.out = binary.AppendVarint(p.out, n) }

// Band is what a course tells apart: its name, and the class of the style that has its colour:
// c0 to c7, others or before.
type Band struct {
	Name  string `json:"name"`
	Class string `json:"class"`
}

// Change is a change of one band of a course.
type Change struct {
	Entry uint32 // none lies before that of the change before
	Band  uint8
	Bytes int64
}

// Curve writes how many changes there are, then of each the entries since the one before, the band, and the bytes in units
// that all of them are a multiple of.
func (p *Pack) Curve(count int, change func(int) Change, unit int64) {
	p.Number(uint64(count))
	before := uint32(0)
	for i := range count {
		entry := change(i).Entry
		p.Number(uint64(entry - before))
		before = entry
	}
	for i := range count {
		p.Number(uint64(change(i).Band))
	}
	for i := range count {
		p.Signed(change(i).Bytes / unit)
	}
}

// Text returns everything compressed, in base64.
func (p *Pack) Text() (string, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err = z.Write(p.out); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

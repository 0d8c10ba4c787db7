package snapshotpage

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"slices"

	"github.com/torchleak/torchleak/internal/residence"
)

// packer writes numbers as varints, column by column so that they compress well. unpack.js reads them.
type packer struct{ out []byte }

func (p *packer) number(n uint64) { p.out = binary.AppendUvarint(p.out, n) }

// signed writes a number of either sign, in zigzag.
func (p *packer) signed(n int64) { p.out = binary.AppendVarint(p.out, n) }

// text returns everything compressed, in base64.
func (p *packer) text() (string, error) {
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

// quantum is what all changes of live memory are a multiple of.
const quantum = 512

// curve writes the number of changes, then of each the entries since the one before, the band, and the bytes in quanta.
func (p *packer) curve(c residence.Curve) {
	p.number(uint64(len(c.Deltas)))
	before := uint32(0)
	for _, d := range c.Deltas {
		p.number(uint64(d.Entry - before))
		before = d.Entry
	}
	for _, d := range c.Deltas {
		p.number(uint64(d.Band))
	}
	for _, d := range c.Deltas {
		p.signed(d.Bytes / quantum)
	}
}

// piece is a part of a segment that is in use.
type piece struct {
	residence.Block
	from, to uint64
}

// state writes the segments of a moment, and of each what is in use in it.
func (p *packer) state(s residence.State, number func(residence.Block) (stack, band int), lane func(residence.Segment) int) {
	p.number(uint64(len(s.Segments)))
	blocks := s.Blocks
	for _, seg := range s.Segments {
		var pieces []piece
		pieces, blocks = cut(seg, blocks)
		kind := 0
		if seg.Expandable {
			kind = 1
		}
		for _, n := range []uint64{seg.Addr, seg.Size, uint64(lane(seg)), uint64(kind), uint64(len(pieces))} {
			p.number(n)
		}
		at := seg.Addr
		for _, x := range pieces {
			stack, band := number(x.Block)
			pending := uint64(0)
			if x.Pending {
				pending = 1
			}
			for _, n := range []uint64{x.from - at, x.to - x.from, x.Requested, uint64(stack), uint64(band)<<1 | pending, uint64(x.Born + 1)} {
				p.number(n)
			}
			at = x.to
		}
	}
}

// cut returns the blocks that lie in a segment, none beyond it and none over another, and those behind it.
func cut(seg residence.Segment, blocks []residence.Block) (pieces []piece, rest []residence.Block) {
	end := seg.Addr + min(seg.Size, ^uint64(0)-seg.Addr)
	first, _ := slices.BinarySearchFunc(blocks, seg.Addr, func(x residence.Block, addr uint64) int { return cmp.Compare(x.Addr, addr) })
	at := seg.Addr
	for blocks = blocks[first:]; len(blocks) > 0 && blocks[0].Addr < end; blocks = blocks[1:] {
		x := piece{Block: blocks[0], from: max(blocks[0].Addr, at)}
		x.to = x.Addr + min(x.Size, end-x.Addr)
		if x.to > x.from {
			pieces = append(pieces, x)
			at = x.to
		}
	}
	return pieces, blocks
}

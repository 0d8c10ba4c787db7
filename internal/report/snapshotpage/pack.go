package snapshotpage

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/report/page"
	"github.com/torchleak/torchleak/internal/residence"
)

// quantum is what all changes of live memory are a multiple of.
const quantum = 512

// packer writes what the pictures of a device draw.
type packer struct{ page.Pack }

func (p *packer) curve(c residence.Curve) {
	p.Curve(len(c.Deltas), func(i int) page.Change { return page.Change(c.Deltas[i]) }, quantum)
}

// piece is a part of a segment that is in use.
type piece struct {
	residence.Block
	from, to uint64
}

// state writes the segments of a moment, and of each what is in use in it.
func (p *packer) state(s residence.State, number func(residence.Block) (stack, band int), lane func(residence.Segment) int) {
	p.Number(uint64(len(s.Segments)))
	blocks := s.Blocks
	for _, seg := range s.Segments {
		var pieces []piece
		pieces, blocks = cut(seg, blocks)
		kind := 0
		if seg.Expandable {
			kind = 1
		}
		for _, n := range []uint64{seg.Addr, seg.Size, uint64(lane(seg)), uint64(kind), uint64(len(pieces))} {
			p.Number(n)
		}
		at := seg.Addr
		for _, x := range pieces {
			stack, band := number(x.Block)
			pending := uint64(0)
			if x.Pending {
				pending = 1
			}
			for _, n := range []uint64{x.from - at, x.to - x.from, x.Requested, uint64(stack), uint64(band)<<1 | pending, uint64(x.Born + 1)} {
				p.Number(n)
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

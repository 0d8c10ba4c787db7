package simulate

import (
	"math/rand/v2"
	"slices"
)

// card is a device on which segments get made-up addresses: best fit breaks ties by address, and what the
// driver would have chosen is not known.
type card struct {
	capacity uint64 // 0 for no bound
	held     uint64
	regions  uint64
	place    func(size uint64) uint64
}

func (c *card) fits(size uint64) bool {
	if c.capacity > 0 && c.held+size > c.capacity {
		return false
	}
	c.held += size
	return true
}

func (c *card) malloc(size uint64) (uint64, bool) {
	if !c.fits(size) {
		return 0, false
	}
	return c.place(size), true
}

// full is known of recorded devices only.
func (c *card) full() bool { return false }

func (c *card) grow(_, size uint64) bool { return c.fits(size) }

func (c *card) release(_, size uint64) { c.held -= size }

// unknownDevice stands for the memory of a device that was not named; as much as the largest have.
const unknownDevice = 1 << 40

// reserve gives an eighth more than the device has, far above all segments.
func (c *card) reserve(page uint64) (addr, size uint64) {
	c.regions++
	total := uint64(unknownDevice)
	if c.capacity > 0 {
		total = min(c.capacity, total)
	}
	return 1<<63 + c.regions<<44, (total + total/8 + page - 1) / page * page
}

// likeDriver does as CUDA was seen to do: chunks of 32 MiB multiples, each below the last one, where small
// segments fill what is left of a chunk. The first lies below an address.
func likeDriver(below uint64) func(uint64) uint64 {
	const chunk = 32 * mib
	type gap struct{ addr, size uint64 }
	var gaps []gap
	widest := uint64(0) // no gap is wider
	below = below / chunk * chunk
	last := func(size uint64) int {
		if size > widest {
			return -1
		}
		seen := uint64(0)
		for i := len(gaps) - 1; i >= 0; i-- {
			if gaps[i].size >= size {
				return i
			}
			seen = max(seen, gaps[i].size)
		}
		widest = seen
		return -1
	}
	return func(size uint64) uint64 {
		if i := last(size); i >= 0 {
			g := &gaps[i]
			addr := g.addr
			if g.addr, g.size = g.addr+size, g.size-size; g.size == 0 {
				gaps = slices.Delete(gaps, i, i+1)
			}
			return addr
		}
		whole := (size + chunk - 1) / chunk * chunk
		below -= whole
		if whole > size {
			gaps = append(gaps, gap{below + size, whole - size})
			widest = max(widest, whole-size)
		}
		return below
	}
}

func ascending() func(uint64) uint64 {
	next := uint64(1) << 40
	return func(size uint64) uint64 { next += size; return next - size }
}

func descending() func(uint64) uint64 {
	next := uint64(1) << 62
	return func(size uint64) uint64 { next -= size; return next }
}

func random(seed uint64) func(uint64) uint64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	taken := map[uint64]bool{}
	return func(uint64) uint64 {
		for {
			if slot := rng.Uint64N(1 << 22); !taken[slot] {
				taken[slot] = true
				return 1<<48 + slot<<40
			}
		}
	}
}

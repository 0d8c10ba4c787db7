package simulate

import (
	"math/bits"
	"slices"
)

type entry struct {
	size, addr uint64
	block      *block
}

// sorted is a set of blocks by size, then address. Buckets of like sizes keep what has to be moved short where
// thousands of blocks are free. Most sets stay small, where there are many streams: they have one bucket.
type sorted struct {
	buckets [][]entry
	filled  [4]uint64 // a bit for each bucket that is not empty
}

const (
	allBuckets = 256
	// fewEntries is how many a set with one bucket has.
	fewEntries = 32
)

// spot is a place in the set; a negative bucket is past either end.
type spot struct{ bucket, index int }

var nowhere = spot{-1, 0}

func (p spot) valid() bool { return p.bucket >= 0 }

// bucketOf grows with size: eight buckets for each power of two.
func (s *sorted) bucketOf(size uint64) int {
	if len(s.buckets) < allBuckets {
		return 0
	}
	units := size / minBlock
	if units < 8 {
		return int(units)
	}
	exp := bits.Len64(units) - 1
	return min((exp-2)*8+int(units>>(exp-3)&7), allBuckets-1)
}

func search(list []entry, size, addr uint64) int {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if e := &list[mid]; e.size < size || e.size == size && e.addr < addr {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (s *sorted) at(p spot) *block { return s.buckets[p.bucket][p.index].block }

// from returns the first place at or above a size.
func (s *sorted) from(size uint64) spot {
	if len(s.buckets) == 0 {
		return nowhere
	}
	b := s.bucketOf(size)
	if i := search(s.buckets[b], size, 0); i < len(s.buckets[b]) {
		return spot{b, i}
	}
	return s.above(b)
}

// above returns the first place in the buckets above one.
func (s *sorted) above(bucket int) spot {
	bucket++
	for word := bucket / 64; word < len(s.filled); word++ {
		mask := s.filled[word]
		if word == bucket/64 {
			mask &= ^uint64(0) << (bucket % 64)
		}
		if mask != 0 {
			return spot{word*64 + bits.TrailingZeros64(mask), 0}
		}
	}
	return nowhere
}

func (s *sorted) next(p spot) spot {
	if p.index+1 < len(s.buckets[p.bucket]) {
		return spot{p.bucket, p.index + 1}
	}
	return s.above(p.bucket)
}

// below returns the last place under a size.
func (s *sorted) below(size uint64) spot {
	if len(s.buckets) == 0 {
		return nowhere
	}
	b := s.bucketOf(size)
	if i := search(s.buckets[b], size, 0); i > 0 {
		return spot{b, i - 1}
	}
	for b--; b >= 0; b-- {
		if n := len(s.buckets[b]); n > 0 {
			return spot{b, n - 1}
		}
	}
	return nowhere
}

// all goes through the set, which must not be changed meanwhile.
func (s *sorted) all(yield func(*block) bool) {
	for p := s.above(-1); p.valid(); p = s.next(p) {
		if !yield(s.at(p)) {
			return
		}
	}
}

func (s *sorted) insert(size uint64, b *block) {
	switch {
	case len(s.buckets) == 0:
		s.buckets = make([][]entry, 1)
	case len(s.buckets) == 1 && len(s.buckets[0]) == fewEntries:
		s.spread()
	}
	n := s.bucketOf(size)
	list := s.buckets[n]
	s.buckets[n] = slices.Insert(list, search(list, size, b.addr), entry{size, b.addr, b})
	s.filled[n/64] |= 1 << (n % 64)
}

// spread makes all buckets of one.
func (s *sorted) spread() {
	all := s.buckets[0]
	s.buckets, s.filled = make([][]entry, allBuckets), [4]uint64{}
	for _, e := range all {
		n := s.bucketOf(e.size)
		s.buckets[n] = append(s.buckets[n], e)
		s.filled[n/64] |= 1 << (n % 64)
	}
}

func (s *sorted) remove(size uint64, b *block) {
	n := s.bucketOf(size)
	i := search(s.buckets[n], size, b.addr)
	for s.buckets[n][i].block != b {
		i++ // a trace that contradicts itself may have several blocks at an address
	}
	s.cut(spot{n, i})
}

// cut takes out what is at a place.
func (s *sorted) cut(p spot) {
	list := s.buckets[p.bucket]
	copy(list[p.index:], list[p.index+1:])
	s.buckets[p.bucket] = list[:len(list)-1]
	if len(list) == 1 {
		s.filled[p.bucket/64] &^= 1 << (p.bucket % 64)
	}
}

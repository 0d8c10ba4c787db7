package simulate

import (
	"math"
	"math/bits"
)

const (
	mib           = 1 << 20
	minBlock      = 512
	smallLimit    = mib
	smallSegment  = 2 * mib
	largeSegment  = 20 * mib
	minOwnSegment = 10 * mib
	segmentRound  = 2 * mib
	unlimited     = math.MaxUint64
)

// Settings are the options of PYTORCH_CUDA_ALLOC_CONF that change where memory lies.
type Settings struct {
	Backend             string     // native, or cudaMallocAsync, which is no caching allocator
	MaxSplit            uint64     // blocks from here on are never split
	MaxNonSplitRounding uint64     // how much larger than asked for such a block may be
	LargeSegment        uint64     // what is asked from the driver for requests under 10 MiB
	GCThreshold         float64    // share of the limit above which cached blocks are given back; 0: never
	Divisions           [16]uint64 // steps between powers of two, by size from 1 MiB to 32 GiB
	Expandable          bool
	Fraction            float64 // of the device that the process may use; 0: no limit
	ThrowEarly          bool    // a request above the limit fails before anything is given back
}

// Default returns what PyTorch does without PYTORCH_CUDA_ALLOC_CONF.
func Default() Settings {
	return Settings{Backend: "native", MaxSplit: unlimited, MaxNonSplitRounding: largeSegment, LargeSegment: largeSegment}
}

// Round returns the size of the block that serves a request.
func (s *Settings) Round(request uint64) uint64 {
	if request < minBlock {
		return minBlock
	}
	if d := s.Divisions[divisionIndex(request)]; d > 1 && request > minBlock*d {
		return roundDivision(request, d)
	}
	return (request + minBlock - 1) / minBlock * minBlock
}

func divisionIndex(size uint64) int { return min(max(log2(size)-20, 0), 15) }

func log2(n uint64) int { return bits.Len64(n) - 1 }

// roundDivision rounds to the next of d equal steps between two powers of two.
func roundDivision(size, d uint64) uint64 {
	if size&(size-1) == 0 {
		return size
	}
	floor := uint64(1) << log2(size)
	step := floor >> log2(d)
	if step == 0 {
		return floor << 1
	}
	return (size + step - 1) &^ (step - 1)
}

// SegmentSize returns what is asked from the driver for a block of a rounded size.
func (s *Settings) SegmentSize(size uint64) uint64 {
	switch {
	case size <= smallLimit:
		return smallSegment
	case size < minOwnSegment:
		return s.LargeSegment
	}
	return (size + segmentRound - 1) / segmentRound * segmentRound
}

// page is the granularity in which expandable segments grow.
func (s *Settings) page(small bool) uint64 {
	if small {
		return smallSegment
	}
	return s.LargeSegment
}

// Package cpu is the host's memory: the C heap, Python's blocks and the pages of the process.
package cpu

import (
	_ "embed"
	"regexp"

	"github.com/torchleak/torchleak/internal/backend"
)

//go:embed cpu.py
var reader string

// Backend is the host's.
var Backend = backend.Backend{
	Name:        "cpu",
	Memory:      regexp.MustCompile(`^host$`),
	Offers:      []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
	OutOfMemory: regexp.MustCompile(`DefaultCPUAllocator: (?:can't|not enough) .*?allocate (\d+) bytes`),
	Caveats: []string{
		"used, held and free come from glibc's mallinfo2 (2.33 on) or mallinfo, which counts in 32 bits: growth is followed, the level may be off by multiples of 4 GiB",
		"under jemalloc, tcmalloc, mimalloc, musl or outside Linux there is no figure for the heap; resident pages remain",
		"a reading of the heap walks its free lists, one of Python's blocks its pools: both are taken less often where they are slow",
		"pinned bytes are known from torch 2.7 on, once CUDA is initialised",
	},
	Verified: "torch 1.13 and 2.15, glibc 2.36, x86-64",
	Reader:   reader,
}

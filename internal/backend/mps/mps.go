// Package mps is Apple's GPUs.
package mps

import (
	_ "embed"
	"regexp"

	"github.com/torchleak/torchleak/internal/backend"
)

//go:embed mps.py
var reader string

// Backend is Metal's.
var Backend = backend.Backend{
	Name:        "mps",
	Memory:      regexp.MustCompile(`^mps:\d+$`),
	Device:      true,
	Offers:      []int{0, 1},
	Settings:    "PYTORCH_MPS_HIGH_WATERMARK_RATIO",
	OutOfMemory: regexp.MustCompile(`MPS backend out of memory \(MPS allocated: ([\d.]+ [KMGT]i?B)`),
	Caveats: []string{
		"memory is shared with the host: the same bytes may count in both",
		"there is no history of allocations: sites come from Python only",
	},
	Verified: "not run on hardware",
	Reader:   reader,
}

// Package cuda is NVIDIA's devices, and AMD's: ROCm answers the same calls.
package cuda

import (
	_ "embed"
	"regexp"

	"github.com/torchleak/torchleak/internal/backend"
)

//go:embed cuda.py
var reader string

// Backend is CUDA's and ROCm's.
var Backend = backend.Backend{
	Name:        "cuda",
	Memory:      regexp.MustCompile(`^cuda:\d+$`),
	Device:      true,
	Offers:      []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
	Settings:    "PYTORCH_CUDA_ALLOC_CONF",
	OutOfMemory: regexp.MustCompile(`(?:CUDA|HIP) out of memory\. Tried to allocate ([\d.]+ [KMGT]i?B)`),
	Caveats: []string{
		"a device is watched once this process has allocated in it; CUDA is never initialised by the probe",
		"driver used is the whole device's, other processes included, and read four times a second",
		"requested bytes are known from torch 2.0 on",
		"an allocator put in by torch.cuda.memory.CUDAPluggableAllocator keeps no statistics: only driver used is known",
		"a memory fraction is known from torch's own getter, or from the allocator's settings before it had one",
		"from torch 2.9 on the settings are read from PYTORCH_ALLOC_CONF too",
	},
	Verified: "torch 2.11, one and two NVIDIA H200; ROCm not run on hardware",
	Reader:   reader,
}

// Package xpu is Intel's GPUs.
package xpu

import (
	_ "embed"
	"regexp"

	"github.com/torchleak/torchleak/internal/backend"
)

//go:embed xpu.py
var reader string

// Backend is XPU's.
var Backend = backend.Backend{
	Name:        "xpu",
	Memory:      regexp.MustCompile(`^xpu:\d+$`),
	Device:      true,
	Offers:      []int{0, 1, 2, 3, 5, 6, 9, 11},
	Settings:    "PYTORCH_XPU_ALLOC_CONF",
	OutOfMemory: regexp.MustCompile(`XPU out of memory\. Tried to allocate ([\d.]+ [KMGT]i?B)`),
	Caveats: []string{
		"a device is watched once this process has allocated in it; XPU is never initialised by the probe",
		"driver used is known where torch.xpu.mem_get_info is (2.6 on) and the driver tells",
	},
	Verified: "not run on hardware",
	Reader:   reader,
}

package recording

import (
	"math"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/process"
)

// whole is what torchleak may have seen.
func whole() Host {
	return Host{
		Group:     &process.Group{By: "machine", Limit: 1 << 40, Working: 1 << 30},
		Processes: []HostPages{{Name: Trainer, Step: 7, Parts: process.Parts{Heap: 1 << 30}, Limits: []process.Limit{{By: "data size", Used: 1, Limit: math.MaxInt64}}}},
		Shm:       &HostShm{Total: 1 << 40},
		GPUs:      []HostGPU{{Total: 80 << 30, Own: 1, Others: []HostHolder{{Used: 1}}, Course: []HostShare{{1, 0}, {1, 5}, {9, 3}}}},
	}
}

// Figures that no machine has come from a file that is damaged, or made up: they are in no report.
func TestImpossibleHost(t *testing.T) {
	p := Process{Key: "1-1", dir: Dir{t.TempDir()}}
	load := func(h Host) error {
		if err := p.SaveHost(h); err != nil {
			t.Fatal(err)
		}
		_, err := p.LoadHost()
		return err
	}
	if err := load(whole()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what   string
		figure func(h *Host) *int64
	}{
		{"limit", func(h *Host) *int64 { return &h.Group.Limit }},
		{"limit", func(h *Host) *int64 { return &h.Group.Working }},
		{"shared memory", func(h *Host) *int64 { return &h.Shm.Left }},
		{"process trainer", func(h *Host) *int64 { return &h.Processes[0].Heap }},
		{"process trainer", func(h *Host) *int64 { return &h.Processes[0].Count }},
		{"limit of process trainer", func(h *Host) *int64 { return &h.Processes[0].Limits[0].Used }},
		{"GPU 0", func(h *Host) *int64 { return &h.GPUs[0].Own }},
		{"GPU 0", func(h *Host) *int64 { return &h.GPUs[0].Others[0].Used }},
		{"GPU 0", func(h *Host) *int64 { return &h.GPUs[0].Course[1].Others }},
		{"GPU 0", func(h *Host) *int64 { return &h.GPUs[0].Course[1].Step }}, // out of order
	} {
		for _, n := range []int64{-1, math.MinInt64, math.MaxInt64} {
			h := whole()
			*c.figure(&h) = n
			if err := load(h); err == nil || !strings.Contains(err.Error(), "its "+c.what+" cannot be") {
				t.Errorf("%d for a figure of the %s: %v", n, c.what, err)
			}
		}
	}
}

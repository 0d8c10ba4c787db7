package recording

import (
	"fmt"
	"slices"

	"github.com/torchleak/torchleak/internal/process"
)

// Host is what torchleak saw from outside of the host's memory, when it last looked; it is the file <key>.host.json.
type Host struct {
	Host      int            `json:"host"` // version of this file, 1
	Group     *process.Group `json:"group,omitempty"`
	Processes []HostPages    `json:"processes"` // the trainer, then its loader workers by place
	Shm       *HostShm       `json:"shm,omitempty"`
	GPUs      []HostGPU      `json:"gpus,omitempty"`
	NoGPUs    string         `json:"no_gpus,omitempty"` // why nobody can say who holds them
}

// HostShm is the file system of shared memory, with what all processes of the machine have there. In bytes.
type HostShm struct {
	First int64 `json:"first"` // used when it was first looked at
	Used  int64 `json:"used"`
	Total int64 `json:"total"`
	Left  int64 `json:"left,omitempty"` // the most beyond the first that the training had not mapped, at two looks at it in a row
}

// HostGPU is a GPU that this training uses, and what other processes hold of it.
type HostGPU struct {
	Index  int          `json:"index"`         // as the driver counts
	Total  int64        `json:"total"`         // bytes
	Own    int64        `json:"own,omitempty"` // bytes that this process holds
	Others []HostHolder `json:"others"`
	Course []HostShare  `json:"course,omitempty"` // what the others held while this process trained, oldest first
}

// HostShare is what other processes held of a GPU when the training was in a step.
type HostShare struct {
	Step   int64 `json:"step"`
	Others int64 `json:"others"` // bytes
}

// HostHolder is a process that holds memory of a GPU.
type HostHolder struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
	Used    int64  `json:"used"` // bytes
}

// HostPages is where the pages of a process were.
type HostPages struct {
	Name string `json:"name"` // Trainer, worker:0, …
	PID  int    `json:"pid"`
	Step int64  `json:"step"` // of the trainer's
	process.Parts
	Limits []process.Limit `json:"limits,omitempty"` // that are set on this process alone
}

// Trainer names the training's own process among HostPages; its workers are named as their memories.
const Trainer = "trainer"

const (
	hostVersion = 1
	mostPages   = 1 << 10 // processes that a file tells of, and holders of a GPU
	mostBytes   = 1 << 52 // that a figure may be: of no machine, and a thousand of them have a sum
)

// SaveHost writes down where the host's memory is.
func (p Process) SaveHost(h Host) error {
	h.Host = hostVersion
	return save(p.host(), h)
}

// LoadHost reads where the host's memory was; nil where nobody looked.
func (p Process) LoadHost() (*Host, error) {
	const about = "where the host's memory was"
	var h Host
	found, err := load(p.host(), about, &h, &h.Host, hostVersion)
	if err != nil || !found {
		return nil, err
	}
	if len(h.Processes) > mostPages {
		return nil, fmt.Errorf("%s: it tells of %d processes", about, len(h.Processes))
	}
	if what := h.impossible(); what != "" {
		return nil, fmt.Errorf("%s: its %s cannot be", about, what)
	}
	return &h, nil
}

// impossible names a figure that no machine has; empty where all can be.
func (h *Host) impossible() string {
	size := func(bytes ...int64) bool {
		return !slices.ContainsFunc(bytes, func(n int64) bool { return n < 0 || n > mostBytes })
	}
	if g := h.Group; g != nil && !size(g.Limit, g.Working, g.Cache) {
		return "limit"
	}
	if s := h.Shm; s != nil && !size(s.First, s.Used, s.Total, s.Left) {
		return "shared memory"
	}
	for _, p := range h.Processes {
		if p.Step < 0 || !size(p.Heap, p.Arenas, p.Count, p.Room, p.Stacks, p.Other, p.Shm, p.Files, p.Shared) {
			return "process " + p.Name
		}
		for _, l := range p.Limits {
			if l.Limit < 0 || !size(l.Used) {
				return "limit of process " + p.Name
			}
		}
	}
	for _, g := range h.GPUs {
		possible := len(g.Others) <= mostPages && size(g.Total, g.Own)
		for _, o := range g.Others {
			possible = possible && size(o.Used)
		}
		for i, s := range g.Course {
			possible = possible && size(s.Others) && s.Step >= 0 && (i == 0 || s.Step >= g.Course[i-1].Step)
		}
		if !possible {
			return fmt.Sprintf("GPU %d", g.Index)
		}
	}
	return ""
}

func (p Process) host() string { return p.dir.File(p.Key + ".host.json") }

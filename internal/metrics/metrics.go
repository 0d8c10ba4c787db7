// Package metrics shows what is known of trainings and GPUs as Prometheus series. Every family is a line of the
// catalogue, from which docs/metrics.md is made; names and labels only change by addition.
package metrics

import (
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
)

// State is what an agent knows at one moment.
type State struct {
	Version string // of torchleak
	Ranks   []Rank
	GPUs    []GPU
	NoNVML  string // why the driver's library tells nothing of GPUs; empty where it does
	Agent   Agent
}

// Agent is what an agent says of its own work.
type Agent struct {
	Running    int // recordings of trainings that run
	Ended      int
	Unreadable int
	Lost       uint64 // records that were overtaken before they were read
	Errors     uint64
	Looked     time.Time // when the recordings were last read
}

// Rank is one training process.
type Rank struct {
	Recording string // path of its directory
	Report    finding.Report
	Running   bool
	Met       bool      // it has made a step since it is looked at: it was not over before
	LastStep  time.Time // zero where no step has a time
	StepTime  time.Duration
	Probe     time.Duration // spent in the probe, all steps together
	Memories  []Memory
	Quiet     []finding.Memory // those that are worth no series: loader workers with which nothing is wrong
}

// Memory is one memory of a rank as it was last read.
type Memory struct {
	finding.Memory
	Values [memory.Values]int64 // memory.Absent where never read
}

// value returns figure i of a memory of that kind.
func (m *Memory) value(kind string, i int) (float64, bool) {
	v := m.Values[i]
	return float64(v), m.Kind == kind && v != memory.Absent
}

// Reserved is what the allocator holds from the driver, or the C heap from the system.
func (m *Memory) Reserved() (int64, bool) {
	v := int64(memory.Absent)
	switch m.Kind {
	case "device":
		v = m.Values[memory.DeviceReserved]
	case "host":
		v = m.Values[memory.HostHeld]
	}
	return v, v != memory.Absent
}

// GPU is one device as the driver knows it.
type GPU struct {
	Index     int          `json:"index"`
	UUID      string       `json:"uuid"`
	Model     string       `json:"model"`
	Used      uint64       `json:"used_bytes"`
	Total     uint64       `json:"total_bytes"`
	Processes []GPUProcess `json:"processes"`
}

// GPUProcess is a process that holds memory of a GPU.
type GPUProcess struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
	Used    uint64 `json:"used_bytes"`
}

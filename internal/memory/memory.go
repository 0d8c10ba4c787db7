// Package memory holds what was observed: one sample per step and memory.
package memory

import (
	"math"
	"strconv"
)

// Absent marks a value that was not read in a step.
const Absent = math.MinInt64

// Clock says what counts as a step.
type Clock uint8

// Clocks, as the flight recorder numbers them.
const (
	NoClock Clock = iota
	Manual
	Optimizer
	Backward
	Forward
	Data
	Time
)

var clockNames = [...]string{"", "manual", "optimizer", "backward", "forward", "data", "time"}

func (c Clock) String() string {
	if int(c) < len(clockNames) {
		return clockNames[c]
	}
	return "unknown"
}

// Flags of a sample.
const (
	FlagEvaluation uint8 = 1 << iota // an evaluation ran in this step
	FlagEvidence                     // evidence was gathered in it: do not judge it
	FlagCollected                    // the collector's oldest generation ran in it
	FlagEpoch                        // the data loader began a new epoch in it
	FlagHooks                        // a hook or more was registered in each of the dozens of steps before it
)

// Values is how many figures a sample has.
const Values = 12

// Indexes into Sample.V for the host.
const (
	HostUsed = iota
	HostHeld
	HostPythonBlocks // a count
	HostRSS
	HostAnon
	HostShm
	HostShmFiles // a count
	HostFile
	HostChildren // a count
	HostPinned
	HostFree
	HostNodes // a count
)

// WorkerPrefix begins the names of the memories of loader workers; a number follows.
const WorkerPrefix = "worker:"

// MaxWorkers is how many loader workers of one trainer are watched at a time.
const MaxWorkers = 256

// Worker is the name of the memory of loader worker i.
func Worker(i int) string { return WorkerPrefix + strconv.Itoa(i) }

// Indexes into Sample.V for a loader worker; those of its pages are as for the host.
const (
	WorkerOwn     = HostUsed     // what it has taken itself: all but the pages it shares with its parent since its start
	WorkerPrivate = HostHeld     // pages that it has written to and that no other process has
	WorkerPID     = HostChildren // its process number
	WorkerBatch   = HostPinned   // how many batches were made in its place up to now, its own clock; a count
)

// Indexes into Sample.V for a device.
const (
	DeviceAllocated = iota
	DeviceReserved
	DeviceActive
	DeviceRequested
	DeviceInactiveSplit
	DeviceDriverUsed
	DeviceDriverTotal
	DeviceRetries // a count
	DeviceOOMs    // a count
	DeviceSegments
	DevicePeak
	DeviceBlocks
)

// Sample is what one memory was at the end of one step. Bytes unless a name says otherwise.
type Sample struct {
	Step   int64
	Nanos  int64  // monotonic clock of the target's machine
	Memory string // "host", "cuda:0", …
	Clock  Clock
	Flags  uint8
	V      [Values]int64
}

// Get returns value i and whether it was read in this step.
func (s *Sample) Get(i int) (int64, bool) { return s.V[i], s.V[i] != Absent }

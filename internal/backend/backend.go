// Package backend holds what torchleak knows about the kinds of memory a training can fill: one folder
// a kind, each with facts in Go and a reader in Python that the probe loads into the target.
package backend

import "regexp"

// Value is one of the twelve figures of a record, as docs/format/flight.md numbers them.
type Value struct {
	Index int
	Name  string
}

// HostValues and DeviceValues name the figures of the two kinds of record.
var (
	HostValues = []Value{
		{0, "used"}, {1, "held"}, {2, "python_blocks"}, {3, "rss"}, {4, "anonymous rss"},
		{5, "shared memory rss"}, {6, "deleted segments"}, {7, "file rss"}, {8, "children"},
		{9, "pinned"}, {10, "free in the heap"}, {11, "autograd nodes"},
	}
	DeviceValues = []Value{
		{0, "allocated"}, {1, "reserved"}, {2, "active"}, {3, "requested"}, {4, "inactive split"},
		{5, "driver used"}, {6, "driver total"}, {7, "retries"}, {8, "ooms"}, {9, "segments"},
		{10, "peak allocated"}, {11, "blocks"},
	}
)

// Backend is one kind of memory. It is made of facts only; the reading is done by Reader in the target.
type Backend struct {
	Name string // as PyTorch names the kind of device
	// Memory matches the names its memories have in records, such as cuda:0.
	Memory *regexp.Regexp
	Device bool  // its records hold DeviceValues; otherwise HostValues
	Offers []int // indexes of the figures it reads
	// Settings is the environment variable of its caching allocator; empty where there is none.
	Settings string
	// OutOfMemory matches what PyTorch says when it is full; nil where it says nothing of its own.
	OutOfMemory *regexp.Regexp
	Caveats     []string
	Verified    string // the hardware and release it was run on, or that it was not
	// Reader is in Python: available, devices, memory_name, read, level, limit; due too where not every step is read.
	Reader string
}

// Values returns the names of the figures in its records.
func (b *Backend) Values() []Value {
	if b.Device {
		return DeviceValues
	}
	return HostValues
}

// Reads reports whether it reads figure i.
func (b *Backend) Reads(i int) bool {
	for _, offered := range b.Offers {
		if offered == i {
			return true
		}
	}
	return false
}

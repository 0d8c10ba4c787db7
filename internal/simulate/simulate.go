// Package simulate replays the requests of a recorded CUDA trace through a model of PyTorch's caching
// allocator. Under the recorded settings it foretells every address, which proves the model on that
// trace; under other settings it says what the run would have reserved.
package simulate

import "github.com/torchleak/torchleak/internal/snapshot"

func acquires(k snapshot.Kind) bool { return k == snapshot.SegmentAlloc || k == snapshot.SegmentMap }
func releases(k snapshot.Kind) bool { return k == snapshot.SegmentFree || k == snapshot.SegmentUnmap }

// Event is one entry of a device's trace.
type Event struct {
	Kind   snapshot.Kind
	Addr   uint64 // of OOM what the device had free
	Size   uint64 // as asked for, of OOM as rounded
	Stream uint64
	Pool   snapshot.Pool
	Stack  uint32 // number of the stack that caused it, 0 where none was recorded
}

// Block is a piece of a segment as a snapshot shows it.
type Block struct {
	Addr      uint64
	Size      uint64
	Requested uint64
	Live      bool // allocated, or freed and still used by a stream
	Pending   bool // freed and still used by a stream
}

// Segment is memory that the allocator holds from the driver: one cudaMalloc, or one contiguous mapped
// range of an expandable segment.
type Segment struct {
	Addr       uint64
	Size       uint64
	Stream     uint64
	Pool       snapshot.Pool
	Small      bool
	Expandable bool
	Blocks     []Block
}

// Trace is what a snapshot holds of one device: the entries, oldest first, and the state at their end.
type Trace struct {
	Events   []Event
	Segments []Segment
	Settings Settings
	Conf     string // the settings as they were written
	// ConfError says why they could not be read whole.
	ConfError error
}

// Package simulate replays the requests of a recorded CUDA trace through a model of PyTorch's caching
// allocator. Under the recorded settings it foretells every address, which proves the model on that
// trace; under other settings it says what the run would have reserved.
package simulate

// Kind is what a trace entry records.
type Kind uint8

// Kinds of entries that the allocator's state depends on.
const (
	Alloc         Kind = iota // a block was handed out; size as asked for
	FreeRequested             // its owner gave it back
	FreeCompleted             // no stream uses it any more
	SegmentAlloc              // cudaMalloc
	SegmentFree               // cudaFree
	SegmentMap                // pages of an expandable segment were mapped
	SegmentUnmap              // and unmapped
	OutOfMemory               // a request failed; size as rounded, address: free bytes of the device
)

var kindNames = [...]string{"alloc", "free_requested", "free_completed", "segment_alloc", "segment_free",
	"segment_map", "segment_unmap", "oom"}

// String is the word that traces use.
func (k Kind) String() string { return kindNames[k] }

func (k Kind) acquires() bool { return k == SegmentAlloc || k == SegmentMap }
func (k Kind) releases() bool { return k == SegmentFree || k == SegmentUnmap }

// PoolID names a private pool, of a CUDA graph or a MemPool. The zero value is the default pool.
type PoolID [2]int64

// Event is one entry of a device's trace.
type Event struct {
	Kind   Kind
	Addr   uint64
	Size   uint64
	Stream uint64
	Pool   PoolID
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
	Pool       PoolID
	Small      bool
	Expandable bool
	Blocks     []Block
}

// Trace is what a snapshot holds of one device: the entries, oldest first, and the state at their end.
type Trace struct {
	Events   []Event
	Segments []Segment
	Settings Settings
}

// Package snapshot reads PyTorch's memory snapshots: what torch.cuda.memory._dump_snapshot and its kin write, of any
// release since 1.13, of any size. It decodes straight into columns; layouts are told by the keys that are there, and
// keys and actions that are not known are left out.
package snapshot

import "sort"

// State of a block.
type State uint8

// The states.
const (
	Inactive State = iota
	Allocated
	Pending // freed, and still used by a stream
)

func (s State) String() string {
	return [...]string{"inactive", "active_allocated", "active_pending_free"}[s]
}

// Block is a piece of a segment.
type Block struct {
	Addr, Size uint64
	Requested  uint64 // of a block in use, what was asked for
	Stack      uint32 // that it was allocated by
	State      State
	More       uint32 // which unknown keys it has, for Write; 0 for none
}

// Segment is memory that the allocator holds from the driver.
type Segment struct {
	Device      int
	Addr, Size  uint64
	Stream      uint64
	Pool        Pool
	Stack       uint32
	Small       bool
	Expandable  bool
	First, Last int // its blocks in Snapshot.Blocks, without Last
	More        uint32
}

// Device is one device of a snapshot.
type Device struct {
	Index    int
	From, To int // its entries in the trace, without To
	Recorded bool
}

// Annotation is a mark that the program or PyTorch put on the time line.
type Annotation struct {
	Name   string
	End    bool
	Device int
	Time   int64 // microseconds since 1970
	More   uint32
}

// Settings are the allocator's, as far as a snapshot has them.
type Settings struct {
	Known               bool
	Conf                string
	Expandable          bool
	MaxSplit            int64 // -1 for no limit
	GCThreshold         float64
	RoundupPow2Division map[string]int64
	More                uint32
}

// Snapshot is the whole of a file.
type Snapshot struct {
	Trace       Trace
	Stacks      Stacks
	Devices     []Device
	Segments    []Segment
	Blocks      []Block
	Annotations []Annotation
	Settings    Settings
	// Notes say what is missing or was left out.
	Notes []string
	// LeftOut are keys that are not known and whose values, lists and dictionaries, Write does not write.
	LeftOut []string

	extras extras
	more   []uint32 // sets of unknown keys of the whole
}

// run returns the number of the run of texts that entry i is in.
func (s *Snapshot) run(i int) int {
	return sort.Search(len(s.Trace.meta), func(n int) bool { return int(s.Trace.meta[n].from) > i }) - 1
}

// Texts of an entry, absent keys as "".
func (s *Snapshot) Texts(i int) (compileContext, userMetadata string) {
	run := s.Trace.meta[s.run(i)]
	return s.text(run.compile), s.text(run.metadata)
}

func (s *Snapshot) text(id uint32) string {
	if id == absent {
		return ""
	}
	return s.Stacks.texts.Text(id)
}

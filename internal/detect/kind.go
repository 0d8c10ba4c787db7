package detect

import "github.com/torchleak/torchleak/internal/memory"

// role is what a series tells about its memory.
type role int

const (
	primary   role = iota // live bytes: the memory that is judged
	secondary             // a count of live things that the bytes may not show
	holding               // what is held to serve the live bytes
	beyond                // used outside the allocator
	resident              // pages: says how many bytes, proves nothing
)

// series describes one series of a memory.
type series struct {
	name  string  // as suspicions name it
	role  role    //
	least float64 // growth per step that matters
	read  func(*memory.Sample) (int64, bool)
	apart bool // gathering evidence does not move it: it is judged in those steps too
}

// figure reads value i of a sample.
func figure(i int) func(*memory.Sample) (int64, bool) {
	return func(s *memory.Sample) (int64, bool) { return s.Get(i) }
}

// outside reads what the driver has given away beside the allocator's reserve.
func outside(s *memory.Sample) (int64, bool) {
	used, ok := s.Get(memory.DeviceDriverUsed)
	reserved, ok2 := s.Get(memory.DeviceReserved)
	return used - reserved, ok && ok2
}

// Growth that matters, in bytes (or things) a step. A device's counters are exact and come in 512 bytes; one scalar
// kept per evaluation is no leak worth a change. A heap
// also serves Python's own bookkeeping: histories of numbers, caches, strings; there, growth that no survivors
// speak for must be faster (leaks).
const (
	leastDevice  = 128
	leastHost    = 256
	leastBlocks  = 2.2
	leastHooks   = 1  // blocks, where a hook table grows
	manyBlocks   = 16 // a kilobyte or so
	leastFiles   = 0.02
	leastWorker  = 2 << 10 // a step of the trainer's, in which not every worker makes a batch
	leastOutside = 64 << 10
)

// seriesOf lists what is followed for each kind of memory, the judged one first.
func seriesOf(kind string) []series {
	switch kind {
	case "host":
		return []series{
			{"used", primary, leastHost, figure(memory.HostUsed), false},
			{"python_blocks", secondary, leastBlocks, figure(memory.HostPythonBlocks), false},
			{"anon", resident, leastHost, figure(memory.HostAnon), false},
		}
	case "pinned":
		return []series{{"pinned", primary, leastHost, figure(memory.HostPinned), false}}
	case "shm":
		return []series{
			{"shm", primary, leastHost, figure(memory.HostShm), true},
			{"shm_files", secondary, leastFiles, figure(memory.HostShmFiles), true},
		}
	case "worker":
		return []series{
			{"own", primary, leastWorker, figure(memory.WorkerOwn), true},
			{"python_blocks", secondary, leastBlocks, figure(memory.HostPythonBlocks), true},
			{"copied", resident, leastWorker, copied, true},
			{"anon", resident, leastWorker, figure(memory.HostAnon), true},
		}
	default:
		return []series{
			{"allocated", primary, leastDevice, figure(memory.DeviceAllocated), false},
			{"reserved", holding, leastDevice, figure(memory.DeviceReserved), false},
			{"outside", beyond, leastOutside, outside, false},
		}
	}
}

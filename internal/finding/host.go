package finding

// Bound is what limits the host's memory. Beyond the limit of a machine or a control group the kernel ends a process, beyond one
// of the process's own it refuses memory.
type Bound string

// The bounds.
const (
	Machine      Bound = "machine"
	GroupV1      Bound = "cgroup v1"
	GroupV2      Bound = "cgroup v2"
	AddressSpace Bound = "address space" // RLIMIT_AS, ulimit -v: all that the process has mapped, resident or not
	DataSize     Bound = "data size"     // RLIMIT_DATA, ulimit -d: all that it may write to and shares with nobody
)

// Refuses reports a limit of the process's own.
func (b Bound) Refuses() bool { return b == AddressSpace || b == DataSize }

// Host is where the host's memory is, process by process, and what bounds it.
type Host struct {
	By              Bound         `json:"by,omitempty"`    // what sets the limit: machine, cgroup v1, cgroup v2
	Group           string        `json:"group,omitempty"` // which control group
	LimitBytes      *int64        `json:"limit_bytes,omitempty"`
	WorkingSetBytes *int64        `json:"working_set_bytes,omitempty"` // in use of it, without what the kernel takes back at once
	CacheBytes      *int64        `json:"cache_bytes,omitempty"`       // pages of files that it takes back before it ends a process
	BytesPerStep    *int64        `json:"bytes_per_step,omitempty"`    // by which all of this training's host memories leak
	StepsToOOM      *int64        `json:"steps_to_oom,omitempty"`      // until the nearest limit of any of them is reached, at that growth
	SecondsToOOM    *float64      `json:"seconds_to_oom,omitempty"`
	EndsBy          Bound         `json:"ends_by,omitempty"` // which limit that is
	Processes       []HostProcess `json:"processes"`         // the trainer, then its loader workers
}

// HostProcess is the memory of one process. Pages that are resident, but for HeapBytes, TensorBytes, FreeBytes and PinnedBytes,
// which its allocators count.
type HostProcess struct {
	Name        string `json:"name"` // trainer, worker:0, …
	PID         int    `json:"pid"`
	Step        int64  `json:"step"`                   // in which the pages were looked at
	RSSBytes    int64  `json:"rss_bytes"`              // all that is resident
	HeapBytes   *int64 `json:"heap_bytes,omitempty"`   // live in the C heap: tensors, and all that native code holds
	TensorBytes *int64 `json:"tensor_bytes,omitempty"` // storages of tensors on the CPU that Python reaches, when evidence was last gathered
	OwnBytes    *int64 `json:"own_bytes,omitempty"`    // of a worker: what it has taken itself
	FreeBytes   *int64 `json:"free_bytes,omitempty"`   // kept by malloc and free: malloc_trim may return it
	PythonBytes *int64 `json:"python_bytes,omitempty"` // without a file and none of malloc's: Python's objects, and what libraries map
	ArenaBytes  int64  `json:"arena_bytes"`            // in arenas that malloc has made for threads, live and free
	Arenas      int64  `json:"arenas"`                 // how many
	StackBytes  int64  `json:"stack_bytes"`
	ShmBytes    int64  `json:"shm_bytes"`              // shared memory: batches of workers
	Segments    *int64 `json:"segments,omitempty"`     // descriptors to shared memory without a name
	FileBytes   int64  `json:"file_bytes"`             // mapped files: the page cache, never a leak
	PinnedBytes *int64 `json:"pinned_bytes,omitempty"` // page-locked, given out by PyTorch
	SharedBytes int64  `json:"shared_bytes"`           // of the pages without a file: another process has them too, since a fork
	Limits      []Own  `json:"limits,omitempty"`       // that are set on this process alone
}

// Own is a limit that is set on one process, and what counts towards it: addresses, whether there is memory behind them or not.
type Own struct {
	By         Bound `json:"by"` // address space, data size
	UsedBytes  int64 `json:"used_bytes"`
	LimitBytes int64 `json:"limit_bytes"`
}

package oom

import "regexp"

// head is how a message begins.
type head struct {
	form   Form
	begins *regexp.Regexp
	follow int // lines that may belong to it
}

// heads are tried at every line; the one that begins first counts, and of two at the same place the first here. The words
// are those of c10/cuda/CUDACachingAllocator.cpp, CUDAMallocAsyncAllocator.cpp, c10/core/CachingDeviceAllocator.h,
// c10/core/impl/alloc_cpu.cpp, aten/src/ATen/mps/MPSAllocator.mm, torch/utils/data, the kernel's mm/oom_kill.c.
var heads = []head{
	{Kernel, regexp.MustCompile(`(?:Memory cgroup out|Out) of memory:? ?(?:\([^)]*\): )?Kill(?:ed)? process \d+`), 2},
	{Kernel, regexp.MustCompile(`Detected \d+ oom[-_ ]kill event|\bOOMKilled\b|tasks? (?:has|have) been OOM Killed`), 0},
	{Async, regexp.MustCompile(`Allocation on device \d+ would exceed allowed memory`), 8},
	{MPS, regexp.MustCompile(`MPS backend out of memory|Invalid buffer size: [0-9.]+ ?[KMGT]i?B`), 3},
	{Library, regexp.MustCompile(`\b(?:CUBLAS|CUDNN|CUSOLVER|CUSPARSE|HIPBLAS|HIPSOLVER|MIOPEN)_STATUS_ALLOC_FAILED|\bCUFFT_ALLOC_FAILED|\brocblas_status_memory_error`), 0},
	{NCCL, regexp.MustCompile(`Cuda failure (?:\d+ )?'out of memory'|Failed to CUDA (?:host )?[cm]alloc|NCCL WARN [^\n]*out of memory`), 0},
	{Driver, regexp.MustCompile(`\b(?:CUDA|HIP|XPU|NPU|MUSA|cuda|hip)(?: driver| runtime)? error(?: ?\(\d+\))? ?: out of memory|\bCUDA_ERROR_OUT_OF_MEMORY|\bcudaErrorMemoryAllocation|\bhipErrorOutOfMemory`), 0},
	{Allocator, regexp.MustCompile(`\b[A-Z]{2,8} out of memory\b|\bOut of memory\. Tried to allocate`), 6},
	{Host, regexp.MustCompile(`DefaultCPUAllocator: (?:can't allocate memory|not enough memory)`), 2},
	{Host, regexp.MustCompile(`Unable to allocate [0-9.]+ ?(?:bytes|[KMGTPE]i?B) for an array|\bstd::bad_alloc\b|^\s*(?:[a-z_]\w*Error: )?MemoryError\b`), 0},
	{Worker, regexp.MustCompile(`DataLoader worker \(pid\(?s?\)? ?[0-9, ]+\) is killed by signal: (?:Killed|Bus error)`), 0},
	{Shm, regexp.MustCompile(`Unexpected bus error encountered in worker|unable to (?:mmap|write to file|open file|resize file|allocate shared memory)[^\n]{0,300}(?:No space left on device|Cannot allocate memory)`), 0},
	{Killed, regexp.MustCompile(`Signal 9 \(SIGKILL\) received by PID \d+|exitcode\s*: -9\b`), 0},
}

// marks are parts of every head: a line without any is passed over at the speed of a search for bytes.
var marks = marksOf("ut of ", "allowed memory", "allocate memory", "enough memory", "MemoryError", "MemoryAllocation", "OutOfMemory", "OUT_OF_MEMORY",
	"memory_error", "memory: usage", "ALLOC_FAILED", "bad_alloc", "Unable to allocate", "Invalid buffer size", "Failed to CUDA", "killed by signal",
	"bus error", "unable to ", "oom_kill", "oom-kill", "oom kill", "OOMKilled", "OOM Killed", "SIGKILL", "exitcode")

func marksOf(words ...string) (out [][]byte) {
	for _, w := range words {
		out = append(out, []byte(w))
	}
	return out
}

const size = `([0-9]+(?:\.[0-9]+)?) ?(bytes|[KMGTPE]i?B)`

// clause is one figure of a message.
type clause struct {
	says *regexp.Regexp
	of   func(*Message) **int64
}

// clauses are the figures of all the forms, of torch 1.13 to the newest; the first group that is not empty is the size.
var clauses = []clause{
	{regexp.MustCompile(`Tried to allocate ` + size + `|Requested *: ` + size + `|Invalid buffer size: ` + size +
		`|you tried to allocate ` + size + `|Unable to allocate ` + size + ` for|alloc(?: async)? ` + size), func(m *Message) **int64 { return &m.Requested }},
	{regexp.MustCompile(`total capaci?ty of ` + size + `|` + size + ` total capacity|Device limit *: ` + size), func(m *Message) **int64 { return &m.Capacity }},
	{regexp.MustCompile(`of which ` + size + ` is free|` + size + ` free;|Free \(according to CUDA\) *: ` + size), func(m *Message) **int64 { return &m.Free }},
	{regexp.MustCompile(size + ` allowed;|max allowed: ` + size + `|user-supplied memory fraction\) *: ` + size), func(m *Message) **int64 { return &m.Allowed }},
	{regexp.MustCompile(`this process has ` + size + ` memory in use`), func(m *Message) **int64 { return &m.Process }},
	{regexp.MustCompile(size + ` is allocated by PyTorch|` + size + ` already allocated|Currently allocated *: ` + size), func(m *Message) **int64 { return &m.Allocated }},
	{regexp.MustCompile(size + ` is reserved by PyTorch but unallocated`), func(m *Message) **int64 { return &m.Unallocated }},
	{regexp.MustCompile(size + ` reserved in total by PyTorch|\(MPS allocated: ` + size), func(m *Message) **int64 { return &m.Reserved }},
	{regexp.MustCompile(`with ` + size + ` allocated in private pools`), func(m *Message) **int64 { return &m.PrivatePools }},
	{regexp.MustCompile(`other allocations: ` + size), func(m *Message) **int64 { return &m.Elsewhere }},
}

var (
	otherProcess = regexp.MustCompile(`Process (\d{1,10}) has ` + size + ` memory in use`)
	deviceNumber = regexp.MustCompile(`\((?:GPU|NPU|GCU) +(\d{1,4});|\. (?:GPU|NPU|GCU) (\d{1,4}) has a total|Allocation on device (\d{1,4}) `)
	backendName  = regexp.MustCompile(`^(?:([A-Z]{2,8}) out of memory|(CUDA|HIP|XPU|NPU|MUSA)\b)`)
	victim       = regexp.MustCompile(`Kill(?:ed)? process (\d{1,10}),? (?:UID \d+,? )?\(([^)]{0,64})\)`)
	resident     = regexp.MustCompile(`(anon|file|shmem)-rss:(\d{1,15})kB`)
	groupLimit   = regexp.MustCompile(`memory: usage \d+kB, limit (\d{1,15})kB`)
	signalName   = regexp.MustCompile(`killed by signal: (Killed|Bus error)`)
	libraryName  = regexp.MustCompile(`^(CUBLAS|CUDNN|CUSOLVER|CUSPARSE|CUFFT|HIPBLAS|HIPSOLVER|MIOPEN|rocblas)`)
	processName  = regexp.MustCompile(`PID (\d{1,10})|\(pid: (\d{1,10})\)|DataLoader worker \(pid\(?s?\)? ?(\d{1,10})`)
	rankPrefix   = regexp.MustCompile(`^\s*\[(?:rank|default)(\d{1,6})\]:?|^\s*\[\d+,(\d{1,6})\]<std(?:err|out)>:?`)
	escapes      = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)
)

package oom

import "regexp"

// head is how a message begins.
type head struct {
	form   Form
	begins *regexp.Regexp
	follow int      // lines that may belong to it
	marks  []string // one of them is in every such beginning: a search for bytes is quicker than one for a form
}

// heads are tried at every line; the one that begins first counts, and of two at the same place the first here. The words
// are those of c10/cuda/CUDACachingAllocator.cpp, CUDAMallocAsyncAllocator.cpp, c10/core/CachingDeviceAllocator.h,
// c10/core/impl/alloc_cpu.cpp, aten/src/ATen/mps/MPSAllocator.mm, of Metal's command buffers, torch/utils/data, the kernel's mm/oom_kill.c.
var heads = []head{
	{Kernel, regexp.MustCompile(`(?:Memory cgroup out|Out) of memory:? ?(?:\([^)]*\): )?Kill(?:ed)? process \d+`), 2, []string{"process "}},
	{Kernel, regexp.MustCompile(`Detected \d+ oom[-_ ]kill event|\bOOMKilled\b|tasks? (?:has|have) been OOM Killed`), 0, []string{"oom", "OOM"}},
	{Async, regexp.MustCompile(`Allocation on device \d+ would exceed allowed memory`), 8, []string{"allowed memory"}},
	{MPS, regexp.MustCompile(`MPS backend out of memory|Invalid buffer size: [0-9.]+ ?[KMGT]i?B|Insufficient Memory \([^)\n]*OutOfMemory\)`), 3, []string{"MPS backend", "Invalid buffer", "Insufficient Memory"}},
	{Library, regexp.MustCompile(`\b(?:CUBLAS|CUDNN|CUSOLVER|CUSPARSE|HIPBLAS|HIPSOLVER|MIOPEN)_STATUS_ALLOC_FAILED|\bCUFFT_ALLOC_FAILED|\brocblas_status_memory_error`), 0, []string{"ALLOC_FAILED", "memory_error"}},
	{NCCL, regexp.MustCompile(`Cuda failure (?:\d+ )?'out of memory'|Failed to CUDA (?:host )?[cm]alloc|NCCL WARN [^\n]*out of memory`), 0, []string{"of memory", "CUDA "}},
	{Driver, regexp.MustCompile(`\b(?:CUDA|HIP|XPU|NPU|MUSA|cuda|hip)(?: driver| runtime)? error(?: ?\(\d+\))? ?: out of memory|\bCUDA_ERROR_OUT_OF_MEMORY|\bcudaErrorMemoryAllocation|\bhipErrorOutOfMemory`), 0, []string{"rror", "OUT_OF_MEMORY"}},
	{Allocator, regexp.MustCompile(`\b[A-Z]{2,8} out of memory\b|\bOut of memory\. Tried to allocate`), 6, []string{"ut of "}},
	{Host, regexp.MustCompile(`DefaultCPUAllocator: (?:can't allocate memory|not enough memory)`), 2, []string{"DefaultCPUAllocator"}},
	{Host, regexp.MustCompile(`Unable to allocate [0-9.]+ ?(?:bytes|[KMGTPE]i?B) for an array|\bstd::bad_alloc\b|^\s*(?:[a-z_]\w*Error: )?MemoryError\b`), 0, []string{"nable to allocate", "bad_alloc", "MemoryError"}},
	{Worker, regexp.MustCompile(`DataLoader worker \(pid\(?s?\)? ?[0-9, ]+\) is killed by signal: (?:Killed|Bus error)`), 0, []string{"DataLoader worker"}},
	{Shm, regexp.MustCompile(`Unexpected bus error encountered in worker|unable to (?:mmap|write to file|open file|resize file|allocate shared memory)[^\n]{0,300}(?:No space left on device|Cannot allocate memory)`), 0, []string{"bus error", "unable to "}},
	{Killed, regexp.MustCompile(`Signal 9 \(SIGKILL\) received by PID \d+|exitcode\s*: -9\b`), 0, []string{"SIGKILL", "exitcode"}},
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

package oom

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/torchleak/torchleak/internal/finding"
)

const mib, gib = float64(1 << 20), float64(1 << 30)

// The messages as PyTorch, NumPy, NCCL and the kernel write them; most were met in public logs.
var messages = []struct {
	name, text string
	form       Form
	backend    string
	device     int // -1: not said
	requested  float64
	free       float64 // -1: not said
	verdict    finding.Verdict
}{
	{"torch 1.13", "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 23.70 GiB total capacity; 21.85 GiB already allocated; 5.81 MiB free; 22.10 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF",
		Allocator, "cuda", 0, 20 * mib, 5.81 * mib, finding.Capacity},
	{"torch 1.13 with a limit", "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 1; 15.90 GiB total capacity; 1.20 GiB already allocated; 13.00 GiB free; 1.59 GiB allowed; 1.25 GiB reserved in total by PyTorch)",
		Allocator, "cuda", 1, 512 * mib, 13 * gib, finding.Capacity},
	{"torch 2.1, with its slip", "CUDA out of memory. Tried to allocate 2.09 GiB. GPU 0 has a total capacty of 23.69 GiB of which 541.00 MiB is free. Process 2006998 has 256.00 MiB memory in use. Including non-PyTorch memory, this process has 22.89 GiB memory in use. Of the allocated memory 21.48 GiB is allocated by PyTorch, and 1.11 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting max_split_size_mb to avoid fragmentation.",
		Allocator, "cuda", 0, 2.09 * gib, 541 * mib, finding.Capacity},
	{"pieces", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 2 has a total capacity of 39.39 GiB of which 1.10 GiB is free. Including non-PyTorch memory, this process has 38.28 GiB memory in use. Of the allocated memory 27.00 GiB is allocated by PyTorch, and 10.70 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
		Allocator, "cuda", 2, 3 * gib, 1.1 * gib, finding.Fragmentation},
	{"another process", "OutOfMemoryError: CUDA out of memory. Tried to allocate 130.00 MiB. GPU 0 has a total capacity of 94.96 GiB of which 59.69 MiB is free. Process 502587 has 1.78 GiB memory in use. Process 745081 has 86.44 GiB memory in use. Including non-PyTorch memory, this process has 6.62 GiB memory in use. Of the allocated memory 5.97 GiB is allocated by PyTorch, and 116.33 MiB is reserved by PyTorch but unallocated.",
		Allocator, "cuda", 0, 130 * mib, 59.69 * mib, finding.Outside},
	{"this process under another number, in a container", "[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 344.00 MiB. GPU 0 has a total capacity of 139.81 GiB of which 2.00 MiB is free. Process 3131906 has 139.80 GiB memory in use. Of the allocated memory 137.97 GiB is allocated by PyTorch, and 704.56 MiB is reserved by PyTorch but unallocated.",
		Allocator, "cuda", 0, 344 * mib, 2 * mib, finding.Capacity},
	{"graphs", "CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 15.77 GiB of which 12.00 MiB is free. Including non-PyTorch memory, this process has 15.75 GiB memory in use. Of the allocated memory 14.90 GiB is allocated by PyTorch, with 9.20 GiB allocated in private pools (e.g., CUDA Graphs), and 80.00 MiB is reserved by PyTorch but unallocated.",
		Allocator, "cuda", 0, 64 * mib, 12 * mib, finding.Capacity},
	{"a limit of its own", "CUDA out of memory. Tried to allocate 126.00 MiB. GPU 0 has a total capacity of 139.80 GiB of which 136.39 GiB is free. Including non-PyTorch memory, this process has 3.41 GiB memory in use. 2.80 GiB allowed; Of the allocated memory 2.47 GiB is allocated by PyTorch, and 212.21 MiB is reserved by PyTorch but unallocated.",
		Allocator, "cuda", 0, 126 * mib, 136.39 * gib, finding.Capacity},
	{"no bytes of this process", "CUDA out of memory. Tried to allocate 10.08 GiB. GPU 0 has a total capacity of 94.50 GiB of which 10.06 GiB is free. Including non-PyTorch memory, this process has 0 bytes memory in use. Of the allocated memory 80.48 GiB is allocated by PyTorch, and 2.50 GiB is reserved by PyTorch but unallocated.",
		Allocator, "cuda", 0, 10.08 * gib, 10.06 * gib, finding.Capacity},
	{"larger than the device", "CUDA out of memory. Tried to allocate 400.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 70.00 GiB is free. Including non-PyTorch memory, this process has 9.10 GiB memory in use. Of the allocated memory 8.00 GiB is allocated by PyTorch, and 500.00 MiB is reserved by PyTorch but unallocated.",
		Allocator, "cuda", 0, 400 * gib, 70 * gib, finding.Capacity},
	{"refused though free", "torch.OutOfMemoryError: XPU out of memory. Tried to allocate 192.00 MiB. GPU 3 has a total capacity of 31.89 GiB of which 13.22 GiB is free. Of the allocated memory 17.90 GiB is allocated by PyTorch, and 94.57 MiB is reserved by PyTorch but unallocated. Please use `empty_cache` to release all unoccupied cached memory.",
		Allocator, "xpu", 3, 192 * mib, 13.22 * gib, finding.Undecided},
	{"XPU of torch 2.3", "XPU out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 11.93 GiB. Of the allocated memory 10.43 GiB is allocated by PyTorch, and 94.57 MiB is reserved by PyTorch but unallocated. Please use `empty_cache`",
		Allocator, "xpu", 0, 20 * mib, -1, finding.Capacity},
	{"ROCm", "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 76.00 MiB. GPU 1 has a total capacity of 287.98 GiB of which 0 bytes is free. Of the allocated memory 200.12 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated.",
		Allocator, "hip", 1, 76 * mib, 0, finding.Outside},
	{"the allocator of all devices", "torch.OutOfMemoryError: Out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 16.00 GiB of which 100.00 MiB is free. Of the allocated memory 15.50 GiB is allocated by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.",
		Allocator, "", 0, gib, 100 * mib, finding.Capacity},
	{"another maker's device", "NPU out of memory. Tried to allocate 2.00 GiB (NPU 5; 60.97 GiB total capacity; 57.10 GiB already allocated; 57.10 GiB current active; 1.30 GiB free; 58.70 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory",
		Allocator, "npu", 5, 2 * gib, 1.3 * gib, finding.Capacity},
	{"cudaMallocAsync", "torch.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)\nCurrently allocated     : 9.43 GiB\nRequested               : 640.00 MiB\nDevice limit            : 11.59 GiB\nFree (according to CUDA): 7.12 MiB\nPyTorch limit (set by user-supplied memory fraction)\n                        : 17179869184.00 GiB",
		Async, "cuda", 0, 640 * mib, 7.12 * mib, finding.Capacity},
	{"MPS, found out by the device", "Error: command buffer exited with error status.\n\tThe Metal Performance Shaders operations encoded on it may not have completed.\n\tError:\n\t(null)\n\tInsufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)\n\t<AGXG13XFamilyCommandBuffer: 0x14b2a5e00>",
		MPS, "mps", -1, -1, -1, finding.Undecided},
	{"MPS", "RuntimeError: MPS backend out of memory (MPS allocated: 17.36 GB, other allocations: 613.56 MB, max allowed: 18.13 GB). Tried to allocate 192.00 MB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit",
		MPS, "mps", -1, 192 * mib, -1, finding.Capacity},
	{"MPS of newer torch", "MPS backend out of memory (MPS allocated: 9.00 GiB, other allocations: 6.50 GiB, max allowed: 15.60 GiB). Tried to allocate 1024.00 MiB on shared pool.",
		MPS, "mps", -1, gib, -1, finding.Outside},
	{"MPS buffer", "RuntimeError: Invalid buffer size: 58.00 GB", MPS, "mps", -1, 58 * gib, -1, finding.Undecided},
	{"CPU", "RuntimeError: [enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 2359296 bytes. Error code 12 (Cannot allocate memory)",
		Host, "cpu", -1, 2359296, -1, finding.Undecided},
	{"CPU, an impossible shape", "RuntimeError: [enforce fail at alloc_cpu.cpp:66] . DefaultCPUAllocator: can't allocate memory: you tried to allocate 4000000000000000 bytes. Error code 12 (Cannot allocate memory)",
		Host, "cpu", -1, 4e15, -1, finding.Capacity},
	{"CPU on Windows", "RuntimeError: [enforce fail at alloc_cpu.cpp:72] data. DefaultCPUAllocator: not enough memory: you tried to allocate 1073741824 bytes.",
		Host, "cpu", -1, gib, -1, finding.Undecided},
	{"NumPy", "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 1.50 TiB for an array with shape (400000, 500000) and data type float64",
		Host, "", -1, 1.5 * 1024 * gib, -1, finding.Undecided},
	{"C++", "terminate called after throwing an instance of 'std::bad_alloc'", Host, "", -1, -1, -1, finding.Undecided},
	{"cuBLAS", "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", Library, "", -1, -1, -1, finding.Undecided},
	{"cuDNN", "RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED", Library, "", -1, -1, -1, finding.Undecided},
	{"driver", "torch.AcceleratorError: CUDA error: out of memory", Driver, "cuda", -1, -1, -1, finding.Undecided},
	{"driver of expandable segments", "RuntimeError: CUDA driver error: out of memory", Driver, "cuda", -1, -1, -1, finding.Undecided},
	{"NCCL", "ncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\nCuda failure 2 'out of memory'", NCCL, "cuda", -1, -1, -1, finding.Undecided},
	{"NCCL's buffers", "Last error:\nFailed to CUDA calloc async 608 bytes", NCCL, "cuda", -1, 608, -1, finding.Undecided},
	{"worker", "RuntimeError: DataLoader worker (pid 28841) is killed by signal: Killed.", Worker, "", -1, -1, -1, finding.Undecided},
	{"worker's shared memory", "RuntimeError: DataLoader worker (pid 1285) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.",
		Worker, "", -1, -1, -1, finding.Capacity},
	{"shared memory", "RuntimeError: unable to write to file </torch_711_1234>: No space left on device (28)", Shm, "", -1, -1, -1, finding.Capacity},
	{"torchrun", "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:\n  exitcode  : -9 (pid: 23451)\n  traceback : Signal 9 (SIGKILL) received by PID 23451", Killed, "", -1, -1, -1, finding.Undecided},
	{"Slurm", "slurmstepd: error: Detected 1 oom_kill event in StepId=1234.0. Some of the step tasks have been OOM Killed.", Kernel, "", -1, -1, -1, finding.Undecided},
	{"kernel", "[337533.3] Out of memory: Killed process 4242 (python3) total-vm:98304kB, anon-rss:65536kB, file-rss:1024kB, shmem-rss:0kB, UID:1000",
		Kernel, "", -1, -1, -1, finding.Undecided},
	{"older kernel", "Out of memory: Kill process 1234 (python3) score 900 or sacrifice child\nKilled process 1234 (python3) total-vm:98304kB, anon-rss:65536kB, file-rss:1024kB",
		Kernel, "", -1, -1, -1, finding.Undecided},
	{"control group", "memory: usage 1048576kB, limit 1048576kB, failcnt 77\nMemory cgroup out of memory: Killed process 23793 (python) total-vm:2623712kB, anon-rss:900000kB, file-rss:1268kB, shmem-rss:0kB",
		Kernel, "", -1, -1, -1, finding.Capacity},
	{"control group of many", "memory: usage 1048576kB, limit 1048576kB, failcnt 77\nMemory cgroup out of memory: Killed process 23793 (python) total-vm:2623712kB, anon-rss:200000kB, file-rss:1268kB, shmem-rss:0kB",
		Kernel, "", -1, -1, -1, finding.Outside},
}

func TestMessages(t *testing.T) {
	for _, c := range messages {
		t.Run(c.name, func(t *testing.T) {
			log, err := Read(strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			m := log.Last
			if m.Form != c.form || m.Backend != c.backend {
				t.Errorf("form %s of %q, want %s of %q", m.Form, m.Backend, c.form, c.backend)
			}
			if got := orMinus(m.Device); got != c.device {
				t.Errorf("device %d, want %d", got, c.device)
			}
			want := c.requested
			if want == 0 {
				want = -1
			}
			near(t, "requested", m.Requested, want)
			near(t, "free", m.Free, map[bool]float64{true: -1, false: c.free}[c.free < 0])
			if j := Judge(m); j.Verdict != c.verdict || len(j.Why) == 0 || len(j.Next) == 0 {
				t.Errorf("%+v, want %s", j, c.verdict)
			}
		})
	}
}

func orMinus(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// near wants a figure, to the byte that rounding of the message leaves; -1 wants none.
func near(t *testing.T, what string, got *int64, want float64) {
	t.Helper()
	switch {
	case want < 0 && got != nil:
		t.Errorf("%s %d, want none", what, *got)
	case want >= 0 && (got == nil || float64(*got)-want > 1 || want-float64(*got) > 1):
		t.Errorf("%s %v, want %.0f", what, got, want)
	}
}

// No message, of whatever form, is ever taken for a leak.
func TestNeverALeak(t *testing.T) {
	for _, c := range messages {
		log, _ := Read(strings.NewReader(c.text))
		if v := Judge(log.Last).Verdict; v == finding.Leak || v == finding.Cycle || v == finding.Healthy {
			t.Errorf("%s: %s", c.name, v)
		}
	}
}

// The figures that follow from others, by hand: 139.80 capacity - 136.39 free - (2.47 + 0.2072) reserved = 0.7328 GiB
// outside, and 2.6772 reserved + 126 MiB - 2.80 allowed = 0.0003 GiB missing.
func TestDerived(t *testing.T) {
	f, err := os.Open("testdata/torch2.11.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	log, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	m := log.Last
	reserved := 2.47*gib + 212.21*mib
	near(t, "reserved", m.Reserved, reserved)
	near(t, "outside", m.Outside(), 139.80*gib-136.39*gib-reserved)
	near(t, "missing", m.Missing(), reserved+126*mib-2.80*gib)
	near(t, "limit", m.Limit(), 2.80*gib)
	if !strings.HasSuffix(m.Text, "unallocated.") {
		t.Errorf("text ends %q", m.Text)
	}
}

func TestOwnEntry(t *testing.T) {
	for _, c := range messages {
		if !strings.HasPrefix(c.name, "this process under") {
			continue
		}
		log, _ := Read(strings.NewReader(c.text))
		near(t, "process", log.Last.Process, 139.80*gib)
		if len(log.Last.Others) != 0 || log.Last.Rank == nil || *log.Last.Rank != 0 {
			t.Errorf("%+v", log.Last)
		}
		return
	}
	t.Fatal("there is no such message")
}

// A log of four ranks: one wraps its message over lines, one prints it in colour, one as JSON, and what comes last has no
// figures.
func TestLog(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "[rank%d]: step %d loss 0.5 memory 12 GiB\n", i%4, i)
	}
	b.WriteString("[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried\n[rank1]: step 7\n[rank3]: to allocate 1.00 GiB. GPU 3 has a total\n[rank3]: capacity of 16.00 GiB of which 8.00 MiB is free. " +
		"Of the allocated memory 15.00 GiB is allocated by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.\n")
	b.WriteString("[rank1]: \x1b[31mtorch.OutOfMemoryError: CUDA out of \x1b[1mmemory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 16.00 GiB of which 8.00 MiB is free.\x1b[0m\n")
	log, err := Read(strings.NewReader(b.String()))
	if err != nil || log.Messages != 2 || fmt.Sprint(log.Ranks) != "[1 3]" || log.Last.Line != 5005 {
		t.Fatalf("%+v %v", log, err)
	}
	near(t, "requested", log.Last.Requested, 2*gib)
	b.WriteString(`{"rank": 0, "error": "Allocation on device 2 would exceed allowed memory. (out of memory)\nCurrently allocated : 9.43 GiB\nRequested : 640.00 MiB\nDevice limit : 11.59 GiB"}` + "\n")
	b.WriteString("if 'CUDA out of memory' in str(error):\n")
	log, err = Read(iotest.OneByteReader(strings.NewReader(b.String())))
	if err != nil || log.Messages != 4 || log.Last.Form != Async || orMinus(log.Last.Device) != 2 {
		t.Fatalf("%+v %v", log, err)
	}
	near(t, "allocated", log.Last.Allocated, 9.43*gib)
}

func TestWrapped(t *testing.T) {
	log, err := Read(strings.NewReader("[rank3]: CUDA out of memory. Tried\n[rank1]: step 7\n[rank3]: to allocate 1.00 GiB. GPU 3 has a total\n[rank3]: capacity of 16.00 GiB of which 8.00 MiB is free."))
	if err != nil || orMinus(log.Last.Device) != 3 || orMinus(log.Last.Rank) != 3 {
		t.Fatalf("%+v %v", log, err)
	}
	near(t, "requested", log.Last.Requested, gib)
	near(t, "capacity", log.Last.Capacity, 16*gib)
}

// Every head is found in a whole log, where only lines that bear a mark are looked at.
func TestMarked(t *testing.T) {
	for _, c := range messages {
		found := false
		for _, line := range strings.Split(c.text, "\n") {
			found = found || len(starts(line)) > 0 && marked([]byte(line))
		}
		if !found {
			t.Errorf("%s is passed over", c.name)
		}
	}
}

func TestNone(t *testing.T) {
	for _, text := range []string{"", "all is well\n", "out of order memory\n", "peak memory 12 GiB\nexit code 1\n", "\x00\xff\xfe"} {
		if _, err := Read(strings.NewReader(text)); !errors.Is(err, ErrNone) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Read(io.MultiReader(strings.NewReader("CUDA out of memory"), iotest.ErrReader(io.ErrUnexpectedEOF))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the reader's error is lost: %v", err)
	}
}

// A line of 24 MB that names the message all along is read in one pass: the time grows with the input, not its square.
func TestLongLine(t *testing.T) {
	const times = 40_000
	log, err := Read(io.LimitReader(endless(strings.Repeat("CUDA out of memory. Tried to allocate 1.00 GiB. ", 100)), times*48))
	if err != nil || log.Messages < times-100 || log.Messages > times+100 {
		t.Fatalf("%d messages of %d, %v", log.Messages, times, err)
	}
}

type endless string

func (e endless) Read(b []byte) (int, error) { return copy(b, e), nil }

func FuzzRead(f *testing.F) {
	for _, c := range messages {
		f.Add([]byte(c.text))
	}
	f.Add([]byte("CUDA out of memory. Tried to allocate 99999999999999999999999999999 EiB (GPU 99999999999999999999; 1.0.0 GiB total capacity; -1 bytes free;"))
	f.Fuzz(func(t *testing.T, data []byte) {
		log, err := Read(strings.NewReader(string(data)))
		if err != nil {
			return
		}
		m := log.Last
		for _, n := range []*int64{m.Requested, m.Capacity, m.Allowed, m.Free, m.Process, m.Allocated, m.Unallocated, m.PrivatePools, m.Outside(), m.Missing()} {
			if n != nil && *n < 0 {
				t.Errorf("a negative figure: %+v", m)
			}
		}
		if j := Judge(m); j.Verdict == finding.Leak || len(j.Why) == 0 {
			t.Errorf("%+v", j)
		}
	})
}

// TestFragmented: what records and models the allocator of CUDA and ROCm is of no use on other devices.
func TestFragmented(t *testing.T) {
	for backend, simulated := range map[string]bool{"CUDA": true, "HIP": true, "XPU": false} {
		log, err := Read(strings.NewReader(backend + " out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 11.00 GiB. Of the allocated memory 9.00 GiB is allocated by PyTorch, and 1.50 GiB is reserved by PyTorch but unallocated."))
		if err != nil {
			t.Fatal(err)
		}
		j := Judge(log.Last)
		if j.Verdict != finding.Fragmentation || strings.Contains(strings.Join(j.Next, " "), "snapshot simulate") != simulated {
			t.Errorf("%s: %s, %q", backend, j.Verdict, j.Next)
		}
	}
}

package oom

import (
	"fmt"
	"math"
	"strconv"

	"github.com/torchleak/torchleak/internal/finding"
)

// Judgement is what the figures of one moment allow to say.
type Judgement struct {
	Verdict finding.Verdict
	Why     []string // the arithmetic, a sentence each
	Unknown []string // what the message cannot tell
	Next    []string // what to do, the most telling first
}

// A share of the limit below which free pieces, or memory outside, are what every training has: contexts take about this
// much of a small device, and pieces of this size would have put the end off by a step.
const worthIt = 10 // one part in so many

// Judge says what kind of shortage it was. It is never a leak: that takes more than one moment.
func Judge(m Message) Judgement { return judge(m, false) }

// judge judges a message; watched says that the run up to there is known, so that nobody need be sent to watch it.
func judge(m Message, watched bool) Judgement {
	j := &judgement{m: m, watched: watched}
	j.Verdict = finding.Undecided
	switch m.Form {
	case Allocator, Async, MPS:
		j.device()
	case Host:
		j.host()
	case Kernel:
		j.kernel()
	default:
		j.bare()
	}
	return j.Judgement
}

// judgement is one under way.
type judgement struct {
	Judgement
	m       Message
	watched bool
}

func (j *judgement) why(form string, args ...any) { j.Why = append(j.Why, fmt.Sprintf(form, args...)) }
func (j *judgement) unknown(form string, args ...any) {
	j.Unknown = append(j.Unknown, fmt.Sprintf(form, args...))
}
func (j *judgement) next(form string, args ...any) {
	j.Next = append(j.Next, fmt.Sprintf(form, args...))
}

// device judges a request that a caching allocator could not meet.
func (j *judgement) device() {
	m := &j.m
	limit := m.Limit()
	if m.Requested == nil || limit == nil || *m.Requested <= *limit && m.held() == nil && m.Allocated == nil {
		j.why("the message gives too few figures to tell what took the memory")
		j.growth()
		return
	}
	if m.Form == Allocator && (*m.Requested == 2<<20 || *m.Requested == 20<<20) {
		j.segment()
	}
	pieces, outside, own := worth(m.Unallocated, *limit), worth(m.Outside(), *limit), j.ownLimit()
	switch {
	case *m.Requested > *limit:
		j.Verdict = finding.Capacity
		j.why("the request of %s alone is larger than the %s there are", Size(*m.Requested), Size(*limit))
		j.next("Look at the shapes where it was raised: two tensors broadcast against each other, (N, 1) with (N,), often make one this large.")
	case m.Free != nil && *m.Free >= *m.Requested && !own:
		j.why("%s were free on the device, more than the %s asked for, and the driver refused all the same", Size(*m.Free), Size(*m.Requested))
		j.unknown("Whether another process took the memory for a moment, or the driver had no room in one piece.")
		j.next("Run it again while `nvidia-smi -l 1` shows what else uses the device.")
	case pieces >= *m.Requested && (own || pieces >= outside):
		j.fragmentation(pieces)
	case outside > 0 && (!own || m.Form == MPS): // what Metal holds elsewhere counts against the limit
		j.outside(outside, *limit)
	default:
		j.capacity(*limit)
	}
	j.growth()
}

// worth is a figure that is a good part of the limit; 0 otherwise.
func worth(n *int64, limit int64) int64 {
	if n == nil || *n < limit/worthIt {
		return 0
	}
	return *n
}

// ownLimit reports that the program's own limit was in the way, and not the device.
func (j *judgement) ownLimit() bool {
	held := j.m.held()
	return j.m.Allowed != nil && held != nil && *held+*j.m.Requested > *j.m.Allowed-*j.m.Allowed/200
}

func (j *judgement) segment() {
	most := "1.00 MiB"
	if *j.m.Requested == 20<<20 {
		most = "10.00 MiB"
	}
	j.why("%s is a whole segment: the tensor itself may have needed less, up to %s", Size(*j.m.Requested), most)
}

func (j *judgement) fragmentation(pieces int64) {
	j.Verdict = finding.Fragmentation
	j.why("%s were reserved by PyTorch and in no live tensor, more than the %s asked for, but in pieces too small", Size(pieces), Size(*j.m.Requested))
	j.pools()
	switch j.m.Backend {
	case "xpu", "npu", "musa", "gcu": // with allocators of their own, or none that can be recorded
		j.next("Have few different sizes: pad lengths to multiples of a large number, so that pieces fit again.")
	default:
		j.next("Record a trace (`torch.cuda.memory._record_memory_history()`, later `_dump_snapshot(\"FILE\")`) and let `torchleak snapshot simulate FILE` say which setting helps: " +
			"expandable_segments:True often does, max_split_size_mb can cost more than it saves.")
	}
	j.unknown("Whether pieces wait for another stream: memory used on two streams is free only when both are done with it.")
}

func (j *judgement) pools() {
	if p := j.m.PrivatePools; p != nil {
		j.why("%s of it lie in private pools of CUDA graphs, which serve nobody else", Size(*p))
	}
}

func (j *judgement) outside(outside, limit int64) {
	m := &j.m
	j.Verdict = finding.Outside
	j.why("%s of %s (%s) are held outside PyTorch's allocator of this process", Size(outside), Size(limit), percent(outside, limit))
	for _, p := range m.Others {
		j.why("process %d holds %s of them", p.PID, Size(p.Bytes))
	}
	switch {
	case m.Form == MPS:
		j.next("Look for what else uses the GPU: other programs, and Metal buffers that PyTorch did not make.")
	case len(m.Others) > 0:
		j.next("End the other processes, or give each its own device with CUDA_VISIBLE_DEVICES. Several ranks on one device: call torch.cuda.set_device(local_rank) first of all.")
	default:
		j.unknown("Who holds it: `nvidia-smi` lists the processes, those of other containers only on the host.")
		j.next("See `nvidia-smi`. What this process holds itself, beyond its context, are communicators and other libraries: `torchleak run` shows whether that grows.")
	}
	if m.Process != nil && m.Reserved != nil {
		j.why("this process itself holds %s beside its tensors: context, libraries, communicators", Size(max(0, *m.Process-*m.Reserved)))
	}
}

func (j *judgement) capacity(limit int64) {
	m := &j.m
	j.Verdict = finding.Capacity
	if m.Allocated != nil {
		j.why("live tensors take %s of %s (%s)", Size(*m.Allocated), Size(limit), percent(*m.Allocated, limit))
	} else if held := m.held(); held != nil {
		j.why("%s of %s (%s) are in use", Size(*held), Size(limit), percent(*held, limit))
	}
	if missing := m.Missing(); missing != nil && *missing > 0 {
		j.why("at least %s are missing for this request", Size(*missing))
	}
	if free := m.Unallocated; free != nil && m.Requested != nil && *free >= *m.Requested {
		j.why("%s lie in free pieces: in one piece they would have served this request, and little more", Size(*free))
	}
	j.pools()
	if j.ownLimit() {
		j.limited()
	}
	j.next("If nothing grows, one step needs more than there is: a smaller batch with gradient accumulation, activation checkpointing, or bfloat16 by torch.autocast.")
	j.unknown("How much more the rest of the step would have needed.")
}

func (j *judgement) limited() {
	j.why("the limit is the program's own, not the device's")
	if j.m.Form == MPS {
		j.next("PYTORCH_MPS_HIGH_WATERMARK_RATIO sets the limit. 0.0 takes it away, and the system may then stall: better need less.")
		return
	}
	j.next("The program limits itself (set_per_process_memory_fraction, or per_process_memory_fraction in PYTORCH_CUDA_ALLOC_CONF): raise the limit where the device has room.")
}

// growth ends what is said of a device or the host's memory.
func (j *judgement) growth() {
	if j.watched {
		return
	}
	j.unknown("Whether memory grew up to here: a leak and a step that is too large end in the same message.")
	j.Next = append([]string{"Run `torchleak run -- CMD…` with the training's command: it says whether memory grows, by which line, and what was alive at the end."}, j.Next...)
}

// host judges what the system refused.
func (j *judgement) host() {
	m := &j.m
	if m.Requested != nil && *m.Requested > 1<<47 {
		j.Verdict = finding.Capacity
		j.why("the request of %s is larger than a process can address", Size(*m.Requested))
		j.next("Look at the shape where it was raised: one of its dimensions is wrong.")
		return
	}
	if limit := m.Capacity; limit != nil {
		j.Verdict = finding.Capacity
		j.why("the process may use %s of address space (`ulimit -v`), and %s were in use", Size(*limit), Size(*orZero(m.Reserved)))
		j.next("Raise the limit (`ulimit -v unlimited`) where the machine has the memory: address space is always more than what is really used.")
		j.growth()
		return
	}
	j.why("the system refused memory; on Linux it does so for a limit of the process (`ulimit -v`), for a request larger than all memory, or where vm.overcommit_memory is 2")
	j.unknown("How much memory the machine has, and who held it.")
	j.next("See `ulimit -v`, `free -m` and, in a job, the memory limit it was given.")
	j.growth()
}

func orZero(n *int64) *int64 {
	if n == nil {
		return new(int64)
	}
	return n
}

// kernel judges what the kernel killed.
func (j *judgement) kernel() {
	m := &j.m
	switch v := m.Victim; {
	case v == nil || v.Bytes == 0:
		j.why("the kernel killed a process for want of host memory; how much it held is not said here")
		j.next("`dmesg -T | grep -i oom` on the host has the kernel's own lines, with figures.")
	case m.Capacity == nil:
		j.why("the kernel killed %s (%d), which held %s of host memory", named(v), v.PID, Size(v.Bytes))
		j.unknown("How much memory the machine or the job has; the table above the line in `dmesg` lists all processes.")
	case v.Bytes >= *m.Capacity/2:
		j.Verdict = finding.Capacity
		j.why("the kernel killed %s (%d), which held %s of the %s that its control group may use", named(v), v.PID, Size(v.Bytes), Size(*m.Capacity))
		j.next("Raise the job's memory limit, or need less: fewer DataLoader workers, a smaller prefetch_factor, data read from disk instead of kept in lists.")
	default:
		j.Verdict = finding.Outside
		j.why("the kernel killed %s (%d), which held only %s of the %s that its control group may use: other processes of the group, or files in /dev/shm and in the page cache, held the rest",
			named(v), v.PID, Size(v.Bytes), Size(*m.Capacity))
		j.next("See which processes share the limit: DataLoader workers, other ranks, and files in /dev/shm count.")
	}
	j.growth()
}

func named(p *Process) string {
	if p.Name == "" {
		return "a process"
	}
	return strconv.Quote(p.Name)
}

// bare says what a message without figures means.
func (j *judgement) bare() {
	switch j.m.Form {
	case Driver:
		j.why("the device's driver refused memory outside PyTorch's allocator: for a context, a kernel's code or stack, or pinned host memory")
	case Library:
		j.why("%s could not get its workspace: libraries allocate outside PyTorch's allocator, when it holds about all of the device", j.m.Library)
	case NCCL:
		j.why("a communicator could not get its buffers: they lie outside PyTorch's allocator, some hundred MiB for each group")
		j.next("Make process groups once, before the loop, and destroy those that are done with.")
	case Worker:
		j.worker()
		return
	case Shm:
		j.sharedMemory()
		return
	case Killed:
		j.why("a process was killed by SIGKILL; the kernel's OOM killer does so, a scheduler or a person too")
		j.next("`dmesg -T | grep -i oom` on the host says whether it was the kernel, and what the process held.")
		j.growth()
		return
	}
	j.unknown("How full the device was, and by what: the message has no figures.")
	j.next("See `nvidia-smi` at that moment; other processes and other ranks on the same device are the usual cause.")
	j.growth()
}

func (j *judgement) worker() {
	if j.m.Signal == "Bus error" {
		j.sharedMemory()
		return
	}
	j.why("a DataLoader worker was killed: nearly always the kernel's OOM killer, for want of host memory")
	j.unknown("How much memory the workers held: `dmesg -T | grep -i oom` on the host has the kernel's lines.")
	j.next("Fewer workers or a smaller prefetch_factor; and keep data in NumPy arrays, not in lists of Python objects, of which each worker makes its own copy.")
	j.growth()
}

func (j *judgement) sharedMemory() {
	j.Verdict = finding.Capacity
	j.why("shared memory is full: batches of DataLoader workers lie in /dev/shm until the trainer lets go of them")
	j.unknown("How large /dev/shm is here (`df -h /dev/shm`); a container has 64 MiB unless told otherwise.")
	j.next("Give the container more (`docker run --shm-size=8g`, or an emptyDir of medium Memory in Kubernetes), or take fewer workers and a smaller prefetch_factor.")
	j.growth()
}

// Size prints bytes as PyTorch does, so that figures can be found again in its message.
func Size(n int64) string {
	x, unit := float64(n), 0
	for x >= 1024 && unit < len(units)-1 {
		x /= 1024
		unit++
	}
	if unit == 0 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	return strconv.FormatFloat(x, 'f', 2, 64) + " " + units[unit]
}

var units = [...]string{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

func percent(n, of int64) string {
	return strconv.Itoa(int(math.Round(100*float64(n)/float64(max(of, 1))))) + " %"
}

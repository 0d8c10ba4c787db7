package analysis

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

func reading(name string, values map[int]int64) memory.Sample {
	s := memory.Sample{Memory: name}
	for i := range s.V {
		s.V[i] = memory.Absent
	}
	for i, v := range values {
		s.V[i] = v
	}
	return s
}

// Pages as they were seen from outside and what the allocators count are joined: of what lies in no arena, malloc's own large
// blocks are not Python's.
func TestHostProcesses(t *testing.T) {
	const mib = 1 << 20
	p := New(recording.Hello{}, Options{})
	for _, s := range []memory.Sample{
		reading("host", map[int]int64{memory.HostUsed: 90 * mib, memory.HostHeld: 130 * mib, memory.HostFree: 40 * mib}),
		reading("host", map[int]int64{memory.HostUsed: 95 * mib, memory.HostShmFiles: 3}),
		reading("worker:0", map[int]int64{memory.WorkerOwn: 8 * mib, memory.HostFree: 1 * mib}),
	} {
		p.newest(&s)
	}
	if p.host(nil) != nil {
		t.Error("nobody has looked, and there is something")
	}
	p.Pages(recording.Host{
		Group: &process.Group{By: "cgroup v2", Path: "/a", Limit: 1000 * mib, Working: 400 * mib, Cache: 100 * mib},
		Processes: []recording.HostPages{
			{Name: "trainer", PID: 7, Step: 9, Parts: process.Parts{Heap: 60 * mib, Arenas: 10 * mib, Count: 2, Room: 80 * mib, Other: 110 * mib, Shm: 1 * mib, Files: 200 * mib, Shared: 5 * mib}},
			{Name: "worker:0", PID: 8, Step: 8, Parts: process.Parts{Heap: 60 * mib, Other: 40 * mib, Shared: 70 * mib}},
		},
	})
	rate := int64(mib)
	memories := []finding.Memory{
		{Kind: "host", Verdict: finding.Leak, BytesPerStep: &rate}, {Kind: "worker", Verdict: finding.Leak, BytesPerStep: &rate},
		{Kind: "worker", Verdict: finding.Bounded, BytesPerStep: &rate}, {Kind: "device", Verdict: finding.Leak, BytesPerStep: &rate},
	}
	p.lastStep = 9
	p.forecast(memories)
	h := p.host(memories)
	trainer, worker := h.Processes[0], h.Processes[1]
	for what, c := range map[string][2]int64{
		"rss":     {trainer.RSSBytes, 381 * mib},
		"heap":    {*trainer.HeapBytes, 95 * mib},
		"free":    {*trainer.FreeBytes, 40 * mib},
		"python":  {*trainer.PythonBytes, 60 * mib}, // 110, of which 130 - 80 are malloc's
		"own":     {*worker.OwnBytes, 8 * mib},
		"growth":  {*h.BytesPerStep, 2 * mib},
		"steps":   {*h.StepsToOOM, 300},
		"working": {*h.WorkingSetBytes, 400 * mib},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", what, c[0], c[1])
		}
	}
	if trainer.OwnBytes != nil || trainer.PinnedBytes != nil || trainer.TensorBytes != nil || worker.HeapBytes != nil || worker.PythonBytes != nil || *trainer.Segments != 3 {
		t.Errorf("what is not known is said: %+v, %+v", trainer, worker)
	}
	p.Hello(recording.Hello{HeapSource: "none: the heap is jemalloc's"})
	if h := p.host(nil).Processes[0]; h.HeapBytes != nil || h.PythonBytes != nil {
		t.Errorf("a heap that cannot be read is said to be %+v", h)
	}
	if h := p.host(nil); h.StepsToOOM != nil || h.BytesPerStep != nil {
		t.Errorf("nothing grows, and it ends: %+v", h)
	}
}

// A process's one device is the GPU on which it holds memory; of several nobody can say which is which.
func TestDevices(t *testing.T) {
	p := New(recording.Hello{}, Options{})
	p.detector("host")
	p.detector("cuda:0")
	gpu := func(index int, own int64) recording.HostGPU { return recording.HostGPU{Index: index, Own: own} }
	got := p.devices([]recording.HostGPU{gpu(7, 5), gpu(3, 0)})
	if len(got) != 1 || got["cuda:0"].Index != 7 {
		t.Errorf("%+v", got)
	}
	if got := p.devices([]recording.HostGPU{gpu(7, 5), gpu(3, 1)}); got != nil {
		t.Errorf("of two GPUs one is told apart: %+v", got)
	}
	p.detector("cuda:1")
	if got := p.devices([]recording.HostGPU{gpu(7, 5), gpu(3, 1)}); got != nil {
		t.Errorf("two GPUs are told apart: %+v", got)
	}
	p.Pages(recording.Host{GPUs: []recording.HostGPU{gpu(0, 0)}}) // as of another rank's
}

// What others hold is known of a device that was not known when that was read: a recording is read in any order.
func TestOthersBeforeTheDevice(t *testing.T) {
	p := New(recording.Hello{}, Options{})
	p.Pages(recording.Host{GPUs: []recording.HostGPU{{Own: 1, Course: []recording.HostShare{{Step: 1, Others: 1 << 30}, {Step: 60, Others: 60 << 30}}}}})
	for step := range int64(60) {
		s := memory.Sample{Memory: "cuda:0", Step: step + 1, Nanos: step, Clock: memory.Optimizer}
		for i := range s.V {
			s.V[i] = memory.Absent
		}
		s.V[memory.DeviceAllocated], s.V[memory.DeviceReserved] = 1<<20, 2<<20
		s.V[memory.DeviceDriverUsed], s.V[memory.DeviceDriverTotal] = (step+4)<<30, 140<<30
		p.Observe(s)
	}
	if m := p.Memories()[0]; m.Verdict != finding.Healthy {
		t.Errorf("%s: %s", m.Verdict, m.Why)
	}
	if notes := p.neighbours(); len(notes) != 1 || !strings.Contains(notes[0], "GPU 0 grows by 1.0 GiB per step of this training since step 1") {
		t.Errorf("%q", notes)
	}
}

// Who else holds a GPU is a note; what cannot be known says why.
func TestNotesOnNeighbours(t *testing.T) {
	const gib = 1 << 30
	p := New(recording.Hello{}, Options{})
	if notes := p.neighbours(); len(notes) > 0 {
		t.Errorf("nobody was asked: %v", notes)
	}
	p.Pages(recording.Host{GPUs: []recording.HostGPU{
		{Index: 0, Total: 80 * gib, Others: []recording.HostHolder{{PID: 77, Command: "python", Used: 3 * gib}, {PID: 78, Used: gib}}},
		{Index: 1, Total: 80 * gib, Others: []recording.HostHolder{{PID: 79, Command: "Xorg", Used: 1 << 20}}},
	}})
	if notes := p.neighbours(); len(notes) != 1 || notes[0] != "other processes hold 4.0 GiB of 80 GiB of GPU 0: 77 python 3.0 GiB, 78 1.0 GiB" {
		t.Errorf("%q", notes)
	}
	p.Pages(recording.Host{NoGPUs: "no NVML"})
	if notes := p.neighbours(); len(notes) != 1 || notes[0] != "what other processes hold of the GPU is not known: no NVML" {
		t.Errorf("%q", notes)
	}
}

// Files that are left in the shared memory's file system are a note.
func TestUnmappedSharedMemory(t *testing.T) {
	const mib = 1 << 20
	p := New(recording.Hello{}, Options{})
	for left, want := range map[int64]string{
		200 * mib: "/dev/shm, of 1000 MiB, came to hold 200 MiB more than at first that this training had not mapped: are files left there?",
		15 * mib:  "",
	} {
		p.Pages(recording.Host{Shm: &recording.HostShm{Total: 1000 * mib, Left: left}})
		if got := strings.Join(p.unmapped(), ""); got != want {
			t.Errorf("%d: %q", left, got)
		}
	}
}

package analysis

import (
	"testing"

	"github.com/torchleak/torchleak/internal/diagnose"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

func TestKind(t *testing.T) {
	for name, want := range map[string][2]string{
		"host": {"host", "host"}, "shm": {"shm", "host"}, "pinned": {"pinned", "host"}, "worker:3": {"worker", "worker:3"},
		"cuda:0": {"device", "cuda:0"}, "xpu:1": {"device", "xpu:1"},
	} {
		if kind, table := Kind(name), Table(name); kind != want[0] || table != want[1] {
			t.Errorf("%s: %s, known as %s; want %v", name, kind, table, want)
		}
	}
}

// host is a record of the host in which nothing was read but what is given.
func host(step int64, figures map[int]int64) memory.Sample {
	s := memory.Sample{Step: step, Nanos: step * 1e6, Memory: "host"}
	for i := range s.V {
		s.V[i] = memory.Absent
	}
	for i, v := range figures {
		s.V[i] = v
	}
	return s
}

// Batches that are kept lie in shared memory: the heap is flat and healthy, the segments are what leaks.
func TestMemoriesBesideTheHeap(t *testing.T) {
	p := New(recording.Hello{}, Options{})
	for step := int64(1); step <= 60; step++ {
		p.Observe(host(step, map[int]int64{memory.HostUsed: 64 << 20, memory.HostShm: step << 20, memory.HostShmFiles: 6 + 2*step, memory.HostPinned: 0}))
	}
	ask, ok := p.Ask()
	if !ok || ask.Memory != "shm" {
		t.Errorf("asks for %+v, %v", ask, ok)
	}
	memories := p.Memories()
	if len(memories) != 2 || memories[0].Name != "host" || memories[1].Name != "shm" {
		t.Fatalf("%d memories: %+v", len(memories), memories)
	}
	if v := memories[0].Verdict; v != finding.Healthy {
		t.Errorf("the heap is %s", v)
	}
	if m := memories[1]; m.Kind != "shm" || m.BytesPerStep == nil || *m.BytesPerStep != 1<<20 {
		t.Errorf("shared memory: %+v", m)
	}
}

// Pinned memory is watched from the time on that there is any, and never asked of torch where it does not tell.
func TestPinnedMemory(t *testing.T) {
	p := New(recording.Hello{}, Options{})
	for step := int64(1); step <= 60; step++ {
		figures := map[int]int64{memory.HostUsed: 64 << 20}
		if step > 10 {
			figures[memory.HostPinned] = 8 << 20
		}
		p.Observe(host(step, figures))
	}
	memories := p.Memories()
	if len(memories) != 2 || memories[1].Kind != "pinned" || memories[1].Verdict != finding.Healthy || *memories[1].LastBytes != 8<<20 {
		t.Errorf("%+v", memories)
	}
}

// Several ranks have a ring for their collectives, which fills: growth by as much is none to speak of.
func TestSlackOfRanks(t *testing.T) {
	for world, want := range map[int]finding.Verdict{1: finding.Leak, 2: finding.Undecided} {
		p := New(recording.Hello{WorldSize: world}, Options{})
		for step := int64(1); step <= 140; step++ {
			p.Observe(host(step, map[int]int64{memory.HostUsed: 16<<20 + step*8<<10}))
		}
		if got := p.Memories()[0].Verdict; got != want {
			t.Errorf("%d ranks: %s, want %s", world, got, want)
		}
	}
}

// A loader worker's place may get another worker, with another data set: what the source of the first one does is not said of the second.
func TestNextInTheWorkersPlace(t *testing.T) {
	cached, leaky := diagnose.Dataset{Class: "Cached"}, diagnose.Dataset{Class: "Leaky"}
	for name, c := range map[string]struct {
		first, second diagnose.Dataset
		want          finding.Verdict
	}{
		"a cache, then what keeps all": {cached, leaky, finding.Leak},
		"what keeps all, then a cache": {leaky, cached, finding.Bounded},
	} {
		p := New(recording.Hello{}, Options{})
		p.datasets[7], p.datasets[8] = c.first, c.second
		p.keepings[cached], p.keepings[leaky] = keeping{samples: true}, keeping{hoards: true}
		for batch := int64(1); batch <= 420; batch++ {
			s := host(batch, map[int]int64{memory.WorkerOwn: batch << 20, memory.WorkerPID: 8, memory.WorkerBatch: batch})
			if batch <= 20 {
				s.V[memory.WorkerPID] = 7
			}
			s.Memory = memory.Worker(0)
			p.observeWorker(s)
		}
		if m := p.Memories()[0]; m.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", name, m.Verdict, m.Why, c.want)
		}
	}
}

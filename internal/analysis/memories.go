package analysis

import (
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/diagnose"
	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

// beside is a memory that records of the host tell of beside its heap.
type beside struct {
	name    string
	figures []int // that show that there is any
}

var besides = [...]beside{
	{"shm", []int{memory.HostShm, memory.HostShmFiles}}, // batches of loader workers
	{"pinned", []int{memory.HostPinned}},
}

// Kind is the report's kind of a memory by name.
func Kind(name string) string {
	if strings.HasPrefix(name, memory.WorkerPrefix) {
		return "worker"
	}
	if Table(name) == "host" {
		return name
	}
	return "device"
}

// Table is the name by which the target's flight recorder knows a memory: all that its records of the host tell of is
// one to it, and is looked at by one request.
func Table(name string) string {
	for _, b := range besides {
		if b.name == name {
			return "host"
		}
	}
	return name
}

// observeBeside takes what a record of the host tells of other memories. One that has been empty so far is no memory of
// this training.
func (p *Process) observeBeside(s memory.Sample) {
	for _, b := range besides {
		used := p.detectors[b.name] != nil
		for _, i := range b.figures {
			v, ok := s.Get(i)
			used = used || ok && v > 0
		}
		if used {
			s.Memory = b.name
			p.detector(b.name).Observe(s)
		}
	}
}

// Worker takes what a loader worker of this process has said of itself.
func (p *Process) Worker(h recording.Hello) {
	if h.Dataset != nil {
		p.datasets[int64(h.PID)] = diagnose.Dataset{Class: h.Dataset.Class, File: h.Dataset.File}
	}
}

// observeWorker takes what a loader worker was at one of its batches, and notes which data set it reads: its place may have
// been another's before.
func (p *Process) observeWorker(s memory.Sample) {
	d := p.detector(s.Memory)
	if batch, ok := s.Get(memory.WorkerBatch); ok {
		p.batches(s.Memory).add(batch, s.Step)
		s.Step = batch
	}
	d.Observe(s)
	if pid, ok := s.Get(memory.WorkerPID); ok {
		data, known := p.datasets[pid]
		if known && p.reads[s.Memory] != data {
			p.reads[s.Memory] = data
			d.Hoards(p.keeping(data).hoards)
		}
		if known {
			d.Fills(p.keeping(data).samples, p.epochs)
		}
	}
}

// keeping is what the source of a data set does with what it hands out.
type keeping struct {
	hoards  bool // it keeps something, without end in sight
	samples bool // it keeps each sample once, and nothing else
}

func (p *Process) keeping(d diagnose.Dataset) keeping {
	k, known := p.keepings[d]
	if !known {
		kept := p.locator().Keeps(d.Class, d.File)
		k.hoards = slices.ContainsFunc(kept, func(k locate.Kept) bool { return !k.Indexed && !k.Passing })
		k.samples = len(kept) > 0 && !slices.ContainsFunc(kept, func(k locate.Kept) bool { return !k.Indexed })
		p.keepings[d] = k
	}
	return k
}

// ring is what the flight recorder of newer PyTorches may take on the host for its last 2000 collectives: 0.7 KiB each
// were measured, and there may be a recorder for each of a few groups.
const ring = 4 << 20

// slack is by how much a memory may grow, without anything found that stays, and be no leak.
func (p *Process) slack(name string) int64 {
	if name == "host" && p.hello.WorldSize > 1 {
		return ring
	}
	return 0
}

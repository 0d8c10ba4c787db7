package analysis

import (
	"strings"

	"github.com/torchleak/torchleak/internal/memory"
)

// WorkerPrefix begins the names of the memories of loader workers; their number follows.
const WorkerPrefix = "worker:"

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
	if strings.HasPrefix(name, WorkerPrefix) {
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

package analysis

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/units"
)

// newest keeps the newest reading of each value of the host's memories.
func (p *Process) newest(s *memory.Sample) {
	v := p.values[s.Memory]
	if v == nil {
		v = &[memory.Values]int64{}
		for i := range v {
			v[i] = memory.Absent
		}
		p.values[s.Memory] = v
	}
	for i, read := range s.V {
		if read != memory.Absent {
			v[i] = read
		}
	}
}

// Pages takes where the pages of this process and of its loader workers are.
func (p *Process) Pages(h recording.Host) {
	p.pages = &h
	p.tellOfOthers()
}

// host says where the host's memory is; nil where nobody has looked.
func (p *Process) host(memories []finding.Memory) *finding.Host {
	if p.pages == nil || len(p.pages.Processes) == 0 {
		return nil
	}
	h := &finding.Host{Processes: []finding.HostProcess{}}
	for _, pages := range p.pages.Processes {
		h.Processes = append(h.Processes, p.hostProcess(pages))
	}
	if g := p.pages.Group; g != nil {
		h.By, h.Group = finding.Bound(g.By), g.Path
		h.LimitBytes, h.WorkingSetBytes, h.CacheBytes = &g.Limit, &g.Working, &g.Cache
	}
	ends(h, memories)
	return h
}

func (p *Process) hostProcess(pages recording.HostPages) finding.HostProcess {
	h := finding.HostProcess{
		Name: pages.Name, PID: pages.PID, Step: pages.Step,
		RSSBytes:   pages.Heap + pages.Arenas + pages.Stacks + pages.Other + pages.Shm + pages.Files,
		ArenaBytes: pages.Arenas, Arenas: pages.Count, StackBytes: pages.Stacks, ShmBytes: pages.Shm, FileBytes: pages.Files,
		SharedBytes: pages.Shared,
	}
	for _, l := range pages.Limits {
		h.Limits = append(h.Limits, finding.Own{By: finding.Bound(l.By), UsedBytes: l.Used, LimitBytes: l.Limit})
	}
	name := pages.Name
	if name != recording.Trainer {
		h.OwnBytes = p.reading(name, memory.WorkerOwn)
	} else {
		name = "host"
		h.HeapBytes, h.PinnedBytes, h.TensorBytes = p.reading(name, memory.HostUsed), p.reading(name, memory.HostPinned), p.tensors()
		if p.heapUnknown() {
			h.HeapBytes = nil
		}
	}
	h.FreeBytes, h.Segments = p.reading(name, memory.HostFree), p.reading(name, memory.HostShmFiles)
	if held := p.reading(name, memory.HostHeld); name == "host" && held != nil && h.HeapBytes != nil {
		// What malloc holds beyond its arenas are blocks that it has mapped one by one.
		python := max(0, pages.Other-max(0, *held-pages.Room))
		h.PythonBytes = &python
	}
	return h
}

// reading is the newest reading of a value, nil for none.
func (p *Process) reading(name string, i int) *int64 {
	if v := p.values[name]; v != nil && v[i] != memory.Absent {
		read := v[i]
		return &read
	}
	return nil
}

// heapUnknown reports that the heap cannot be read: its figures are pages then.
func (p *Process) heapUnknown() bool { return strings.HasPrefix(p.hello.HeapSource, "none: ") }

// tensors is how many bytes of tensors on the CPU evidence found last, nil where none was gathered.
func (p *Process) tensors() *int64 {
	var newest uint32
	var found *int64
	for request, e := range p.evidence {
		if n := len(e.Censuses); n > 0 && e.Memory == "host" && request >= newest {
			bytes := e.Censuses[n-1].TensorBytes
			newest, found = request, &bytes
		}
	}
	return found
}

// ends gives the host by how much all that leaks there grows, and the nearest of the forecasts.
func ends(h *finding.Host, memories []finding.Memory) {
	var grows int64
	for _, m := range memories {
		if !leaksOnHost(m) {
			continue
		}
		grows += *m.BytesPerStep
		if m.StepsToOOM != nil && (h.StepsToOOM == nil || *m.StepsToOOM < *h.StepsToOOM) {
			h.StepsToOOM, h.SecondsToOOM, h.EndsBy = m.StepsToOOM, m.SecondsToOOM, m.EndsBy
		}
	}
	if grows > 0 {
		h.BytesPerStep = &grows
	}
}

// leftBehind is by how many bytes the files of shared memory must have grown, beyond what this training has mapped, to be worth a
// note.
const leftBehind = 16 << 20

// unmapped says that the file system of shared memory filled up with what no process of this training has mapped; empty where
// it did not. Whose files they are is not known: others of the machine may write there.
func (p *Process) unmapped() []string {
	if p.pages == nil || p.pages.Shm == nil || p.pages.Shm.Left < leftBehind {
		return nil
	}
	shm := p.pages.Shm
	notes := []string{fmt.Sprintf("/dev/shm, of %s, came to hold %s more than at first that this training had not mapped: are files left there?", units.Bytes(shm.Total), units.Bytes(shm.Left))}
	if at, ok := p.locator().Leaves(); ok {
		notes = append(notes, fmt.Sprintf("%s:%d makes files in /dev/shm, and nothing in sight calls unlink() for one: such a file stays until then, whoever has closed it", at.File, at.Line))
	}
	return notes
}

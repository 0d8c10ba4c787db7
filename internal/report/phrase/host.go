package phrase

import (
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/units"
)

// worthSaying is the least that a part of a process's memory is named for, in bytes.
const worthSaying = 64 << 10

// Process says where the memory of a process is, without its name and without a full stop.
func (c *Catalogue) Process(p finding.HostProcess) string {
	parts := []string{c.Say("host.rss", "size", units.Bytes(p.RSSBytes))}
	add := func(key Key, size *int64, more ...string) {
		if size != nil && *size >= worthSaying {
			parts = append(parts, c.Say(key, append([]string{"size", units.Bytes(*size)}, more...)...))
		}
	}
	if p.TensorBytes != nil && *p.TensorBytes >= worthSaying {
		add("host.heap.tensors", p.HeapBytes, "tensors", units.Bytes(*p.TensorBytes))
	} else {
		add("host.heap", p.HeapBytes)
	}
	add("host.own", p.OwnBytes)
	add("host.free", p.FreeBytes)
	add("host.python", p.PythonBytes)
	add("host.arenas", &p.ArenaBytes, "count", units.Count(p.Arenas))
	add("host.files", &p.FileBytes)
	if p.Segments != nil && *p.Segments > 0 {
		add("host.segments", &p.ShmBytes, "count", units.Count(*p.Segments))
	} else {
		add("host.shm", &p.ShmBytes)
	}
	add("host.pinned", p.PinnedBytes)
	add("host.shared", &p.SharedBytes)
	return c.List(parts...)
}

// Bound says what bounds the host's memory and how long it lasts, without a full stop; empty where that is not known.
func (c *Catalogue) Bound(h finding.Host) string {
	if h.LimitBytes == nil || h.WorkingSetBytes == nil {
		return ""
	}
	parts := []string{c.Say("host.bound", "used", units.Bytes(*h.WorkingSetBytes), "limit", units.Bytes(*h.LimitBytes), "by", strings.TrimSpace(c.Bounding(h.By)+" "+h.Group))}
	if h.CacheBytes != nil && *h.CacheBytes >= worthSaying {
		parts = append(parts, c.Say("host.cache", "size", units.Bytes(*h.CacheBytes)))
	}
	for _, p := range h.Processes {
		for _, l := range p.Limits {
			parts = append(parts, c.Say("host.own_limit", "process", p.Name, "what", c.Bounding(l.By), "used", units.Bytes(l.UsedBytes), "limit", units.Bytes(l.LimitBytes)))
		}
	}
	if h.StepsToOOM != nil {
		end := Key("host.killed")
		if h.EndsBy.Refuses() {
			end = "host.refused"
		}
		parts = append(parts, c.Say(end, "when", c.when(*h.StepsToOOM, h.SecondsToOOM)))
	}
	return c.List(parts...)
}

// Bounding names what sets a limit.
func (c *Catalogue) Bounding(by finding.Bound) string {
	switch by {
	case finding.AddressSpace:
		return c.Say("bound.addresses")
	case finding.DataSize:
		return c.Say("bound.data")
	case finding.Machine:
		return c.Say("bound.machine")
	}
	return string(by)
}

package phrase

import (
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
	text := c.Say("host.bound", "used", units.Bytes(*h.WorkingSetBytes), "limit", units.Bytes(*h.LimitBytes), "by", c.bounding(h))
	if h.CacheBytes != nil && *h.CacheBytes >= worthSaying {
		text += c.Say("text.comma") + c.Say("host.cache", "size", units.Bytes(*h.CacheBytes))
	}
	switch {
	case h.StepsToOOM == nil:
	case h.SecondsToOOM == nil:
		text += c.Say("text.comma") + c.Say("host.killed", "steps", units.Count(*h.StepsToOOM))
	default:
		text += c.Say("text.comma") + c.Say("host.killed.time", "steps", units.Count(*h.StepsToOOM), "time", c.Time(*h.SecondsToOOM))
	}
	return text
}

// bounding names what sets the limit.
func (c *Catalogue) bounding(h finding.Host) string {
	if h.Group != "" {
		return h.By + " " + h.Group
	}
	return c.Say("host.machine")
}

package oom

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// Left is what the probe leaves in a process that ran out of memory, docs/format/oom.md.
type Left struct {
	OOM       int    `json:"oom"`
	Memory    string `json:"memory"`
	Seen      string `json:"seen"` // allocator or exit
	Fatal     bool   `json:"fatal"`
	Count     int64  `json:"count"`
	Step      int64  `json:"step"`
	Type      string `json:"type"`
	Text      string `json:"text"`
	During    string `json:"during"`
	Requested *int64 `json:"requested"`
	Limit     *int64 `json:"limit"`
	Free      *int64 `json:"free"`
	Allocated *int64 `json:"allocated"`
	Reserved  *int64 `json:"reserved"`

	Frames     []finding.Frame `json:"frames"`
	Categories []struct {
		Category string `json:"category"`
		Bytes    int64  `json:"bytes"`
		Count    int64  `json:"count"`
	} `json:"categories"`
	Tensors []struct {
		Category string  `json:"category"`
		Shape    []int64 `json:"shape"`
		Dtype    string  `json:"dtype"`
		Bytes    int64   `json:"bytes"`
		Count    int64   `json:"count"`
		Names    []struct {
			finding.Frame
			Name string `json:"name"`
		} `json:"names"`
	} `json:"tensors"`
	Saved *struct {
		Nodes  int64 `json:"nodes"`
		Bytes  int64 `json:"bytes"`  // of activations that graphs have saved
		Hidden int64 `json:"hidden"` // those of them that no Python tensor shows
	} `json:"saved"`
	Modules []finding.ModuleSaved `json:"modules"`
	Lines   []finding.LiveLine    `json:"lines"`
	Notes   []string              `json:"notes"`
}

const (
	version  = 1
	maxLeft  = 4 << 20 // bytes of the file; it has a few KiB
	maxItems = 64      // of each list
)

// ReadLeft reads the file. It comes from the target, so that nothing in it is trusted.
func ReadLeft(path string) (*Left, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxLeft {
		return nil, fmt.Errorf("%s: not a file of at most %d MiB", path, maxLeft>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var l Left
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("reading what was alive when memory ran out: %w", err)
	}
	if l.OOM != version || l.Memory == "" {
		return nil, fmt.Errorf("reading what was alive when memory ran out: version %d is not known here", l.OOM)
	}
	l.trim()
	return &l, nil
}

// trim bounds the lists and takes out figures that cannot be.
func (l *Left) trim() {
	l.Frames, l.Categories, l.Tensors = firstOf(l.Frames), firstOf(l.Categories), firstOf(l.Tensors)
	l.Modules, l.Lines, l.Notes = firstOf(l.Modules), firstOf(l.Lines), firstOf(l.Notes)
	for _, n := range []**int64{&l.Requested, &l.Limit, &l.Free, &l.Allocated, &l.Reserved} {
		if *n != nil && !possible(**n) {
			*n = nil
		}
	}
	for i := range l.Categories {
		l.Categories[i].Bytes, l.Categories[i].Count = bounded(l.Categories[i].Bytes), bounded(l.Categories[i].Count)
	}
	for i := range l.Tensors {
		l.Tensors[i].Bytes, l.Tensors[i].Shape = bounded(l.Tensors[i].Bytes), firstOf(l.Tensors[i].Shape)
	}
	for i := range l.Modules {
		l.Modules[i].Bytes = bounded(l.Modules[i].Bytes)
	}
	for i := range l.Lines {
		l.Lines[i].Bytes, l.Lines[i].Frames = bounded(l.Lines[i].Bytes), firstOf(l.Lines[i].Frames)
	}
	if l.Saved != nil {
		l.Saved.Bytes, l.Saved.Hidden = bounded(l.Saved.Bytes), bounded(l.Saved.Hidden)
	}
}

func firstOf[T any](s []T) []T { return s[:min(len(s), maxItems)] }

// possible is a number of bytes that sums of a list cannot carry over.
func possible(n int64) bool { return n >= 0 && n < 1<<55 }

func bounded(n int64) int64 {
	if !possible(n) {
		return 0
	}
	return n
}

// Message is the exception's text with the figures that the allocator gave itself, which are exact.
func (l *Left) Message() Message {
	m := Message{Form: Host}
	if log, err := Read(strings.NewReader(l.Text)); err == nil {
		m = log.Last
	} else if l.Memory != "host" {
		m.Form = Allocator
		m.Backend, _, _ = strings.Cut(l.Memory, ":")
	}
	m.Line = 0
	replace := func(at **int64, n *int64) {
		if n != nil {
			*at = n
		}
	}
	replace(&m.Requested, l.Requested)
	replace(&m.Free, l.Free)
	replace(&m.Allocated, l.Allocated)
	replace(&m.Reserved, l.Reserved)
	if l.Allocated != nil && l.Reserved != nil {
		m.Unallocated = nil
	}
	if l.Limit != nil && m.Capacity == nil {
		m.Capacity = l.Limit
		if l.Memory != "host" && l.Free != nil && l.Reserved != nil && *l.Free+*l.Reserved > *l.Limit {
			m.Capacity, m.Allowed = nil, l.Limit // more is there than the program may use
		}
	}
	m.complete()
	return m
}

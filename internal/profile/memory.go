package profile

import (
	"fmt"
	"path/filepath"

	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/snapshot"
)

// memories makes the course of each memory. One whose allocator's history cannot be read is left out.
func (f *file) memories(dir recording.Dir, calls []Call) (all []Memory, err error) {
	ended := f.ended()
	courses, err := f.courses(dir, ended)
	known := f.classify(calls, ended)
	for i, m := range f.Memories {
		one := Memory{Name: m.Name, History: m.Snapshot != ""}
		switch course := courses[i]; {
		case course != nil:
			course.follow(&one, known)
		case !one.History:
			f.follow(&one, i, known)
		}
		if len(one.Changes) > 0 {
			one.measure(f.StepEnds)
			all = append(all, one)
		}
	}
	return all, err
}

// courses reads the histories of device allocators, by the number of the memory, and enters in ended when storages died.
func (f *file) courses(dir recording.Dir, ended []int) (map[int]*course, error) {
	courses := map[int]*course{}
	var snap *snapshot.Snapshot
	for i, m := range f.Memories {
		if m.Snapshot == "" {
			continue
		}
		if snap == nil { // all devices are in one
			name := filepath.Base(m.Snapshot)
			var err error
			if snap, err = snapshot.Open(dir.File(name)); err != nil {
				return courses, fmt.Errorf("the allocator's history %s: %w", name, err)
			}
		}
		if c := f.history(m.Name, snap); c != nil {
			c.match(f, i, ended)
			courses[i] = c
		}
	}
	return courses, nil
}

// follow takes the course of a memory from what operators returned.
func (f *file) follow(m *Memory, index int, known *classes) {
	living := map[int]int{} // storage -> block
	for i, storage := range f.Events.Storage {
		if f.Storages.Memory[storage] != index {
			continue
		}
		op, bytes := f.Events.Op[i]-1, f.Events.Bytes[i]
		if block, ok := living[storage]; ok {
			m.free(block, op)
			delete(living, storage)
		}
		if bytes > 0 {
			living[storage] = m.make(op, known.describe(Block{Bytes: bytes, Op: f.Storages.Born[storage]}, storage))
		}
	}
}

func (m *Memory) make(op int, b Block) int {
	b.Born, b.Died = len(m.Changes), lives
	m.Changes = append(m.Changes, Change{op, len(m.Blocks), b.Bytes})
	m.Blocks = append(m.Blocks, b)
	return len(m.Blocks) - 1
}

// lives stands for the death of what lives on, until all changes are known.
const lives = -1

func (m *Memory) free(block, op int) {
	m.Blocks[block].Died = len(m.Changes)
	m.Changes = append(m.Changes, Change{op, block, -m.Blocks[block].Bytes})
}

// measure finds the peaks.
func (m *Memory) measure(ends []int) {
	for i := range m.Blocks {
		if m.Blocks[i].Died == lives {
			m.Blocks[i].Died = len(m.Changes)
		}
	}
	m.Steps, m.ends = make([]int64, len(ends)), make([]int, len(ends))
	m.PeakOp = -1
	var level int64
	step := 0
	for i, c := range m.Changes {
		for step < len(ends) && c.Op >= ends[step] {
			m.ends[step] = i
			step++
			if step < len(ends) {
				m.Steps[step] = level
			}
		}
		level += c.Bytes
		if step < len(ends) {
			m.Steps[step] = max(m.Steps[step], level)
		}
		if level >= m.Peak { // of equal ones the last: most is known of it
			m.Peak, m.PeakAt, m.PeakOp = level, i, c.Op
		}
	}
	for ; step < len(ends); step++ { // the last, and those without a change
		m.Steps[step], m.ends[step] = max(m.Steps[step], level), len(m.Changes)
	}
}

// at says whether the block is there behind a change.
func (b *Block) at(change int) bool { return b.Born <= change && b.Died > change }

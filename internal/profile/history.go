package profile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
)

// mark is the file of the frame whose line is one more than the number of the operator that allocates,
// internal/probe/py/_torchleak/profile/history.py.
const mark = "<torchleak profile>"

// course is a device's memory over the window, from its allocator's history.
type course struct {
	lives []residence.Life
	from  int   // the first entry
	op    []int // the operator that allocated each life, -1 for none
	at    []int // by entry, counted from the first: the operator that allocated last
	of    []int // the storage that each life is, -1 for what an operator allocated inside
}

// history reads the course of a device, named as torch names it: cuda:0.
func (f *file) history(name string, s *snapshot.Snapshot) *course {
	_, number, _ := strings.Cut(name, ":")
	index, _ := strconv.Atoi(number)
	for _, d := range s.Devices {
		if d.Index != index {
			continue
		}
		c := &course{lives: residence.Lives(s, d), from: d.From, at: make([]int, d.To-d.From)}
		marks := make([]int, s.Stacks.Len())
		for stack := range marks {
			marks[stack] = operatorOf(s.Stacks.Frames(uint32(stack)), len(f.Ops.Operator))
		}
		c.op, c.of = make([]int, len(c.lives)), make([]int, len(c.lives))
		for i := range c.lives {
			c.op[i], c.of[i] = -1, -1
			if stack := int(c.lives[i].Stack); stack < len(marks) {
				c.op[i] = marks[stack]
			}
		}
		c.place()
		return c
	}
	return nil
}

// operatorOf finds the mark of the operator that was running.
func operatorOf(frames []snapshot.Frame, ops int) int {
	for _, f := range frames {
		if f.File == mark && f.Line >= 1 && f.Line <= ops {
			return f.Line - 1
		}
	}
	return -1
}

// place finds for every entry the operator that had allocated last.
func (c *course) place() {
	for i := range c.at {
		c.at[i] = -1
	}
	for i, l := range c.lives {
		if l.Born >= 0 {
			c.at[l.Born-c.from] = c.op[i]
		}
	}
	last := -1
	for i, op := range c.at {
		last = max(last, op)
		c.at[i] = last
	}
}

// opAt is the operator that had allocated last at an entry.
func (c *course) opAt(entry int) int {
	if i := entry - c.from; i >= 0 && i < len(c.at) {
		return c.at[i]
	}
	return -1
}

// match finds the life of every storage of a memory: the last one at its address that had begun when it was seen. It
// enters in ended when they died.
func (c *course) match(f *file, memory int, ended []int) {
	byAddress := map[uint64][]int{}
	for i, l := range c.lives {
		byAddress[l.Addr] = append(byAddress[l.Addr], i)
	}
	for storage, of := range f.Storages.Memory {
		if of != memory || f.Storages.Bytes[storage] == 0 {
			continue
		}
		for _, i := range slices.Backward(byAddress[f.Storages.Address[storage]]) {
			if l := &c.lives[i]; c.begun(i, f.Storages.Seen[storage]) {
				c.of[i] = storage
				if l.Died < c.from+len(c.at) {
					ended[storage] = c.opAt(l.Died) + 1
				}
				break
			}
		}
	}
}

// begun says whether a life had begun when so many operators had.
func (c *course) begun(life, seen int) bool {
	l := &c.lives[life]
	return l.Born < 0 || c.opAt(l.Born) < seen
}

// follow makes the course of a memory.
func (c *course) follow(m *Memory, known *classes) {
	dying := map[int][]int{} // entry -> lives
	block := make([]int, len(c.lives))
	add := func(i int) {
		l := &c.lives[i]
		x := Block{Bytes: int64(l.Size), Op: c.op[i], Category: Other}
		switch storage := c.of[i]; {
		case storage >= 0:
			x = known.describe(x, storage)
		case l.Born >= 0:
			x.Category = Temporary
		}
		op := -1
		if l.Born >= 0 {
			op = c.opAt(l.Born)
		}
		block[i] = m.make(op, x)
		dying[l.Died] = append(dying[l.Died], i)
	}
	next := 0
	for ; next < len(c.lives) && c.lives[next].Born < 0; next++ {
		add(next)
	}
	for entry := c.from; entry < c.from+len(c.at); entry++ {
		for _, i := range dying[entry] {
			m.free(block[i], c.opAt(entry))
		}
		if next < len(c.lives) && c.lives[next].Born == entry {
			add(next)
			next++
		}
	}
}

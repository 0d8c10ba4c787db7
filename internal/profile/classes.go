package profile

import (
	"slices"
	"sort"
)

// classes says of each storage what it is for, and whose it is.
type classes struct {
	of     []Category
	owner  []string
	unused []bool // activations that no operator of backward used
	last   []int  // the call that used it last
}

// classify sorts all storages: by their owners where they have one, else by where they were made, and what for.
func (f *file) classify(calls []Call, ended []int) *classes {
	n := len(f.Storages.Bytes)
	c := &classes{make([]Category, n), make([]string, n), make([]bool, n), f.Storages.Last}
	if f.Compiled { // what compiled code uses is not seen
		c.last = slices.Repeat([]int{len(calls)}, n)
	}
	var backwards []int
	for i := range calls {
		if calls[i].Backward {
			backwards = append(backwards, i)
		}
	}
	for i := range c.of {
		born := f.Storages.Born[i]
		switch {
		case born < 0 || !calls[born].inForward() && calls[born].Phase != backward && calls[born].Phase != optimizer:
			c.of[i] = f.outside(i)
		case held(born, ended[i], calls, backwards):
			c.of[i] = Activation
			c.unused[i] = !f.Compiled && f.Storages.Used[i]&byBackward == 0
		default:
			c.of[i] = Temporary
		}
	}
	for _, o := range f.Owned {
		c.of[o.Storage], c.owner[o.Storage], c.unused[o.Storage] = o.Category, o.Name, false
	}
	return c
}

// describe gives a block what is known of its storage.
func (c *classes) describe(b Block, storage int) Block {
	b.Category, b.Owner, b.Unused, b.Last = c.of[storage], c.owner[storage], c.unused[storage], c.last[storage]
	return b
}

// outside sorts what was made outside of forward, backward and the optimizer, or before.
func (f *file) outside(storage int) Category {
	switch {
	case f.Storages.Used[storage]&byForward != 0:
		return Input
	case f.Storages.Born[storage] >= 0:
		return Temporary
	}
	return Other
}

// held says whether what a call of forward made was still there when the next backward began.
func held(born, ended int, calls []Call, backwards []int) bool {
	if !calls[born].inForward() {
		return false
	}
	i := sort.SearchInts(backwards, born)
	return i < len(backwards) && ended > backwards[i]
}

// ended is how many calls had begun when each storage was freed, more than there are where it was not.
func (f *file) ended() []int {
	ended := make([]int, len(f.Storages.Bytes))
	for i := range ended {
		ended[i] = len(f.Ops.Operator) + 1
	}
	for i, storage := range f.Events.Storage {
		if f.Events.Bytes[i] == 0 {
			ended[storage] = f.Events.Op[i]
		}
	}
	return ended
}

// Package residence says who holds memory in a snapshot: by line, by stack, by module, by category, at any entry of
// the trace; what grew over the trace, and from one snapshot to another. One moment alone is never called a leak.
package residence

import (
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/snapshot"
)

func itoa(n int) string { return strconv.Itoa(n) }

// book knows what each stack of a snapshot tells. Numbers from Stacks.Len() on stand for allocations without Python
// frames during the call of backward() with that stack.
type book struct {
	snap   *snapshot.Snapshot
	stacks []about
	sites  []Site
	siteOf []uint32 // by number of a stack
	keys   map[uint32]string
}

func newBook(s *snapshot.Snapshot) *book {
	b := &book{snap: s, stacks: make([]about, s.Stacks.Len())}
	for i := range b.stacks {
		b.stacks[i] = read(s.Stacks.Frames(uint32(i)))
	}
	seen := map[Site]uint32{}
	b.siteOf = make([]uint32, b.numbers())
	for i := range b.siteOf {
		site := b.about(uint32(i)).site
		n, ok := seen[site]
		if !ok {
			n = uint32(len(b.sites))
			seen[site] = n
			b.sites = append(b.sites, site)
		}
		b.siteOf[i] = n
	}
	return b
}

// numbers returns how many numbers of stacks there are, with those that stand for backward().
func (b *book) numbers() int { return 2 * len(b.stacks) }

func (b *book) about(stack uint32) about {
	if n := uint32(len(b.stacks)); stack >= n {
		a := b.stacks[stack-n]
		a.site.Backward, a.category, a.module = true, Gradient, ""
		return a
	}
	return b.stacks[stack]
}

// tie follows which call of backward() is under way.
type tie struct {
	book  *book
	under uint32 // stack of the call, 0 for none
}

// see takes notice of an entry and returns the number of the stack that its memory is charged to.
func (t *tie) see(stack uint32) uint32 {
	a := &t.book.stacks[stack]
	switch {
	case a.backward:
		t.under = stack
	case a.framed:
		t.under = 0
	case t.under != 0:
		return uint32(len(t.book.stacks)) + t.under
	}
	return stack
}

// frames returns the frames of a stack as book numbers them.
func (b *book) frames(stack uint32) []snapshot.Frame {
	if n := uint32(len(b.stacks)); stack >= n {
		stack -= n
	}
	return b.snap.Stacks.Frames(stack)
}

// real returns the stack of the snapshot that a number means: what was allocated during backward() has none.
func (b *book) real(stack uint32) uint32 {
	if int(stack) >= len(b.stacks) {
		return snapshot.NoFrames
	}
	return stack
}

// key tells stacks apart across snapshots.
func (b *book) key(stack uint32) string {
	if b.keys == nil {
		b.keys = map[uint32]string{}
	}
	k, ok := b.keys[stack]
	if !ok {
		var out strings.Builder
		if int(stack) >= len(b.stacks) {
			out.WriteString("backward\n")
		}
		for _, f := range b.frames(stack) {
			out.WriteString(f.File + "\x00" + itoa(f.Line) + "\x00" + f.Function + "\n")
		}
		k = out.String()
		b.keys[stack] = k
	}
	return k
}

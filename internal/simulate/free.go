package simulate

// queue is the blocks that are freed and still used by a stream, in the order of their frees.
type queue struct{ first, last *block }

func (q *queue) add(b *block) {
	b.before, b.after = q.last, nil
	if q.last == nil {
		q.first = b
	} else {
		q.last.after = b
	}
	q.last = b
}

func (q *queue) take(b *block) {
	if b.before == nil {
		q.first = b.after
	} else {
		b.before.after = b.after
	}
	if b.after == nil {
		q.last = b.before
	} else {
		b.after.before = b.before
	}
	b.before, b.after = nil, nil
}

// request is the owner's free. The block waits for complete.
func (a *allocator) request(b *block) {
	b.allocated, b.pending = false, true
	a.Allocated -= b.size
	a.pending.add(b)
}

// complete makes a block free whose streams are done with it.
func (a *allocator) complete(b *block) {
	a.pending.take(b)
	a.finish(b)
}

// give is request and complete at once.
func (a *allocator) give(b *block) {
	b.allocated = false
	a.Allocated -= b.size
	a.finish(b)
}

func (a *allocator) finish(b *block) {
	b.pending = false
	a.Active -= b.size
	a.Requested -= b.requested
	b.requested, b.owner = 0, 0
	a.shelve(a.merge(b))
}

// merge joins a block with its free neighbours, taking these off their shelf, and returns the lowest of
// them, which stays: the first block of a segment is the same as long as the segment lives.
func (a *allocator) merge(b *block) *block {
	if p := b.prev; p != nil && p.free() {
		p.shelf.take(p)
		a.absorb(p, b)
		b = p
	}
	if n := b.next; n != nil && n.free() {
		n.shelf.take(n)
		a.absorb(b, n)
	}
	return b
}

// absorb appends b's next neighbour, which is on no shelf, to it.
func (a *allocator) absorb(b, next *block) {
	b.size, b.next = b.size+next.size, next.next
	if b.next != nil {
		b.next.prev = b
	}
	a.drop(next)
}

func (a *allocator) shelve(b *block) {
	b.gcBase = b.shelf.calls
	b.shelf.put(b)
}

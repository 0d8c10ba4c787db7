package profile

import (
	"cmp"
	"slices"
)

// Older names what was there before the window, or was made outside of operators, where an operator would stand.
const Older = "before the profile"

// Row is memory that is alike in all that is known of it.
type Row struct {
	Origin
	Category Category
	Owner    string  // of what is older than the window
	Stack    []Place // innermost first
	Amount
}

// Origin is where memory was made.
type Origin struct {
	Operator string
	Of       string // in backward, the operator of forward
	Backward bool
	Site     Place // no file for what is older than the window
	Inside   Place
	Module   string
}

// Amount is how much memory there is of a kind.
type Amount struct {
	Bytes int64 // at the peak
	Count int
	Made  int64 // within all steps, freed or not
	Times int
}

func (a *Amount) add(o Amount) {
	a.Bytes += o.Bytes
	a.Count += o.Count
	a.Made += o.Made
	a.Times += o.Times
}

// Rows takes together what is alike, the largest at the peak first.
func (p *Process) Rows(m *Memory) []Row {
	type key struct {
		Origin
		category Category
		owner    string
		stack    int
	}
	index := map[key]int{}
	var rows []Row
	for i := range m.Blocks {
		b := &m.Blocks[i]
		k := key{Origin: p.origin(b), category: b.Category}
		var stack []Place
		if b.Op >= 0 {
			stack, k.stack = p.Calls[b.Op].Stack, p.Calls[b.Op].stack
		} else {
			k.owner = b.Owner
		}
		n, ok := index[k]
		if !ok {
			n = len(rows)
			index[k] = n
			rows = append(rows, Row{Origin: k.Origin, Category: b.Category, Owner: k.owner, Stack: stack})
		}
		rows[n].add(m.amount(b))
	}
	slices.SortStableFunc(rows, func(x, y Row) int { return x.order(y.Amount) })
	return rows
}

func (a Amount) order(o Amount) int {
	return cmp.Or(cmp.Compare(o.Bytes, a.Bytes), cmp.Compare(o.Made, a.Made))
}

// origin is where a block was made. What has an owner belongs to the module of its owner.
func (p *Process) origin(b *Block) Origin {
	o := Origin{Operator: Older}
	if b.Op >= 0 {
		o = p.Calls[b.Op].Origin()
	}
	if b.Owner != "" {
		o.Module = moduleOf(b.Owner)
	}
	return o
}

// amount is what a block adds.
func (m *Memory) amount(b *Block) (a Amount) {
	if b.at(m.PeakAt) {
		a.Bytes, a.Count = b.Bytes, 1
	}
	if b.Op >= 0 {
		a.Made, a.Times = b.Bytes, 1
	}
	return a
}

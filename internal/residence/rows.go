package residence

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Row is what a site holds.
type Row struct {
	Site
	Bytes     int64 // in blocks, as the allocator rounded
	Requested int64
	Count     int
	Category  Category // of most of it
	// Callers are the outermost places of the user's functions that the allocations came from, most first.
	Callers []Caller
}

// Caller is a place that a site was reached from.
type Caller struct {
	Site
	Tally
}

// Group is what blocks that are alike in something hold.
type Group struct {
	Name string
	Tally
}

// PoolUse is what a pool beside the default one holds, or a stream beside the default one.
type PoolUse struct {
	snapshot.Lane
	Reserved int64
	Tally    // in use
}

// Survivor is one block in use.
type Survivor struct {
	Site
	Block
}

// most is how many survivors are listed.
const most = 20

// rows lists the sites of blocks, the largest first.
func (b *book) rows(blocks []Block) []Row {
	index := map[Site]int{}
	var rows []Row
	callers := []map[Site]Tally{}
	categories := []map[Category]int64{}
	for _, x := range blocks {
		a := b.about(x.Stack)
		i, ok := index[a.site]
		if !ok {
			i = len(rows)
			index[a.site] = i
			rows = append(rows, Row{Site: a.site})
			callers = append(callers, map[Site]Tally{})
			categories = append(categories, map[Category]int64{})
		}
		rows[i].Bytes += int64(x.Size)
		rows[i].Requested += int64(x.Requested)
		rows[i].Count++
		if a.caller.Known() && a.caller != a.site {
			t := callers[i][a.caller]
			t.add(int64(x.Size), 1)
			callers[i][a.caller] = t
		}
		categories[i][a.category] += int64(x.Size)
	}
	for i := range rows {
		for c, n := range categories[i] {
			if most := categories[i][rows[i].Category]; n > most || n == most && c < rows[i].Category {
				rows[i].Category = c
			}
		}
		for site, t := range callers[i] {
			rows[i].Callers = append(rows[i].Callers, Caller{site, t})
		}
		slices.SortFunc(rows[i].Callers, func(x, y Caller) int { return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), x.order(y.Site)) })
	}
	slices.SortFunc(rows, func(x, y Row) int { return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), x.order(y.Site)) })
	return rows
}

func (s Site) order(o Site) int {
	return cmp.Or(cmp.Compare(s.File, o.File), cmp.Compare(s.Line, o.Line), cmp.Compare(s.Function, o.Function))
}

// groups sums blocks by a name, the largest first.
func (b *book) groups(blocks []Block, name func(about) string) []Group {
	sums := map[string]Tally{}
	for _, x := range blocks {
		n := name(b.about(x.Stack))
		t := sums[n]
		t.add(int64(x.Size), 1)
		sums[n] = t
	}
	var groups []Group
	for n, t := range sums {
		groups = append(groups, Group{n, t})
	}
	slices.SortFunc(groups, func(x, y Group) int { return cmp.Or(cmp.Compare(y.Bytes, x.Bytes), cmp.Compare(x.Name, y.Name)) })
	return groups
}

// pools sums by pool and stream. The default ones are left out: they are what remains.
func pools(held []Segment, blocks []Block) []PoolUse {
	index := map[snapshot.Lane]int{}
	var uses []PoolUse
	i := 0
	for _, s := range held {
		for i < len(blocks) && blocks[i].Addr < s.Addr {
			i++
		}
		var t Tally
		for ; i < len(blocks) && blocks[i].Addr < s.end(); i++ {
			t.add(int64(blocks[i].Size), 1)
		}
		if s.Lane == (snapshot.Lane{}) {
			continue
		}
		n, ok := index[s.Lane]
		if !ok {
			n = len(uses)
			index[s.Lane] = n
			uses = append(uses, PoolUse{Lane: s.Lane})
		}
		uses[n].Reserved += int64(s.Size)
		uses[n].add(t.Bytes, t.Count)
	}
	slices.SortStableFunc(uses, func(x, y PoolUse) int { return cmp.Compare(y.Reserved, x.Reserved) })
	return uses
}

// survivors lists the oldest and the largest blocks.
func (b *book) survivors(d snapshot.Device, blocks []Block) (oldest, largest []Survivor) {
	list := func(order func(x, y Block) int) (l []Survivor) {
		sorted := slices.Clone(blocks)
		slices.SortStableFunc(sorted, order)
		for _, x := range sorted[:min(most, len(sorted))] {
			if x.Born >= 0 {
				x.Born -= d.From
			}
			l = append(l, Survivor{b.about(x.Stack).site, x})
		}
		return l
	}
	oldest = list(func(x, y Block) int { return cmp.Or(cmp.Compare(x.Born, y.Born), cmp.Compare(y.Size, x.Size)) })
	largest = list(func(x, y Block) int { return cmp.Compare(y.Size, x.Size) })
	return oldest, largest
}

package snapshot

import (
	"errors"
	"math"
	"slices"

	"github.com/torchleak/torchleak/internal/pickle"
)

// total adds sizes up. Their sum must not reach beyond 64 bits anywhere, also with what rounding adds to each.
type total uint64

const maxTotal = 1 << 62

// add says whether the sum is one that can be, and leaves a size out if not.
func (t *total) add(size uint64) bool {
	if size > maxTotal-uint64(*t) {
		return false
	}
	*t += total(size)
	return true
}

// sizes are the sums of what has a size.
type sizes struct{ entries, blocks, segments total }

// block appends a block. Old releases have a history in place of what newer ones say of the block itself.
func (b *builder) block(has uint64) (pickle.Value, error) {
	bl := Block{Stack: b.stack(has), More: b.extras()}
	bl.Addr, _ = b.number(has, keyAddress)
	var ok bool
	if bl.Size, ok = b.number(has, keySize); !ok || !b.sizes.blocks.add(bl.Size) {
		return plain, errors.New("a block without a size that can be")
	}
	switch b.text(has, keyState) {
	case textAllocated:
		bl.State = Allocated
	case textPending, textAwaiting:
		bl.State = Pending
	}
	if bl.State != Inactive {
		bl.Requested = bl.Size
		if n, ok := b.number(has, keyRequestedSize); ok && n <= bl.Size {
			bl.Requested = n
		}
		if v := b.fields[keyHistory]; has&bit(keyHistory) != 0 && v.Kind == kindHistory {
			h := b.histories[v.N]
			bl.Stack = h.stack
			bl.Requested = min(h.size, bl.Size)
		}
	}
	b.s.Blocks = append(b.s.Blocks, bl)
	return pickle.RunOf(kindBlock, len(b.s.Blocks)-1, len(b.s.Blocks)), nil
}

func (b *builder) history(has uint64) (pickle.Value, error) {
	size, _ := b.number(has, keyRealSize)
	b.histories = append(b.histories, tenant{size, b.stack(has)})
	if len(b.histories) > pickle.MaxShared {
		return plain, errors.New("too many entries of histories")
	}
	return pickle.Value{N: uint64(len(b.histories) - 1), Kind: kindHistory}, nil
}

// segment appends a segment and gives its blocks their addresses where the release did not.
func (b *builder) segment(has uint64) (pickle.Value, error) {
	s := Segment{Stack: b.stack(has), More: b.extras(), Pool: b.poolOf(has, keySegmentPool), Small: b.text(has, keySegmentType) == textSmall}
	device, ok := b.number(has, keyDevice)
	if has&bit(keyDevice) != 0 && !ok || device >= maxDevices {
		return plain, errors.New("a segment of no device that can be")
	}
	s.Device = int(device)
	s.Addr, _ = b.number(has, keyAddress)
	s.Stream, _ = b.number(has, keyStream)
	if s.Size, ok = b.number(has, keyTotalSize); !ok || !b.sizes.segments.add(s.Size) || s.Addr+s.Size < s.Addr {
		return plain, errors.New("a segment without a size that can be")
	}
	if v := b.fields[keyExpandable]; has&bit(keyExpandable) != 0 {
		s.Expandable = v.Kind == pickle.Bool && v.N == 1
	}
	switch v := b.fields[keyBlocks]; v.Kind {
	case kindBlocks:
		s.First, s.Last = v.Span()
	case pickle.List:
	default:
		return plain, errors.New("a segment whose blocks are no list of blocks")
	}
	at := s.Addr
	for i := s.First; i < s.Last; i++ {
		bl := &b.s.Blocks[i]
		if bl.Addr == 0 {
			bl.Addr = at
		}
		if at = bl.Addr + bl.Size; bl.Addr < s.Addr || bl.Addr > at || at > s.Addr+s.Size {
			b.outside++
		}
	}
	b.s.Segments = append(b.s.Segments, s)
	return pickle.RunOf(kindSegment, len(b.s.Segments)-1, len(b.s.Segments)), nil
}

func (b *builder) annotation(has uint64) pickle.Value {
	a := Annotation{More: b.extras(), End: b.s.text(b.text(has, keyStage)) == "END", Name: b.s.text(b.text(has, keyName))}
	device, _ := b.number(has, keyDevice)
	a.Device = int(min(device, 1<<16))
	if n, ok := b.number(has, keyTime); ok && n <= math.MaxInt64/2 {
		a.Time = int64(n)
	}
	b.s.Annotations = append(b.s.Annotations, a)
	return plain
}

// whole takes the parts together. What is not what it is called is left out, and said.
func (b *builder) whole(has uint64) {
	b.top = true
	b.listed = b.listed || has&bit(keySegments) != 0
	for _, key := range [...]int{keySegments, keyTraces} {
		if has&bit(key) == 0 {
			continue
		}
		switch v := b.fields[key]; {
		case v.Kind == kindSegments && key == keySegments:
			b.segments[0], b.segments[1] = v.Span()
		case v.Kind == kindTraces && key == keyTraces:
			b.recorded = slices.Clone(b.traces)
		case v.Kind == pickle.List, v.Kind == kindEmpty && key == keyTraces:
		case !slices.Contains(b.odd, names[key]):
			b.odd = append(b.odd, names[key])
		}
	}
	b.s.more = append(b.s.more, b.extras())
}

func (b *builder) settings(has uint64) pickle.Value {
	s := &b.s.Settings
	s.Known, s.MaxSplit, s.More = true, -1, b.extras()
	s.Conf = b.s.text(b.text(has, keyConf))
	if v := b.fields[keyMaxSplit]; has&bit(keyMaxSplit) != 0 && (v.Kind == pickle.Int || v.Kind == pickle.Negative) {
		s.MaxSplit = int64(v.N)
	}
	if v := b.fields[keyGCThreshold]; has&bit(keyGCThreshold) != 0 && v.Kind == pickle.Float {
		s.GCThreshold = math.Float64frombits(v.N)
	}
	if v := b.fields[keyExpandableSetting]; has&bit(keyExpandableSetting) != 0 {
		s.Expandable = v.Kind == pickle.Bool && v.N == 1
	}
	return pickle.Value{Kind: kindSettings}
}

// roundup takes the table of roundup divisions: a dictionary whose keys are powers of two.
func (b *builder) roundup(items []pickle.Value) pickle.Value {
	if len(items) != 32 {
		return plain
	}
	table := map[string]int64{}
	for i := 0; i < len(items); i += 2 {
		k, v := items[i], items[i+1]
		if k.Kind != pickle.Text || v.Kind != pickle.Int {
			return plain
		}
		table[b.s.text(uint32(k.N))] = int64(v.N)
	}
	if _, ok := table["32768"]; ok {
		b.s.Settings.RoundupPow2Division = table
	}
	return plain
}

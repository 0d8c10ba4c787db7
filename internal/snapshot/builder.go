package snapshot

import (
	"errors"

	"github.com/torchleak/torchleak/internal/pickle"
)

// What containers of a snapshot become.
const (
	kindFrame   = pickle.Own + iota // N is its number in Stacks
	kindStack                       // N is its number in Stacks
	kindPool                        // N is its number in builder.pools
	kindHistory                     // N is the newest of its entries in builder.histories
	kindRoundup                     // its table is in Settings
	kindEmpty                       // list of N empty lists: of no device's entries, or of anything else
)
const (
	kindTrace    = pickle.Once + iota // list of entries, N is their span
	kindBlocks                        // list of blocks, N is their span
	kindTop                           // the whole
	kindSettings                      //
)
const (
	kindEntry = pickle.Run + iota
	kindBlock
	kindSegment
	kindTraces   // lists of entries that belong to devices, by number
	kindSegments // list of segments, N is their span
)

// tenant is an entry of a block's history in snapshots of old releases.
type tenant struct {
	size  uint64
	stack uint32
}

// builder makes the parts of a snapshot out of containers. What a dictionary is shows by its keys.
type builder struct {
	s         *Snapshot
	fields    [keyCount]pickle.Value // of the dictionary at hand
	pools     []Pool
	poolIDs   map[Pool]uint32
	histories []tenant
	traces    [][2]int // spans of entries, by device, of the list that came last
	top       bool
	listed    bool           // the whole says which segments there are
	recorded  [][2]int       // those of the whole
	segments  [2]int         // span of the whole's segments
	odd       []string       // parts of the whole that are not what they are called
	other     map[string]int // unknown actions
	negative  int            // entries left out for numbers that cannot be
	outside   int            // blocks that reach out of their segment
	sizes     sizes
	extra     []extra         // unknown keys of the dictionary at hand
	left      map[uint32]bool // unknown keys that are not kept

	appender appender
	entries  int    // how many it was given
	layout   layout // of dictionaries of the form that came last
	single   layout // of one that is of no form

	lastStream uint64 // of the entry before
	lastPool   uint64 // in pools, or noPool
	lastLane   uint16
}

var plain = pickle.Value{Kind: pickle.Plain}

// Dict tells what a dictionary is by its keys.
func (b *builder) Dict(to pickle.Value, items []pickle.Value) (pickle.Value, error) {
	if to.Kind == pickle.Dict && isEntry(items) {
		return b.anyEntry(items)
	}
	var has uint64
	b.extra = b.extra[:0]
	for i := 0; i+1 < len(items); i += 2 {
		switch k := items[i]; {
		case k.Kind != pickle.Text:
		case k.N < keyCount:
			b.fields[k.N] = items[i+1]
			has |= bit(int(k.N))
		default:
			b.more(k.N, items[i+1])
		}
	}
	switch {
	case to.Kind >= pickle.Own && to.Kind != kindTop:
		return plain, errors.New("keys for something that is complete")
	case has&bit(keyAction) != 0:
		return b.anyEntry(items)
	case has&bit(keyFile) != 0:
		return b.frame(has), nil
	case has&bit(keyState) != 0:
		return b.block(has)
	case has&bit(keyBlocks) != 0:
		return b.segment(has)
	case has&bit(keyRealSize) != 0:
		return b.history(has)
	case has&bit(keyStage) != 0:
		return b.annotation(has), nil
	case has&(bit(keySegments)|bit(keyTraces)) != 0 || to.Kind == kindTop:
		b.whole(has)
		return pickle.Value{Kind: kindTop}, nil
	case has&bit(keyConf) != 0:
		return b.settings(has), nil
	}
	return b.roundup(items), nil
}

// number returns a field that counts something, 0 and false where it is missing or below zero.
func (b *builder) number(has uint64, key int) (uint64, bool) {
	v := &b.fields[key]
	if has&bit(key) == 0 || v.Kind != pickle.Int {
		return 0, false
	}
	return v.N, true
}

func (b *builder) text(has uint64, key int) uint32 {
	if v := &b.fields[key]; has&bit(key) != 0 && v.Kind == pickle.Text {
		return uint32(v.N)
	}
	return absent
}

// stack returns the stack in the field of frames.
func (b *builder) stack(has uint64) uint32 {
	if has&bit(keyFrames) == 0 {
		return 0
	}
	return stackOf(&b.fields[keyFrames])
}

// stackOf returns the stack that a value of frames is.
func stackOf(v *pickle.Value) uint32 {
	switch v.Kind {
	case kindStack:
		return uint32(v.N)
	case pickle.List, pickle.Tuple:
		return NoFrames
	}
	return 0
}

// Tuple makes a pool of a pair, and a stack of frames.
func (b *builder) Tuple(items []pickle.Value) (pickle.Value, error) {
	if len(items) == 2 && items[0].Kind == pickle.Int && items[1].Kind == pickle.Int {
		return b.pool(Pool{items[0].N, items[1].N}), nil
	}
	if len(items) > 0 && items[0].Kind == kindFrame {
		return b.List(pickle.Value{Kind: pickle.List}, items)
	}
	return plain, nil
}

func (b *builder) pool(p Pool) pickle.Value {
	id, ok := b.poolIDs[p]
	if !ok {
		id = uint32(len(b.pools))
		b.pools = append(b.pools, p)
		b.poolIDs[p] = id
	}
	return pickle.Value{N: uint64(id), Kind: kindPool}
}

// poolOf returns the pool in a field, the default one where there is none.
func (b *builder) poolOf(has uint64, key int) Pool {
	if v := &b.fields[key]; has&bit(key) != 0 && v.Kind == kindPool {
		return b.pools[v.N]
	}
	return Pool{}
}

func (b *builder) frame(has uint64) pickle.Value {
	f := frame{file: b.text(has, keyFile), function: b.text(has, keyName)}
	if f.file == absent {
		return plain
	}
	f.more = b.extras()
	if f.function == absent {
		f.function = b.s.Stacks.texts.Intern(nil)
	}
	if n, ok := b.number(has, keyLine); ok {
		f.line = int32(min(n, 1<<31-1))
	}
	return pickle.Value{N: uint64(b.s.Stacks.frame(f)), Kind: kindFrame}
}

// List tells what a list is by what is in it.
func (b *builder) List(to pickle.Value, items []pickle.Value) (pickle.Value, error) {
	switch kind := first(items); {
	case kind == kindFrame:
		return b.frames(to, items)
	case kind == kindEntry:
		return b.spans(to, kindTrace, items)
	case kind == kindBlock:
		return b.spans(to, kindBlocks, items)
	case kind == kindHistory && to.Kind == pickle.List:
		return items[0], nil // the newest comes first
	case kind == kindTrace, kind == pickle.List && to.Kind == kindTraces:
		return b.devices(to, items)
	case kind == kindSegment:
		return b.spans(to, kindSegments, items)
	case kind == pickle.List && (to.Kind == pickle.List || to.Kind == kindEmpty):
		return pickle.Value{Kind: kindEmpty, N: to.N + uint64(len(items))}, nil
	case to.Kind == kindTop || to.Kind == kindSettings:
		return plain, errors.New("items for something that is no list")
	case to.Kind == pickle.List || to.Kind == pickle.Plain || to.Kind == kindEmpty:
		return plain, nil
	}
	return to, nil
}

// first returns the kind of the first item that is more than an empty list.
func first(items []pickle.Value) pickle.Kind {
	for i := range items {
		if items[i].Kind != pickle.List {
			return items[i].Kind
		}
	}
	return pickle.List
}

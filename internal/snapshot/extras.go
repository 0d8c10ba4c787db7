package snapshot

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/torchleak/torchleak/internal/pickle"
)

// Later releases say more of things than is known here. What is a text, a number or a truth value is kept, so that a
// snapshot that is written anew still says it; lists and dictionaries are left out.

// extra is a key that is not known, with its value.
type extra struct {
	key   uint32
	value pickle.Value
}

// maxExtras is how many different sets of them are kept.
const maxExtras = 1 << 18

// extras holds sets of unknown keys, each once; the first is empty.
type extras struct {
	sets    [][]extra
	numbers map[string]uint32
	name    []byte
}

func newExtras() extras { return extras{sets: [][]extra{nil}, numbers: map[string]uint32{"": 0}} }

// number returns the number of a set, and false where there are too many.
func (x *extras) number(set []extra) (uint32, bool) {
	if len(set) == 0 {
		return 0, true
	}
	x.name = x.name[:0]
	for _, e := range set {
		x.name = binary.LittleEndian.AppendUint32(x.name, e.key)
		x.name = append(x.name, byte(e.value.Kind))
		x.name = binary.LittleEndian.AppendUint64(x.name, e.value.N)
	}
	n, ok := x.numbers[string(x.name)]
	if !ok && len(x.sets) < maxExtras {
		n, ok = uint32(len(x.sets)), true
		x.sets = append(x.sets, slices.Clone(set))
		x.numbers[string(x.name)] = n
	}
	return n, ok
}

// ForgetTexts leaves out the unknown keys whose value is a text: it may name files.
func (s *Snapshot) ForgetTexts() {
	for i, set := range s.extras.sets {
		s.extras.sets[i] = slices.DeleteFunc(set, func(e extra) bool { return e.value.Kind == pickle.Text })
	}
}

// more takes notice of a key that is not known, of the dictionary at hand.
func (b *builder) more(key uint64, v pickle.Value) {
	b.extra = append(b.extra, extra{uint32(key), pickle.Value{Kind: v.Kind, N: v.N}})
}

// extras numbers the unknown keys of the dictionary at hand.
func (b *builder) extras() uint32 {
	if len(b.extra) == 0 {
		return 0
	}
	kept := slices.DeleteFunc(b.extra, func(e extra) bool {
		lost := e.value.Kind == pickle.Bytes || e.value.Kind > pickle.Text
		if lost {
			b.left[e.key] = true
		}
		return lost
	})
	n, ok := b.s.extras.number(kept)
	for _, e := range kept {
		if !ok {
			b.left[e.key] = true
		}
	}
	b.extra = b.extra[:0]
	return n
}

// leftOut names the unknown keys that were not kept.
func (b *builder) leftOut() (names []string) {
	for key := range b.left {
		names = append(names, b.s.text(key))
	}
	slices.Sort(names)
	return names
}

// extras writes a set of unknown keys.
func (w *writer) extras(set uint32) {
	for _, e := range w.s.extras.sets[set] {
		w.Text(w.s.text(e.key))
		switch v := e.value; v.Kind {
		case pickle.None:
			w.None()
		case pickle.Bool:
			w.Bool(v.N == 1)
		case pickle.Int:
			w.Int(v.N)
		case pickle.Negative:
			w.Negative(int64(v.N))
		case pickle.Float:
			w.Float(math.Float64frombits(v.N))
		case pickle.Text:
			w.Text(w.s.text(uint32(v.N)))
		}
	}
}

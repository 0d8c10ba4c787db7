package snapshot

import (
	"errors"

	"github.com/torchleak/torchleak/internal/pickle"
)

// frames makes a stack, or makes one longer.
func (b *builder) frames(to pickle.Value, items []pickle.Value) (pickle.Value, error) {
	for i := range items {
		if items[i].Kind != kindFrame {
			return plain, errors.New("a stack with something in it that is no frame")
		}
	}
	if to.Kind == kindStack {
		items = append(b.s.Stacks.values(nil, uint32(to.N)), items...)
	}
	return pickle.Value{N: uint64(b.s.Stacks.stack(items)), Kind: kindStack}, nil
}

// spans makes a list of what was numbered as it came, so that a list is a span of numbers.
func (b *builder) spans(to pickle.Value, kind pickle.Kind, items []pickle.Value) (pickle.Value, error) {
	if len(items) != 1 {
		return plain, errors.New("a list in which different things are mixed")
	}
	from, end := items[0].Span()
	if to.Kind == kind {
		before, middle := to.Span()
		if middle != from {
			return plain, errors.New("a list that is made up out of turn")
		}
		from = before
	}
	v := pickle.RunOf(kind, from, end)
	return v, nil
}

// devices makes the list of all devices' traces.
func (b *builder) devices(to pickle.Value, items []pickle.Value) pickle.Value {
	if to.Kind != kindTraces {
		b.traces = b.traces[:0]
	}
	for _, v := range items {
		var span [2]int
		if v.Kind == kindTrace {
			span[0], span[1] = v.Span()
		}
		b.traces = append(b.traces, span)
	}
	return pickle.RunOf(kindTraces, 0, len(b.traces))
}

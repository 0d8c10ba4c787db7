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

// maxDevices is how many devices are believed.
const maxDevices = 1 << 16

// devices makes the list of all devices' traces, or makes it longer.
func (b *builder) devices(to pickle.Value, items []pickle.Value) (pickle.Value, error) {
	switch to.Kind {
	case kindTraces:
	case kindEmpty:
		if to.N > maxDevices {
			return plain, errors.New("traces of more than 65,536 devices")
		}
		b.traces = make([][2]int, to.N)
	default:
		b.traces = b.traces[:0]
	}
	for _, v := range items {
		var span [2]int
		switch v.Kind {
		case kindTrace:
			span[0], span[1] = v.Span()
		case pickle.List:
		default:
			return plain, errors.New("a list in which different things are mixed")
		}
		b.traces = append(b.traces, span)
	}
	if len(b.traces) > maxDevices {
		return plain, errors.New("traces of more than 65,536 devices")
	}
	return pickle.RunOf(kindTraces, 0, len(b.traces)), nil
}

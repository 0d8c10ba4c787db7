package snapshot

import "github.com/torchleak/torchleak/internal/pickle"

// Frame is one call of a stack.
type Frame struct {
	File, Function string
	Line           int
}

type frame struct {
	file, function uint32
	line           int32
	more           uint32 // set of unknown keys
}

// Stacks are the stacks of a snapshot, each once.
type Stacks struct {
	texts   *pickle.Strings
	frames  []frame
	numbers map[frame]uint32

	calls []uint32 // of all stacks, innermost first
	ends  []uint32 // where in calls a stack ends
	slots []uint32 // one more than a stack, by hash; at most half full
}

// NoFrames is the stack that was recorded without a frame; stack 0 stands for none recorded.
const NoFrames = 1

func newStacks(texts *pickle.Strings) Stacks {
	return Stacks{texts: texts, numbers: map[frame]uint32{}, ends: []uint32{0, 0}, slots: make([]uint32, 1<<8)}
}

// Len returns one more than the greatest number of a stack.
func (s *Stacks) Len() int { return len(s.ends) }

func (s *Stacks) of(stack uint32) []uint32 {
	if stack == 0 {
		return nil
	}
	return s.calls[s.ends[stack-1]:s.ends[stack]]
}

// Frames returns the frames of a stack, innermost first.
func (s *Stacks) Frames(stack uint32) []Frame {
	calls := s.of(stack)
	frames := make([]Frame, len(calls))
	for i, c := range calls {
		f := s.frames[c]
		frames[i] = Frame{s.texts.Text(f.file), s.texts.Text(f.function), int(f.line)}
	}
	return frames
}

// frame returns the number of a frame.
func (s *Stacks) frame(f frame) uint32 {
	n, ok := s.numbers[f]
	if !ok {
		n = uint32(len(s.frames))
		s.frames = append(s.frames, f)
		s.numbers[f] = n
	}
	return n
}

func hash(frames []pickle.Value) uint64 {
	h := uint64(0)
	for i := range frames {
		h = (h ^ frames[i].N) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// stack returns the number of the stack made of values that are frames.
func (s *Stacks) stack(frames []pickle.Value) uint32 {
	if len(frames) == 0 {
		return NoFrames
	}
	mask := len(s.slots) - 1
	i := int(hash(frames)) & mask
	for ; s.slots[i] != 0; i = (i + 1) & mask {
		if n := s.slots[i] - 1; s.same(n, frames) {
			return n
		}
	}
	n := uint32(len(s.ends))
	for _, f := range frames {
		s.calls = append(s.calls, uint32(f.N))
	}
	s.ends = append(s.ends, uint32(len(s.calls)))
	s.slots[i] = n + 1
	if 2*len(s.ends) > len(s.slots) {
		s.grow()
	}
	return n
}

func (s *Stacks) same(stack uint32, frames []pickle.Value) bool {
	calls := s.of(stack)
	if len(calls) != len(frames) {
		return false
	}
	for i, c := range calls {
		if uint64(c) != frames[i].N {
			return false
		}
	}
	return true
}

func (s *Stacks) grow() {
	s.slots = make([]uint32, 2*len(s.slots))
	var values []pickle.Value
	for n := uint32(2); int(n) < len(s.ends); n++ {
		values = s.values(values[:0], n)
		i := int(hash(values)) & (len(s.slots) - 1)
		for s.slots[i] != 0 {
			i = (i + 1) & (len(s.slots) - 1)
		}
		s.slots[i] = n + 1
	}
}

// values appends the frames of a stack to values.
func (s *Stacks) values(values []pickle.Value, stack uint32) []pickle.Value {
	for _, c := range s.of(stack) {
		values = append(values, pickle.Value{N: uint64(c), Kind: kindFrame})
	}
	return values
}

package profile

import "testing"

// sketch is a course of memory drawn by hand: calls of two steps, and which block each makes or frees.
type sketch struct {
	process Process
	memory  Memory
}

func (s *sketch) make(op int, bytes int64, c Category, last int, unused bool) int {
	return s.memory.make(op, Block{Bytes: bytes, Op: op, Category: c, Last: last, Unused: unused})
}

// Two steps of a forward, a metric and a backward. The metric's probabilities (20) are held into the next step, where they
// meet the next ones: forward's result (100) and the probabilities are there twice for a moment.
func TestRemovable(t *testing.T) {
	s := &sketch{process: Process{StepEnds: []int{3, 6}, Calls: []Call{
		{Operator: "forward"}, {Operator: "metric"}, {Operator: "backward", Backward: true},
		{Operator: "forward"}, {Operator: "metric"}, {Operator: "backward", Backward: true},
	}}}
	first := s.make(0, 100, Activation, 2, false)
	kept := s.make(1, 20, Activation, -1, true)
	s.memory.free(s.make(2, 10, Temporary, -1, false), 2)
	s.memory.free(first, 2)
	second := s.make(3, 100, Activation, 5, false)
	s.make(4, 20, Activation, -1, true)
	s.memory.free(kept, 4)
	s.memory.free(s.make(5, 10, Temporary, -1, false), 5)
	s.memory.free(second, 5)
	s.memory.measure(s.process.StepEnds)
	// In the second step: 20 old, 100, 20 new; then 100, 20 new and 10.
	if s.memory.Peak != 140 || s.memory.Steps[0] != 130 || s.memory.Steps[1] != 140 {
		t.Fatalf("peak %d, steps %v", s.memory.Peak, s.memory.Steps)
	}
	found := s.process.Removables(&s.memory)
	// Freed at its step's end the old one would save 10: then backward is the highest moment. Not made at all it saves 30.
	if len(found) != 1 || found[0].Operator != "metric" || found[0].Why != Unused || found[0].Saves != 30 || found[0].Bytes != 40 {
		t.Errorf("found %+v", found)
	}
	// What backward uses can only go at the step's end.
	for i := range s.memory.Blocks {
		s.memory.Blocks[i].Unused = false
	}
	found = s.process.Removables(&s.memory)
	if len(found) != 1 || found[0].Why != Kept || found[0].Saves != 10 || found[0].Bytes != 20 {
		t.Errorf("found %+v", found)
	}
	// And not where the next step uses it, as a recurrent network its state.
	s.memory.Blocks[kept].Last = 3
	if found = s.process.Removables(&s.memory); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}

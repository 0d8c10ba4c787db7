package simulate

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// manyStreams is a trace of two requests on each of so many streams, in any order, at places that no allocator would have
// chosen, so that the model is set right again and again. A third of the streams only ask for frees, the others give all back.
func manyStreams(streams int) *Trace {
	const segment = 20 * mib
	r := rand.New(rand.NewPCG(1, 2))
	t := &Trace{Settings: Default()}
	event := func(kind snapshot.Kind, stream int, offset, size uint64) {
		t.Events = append(t.Events, Event{Kind: kind, Addr: uint64(stream+1)<<26 + offset, Size: size, Stream: uint64(stream)})
	}
	for _, stream := range r.Perm(streams) {
		event(snapshot.SegmentAlloc, stream, 0, segment)
		event(snapshot.Alloc, stream, 0, 3*mib)
		event(snapshot.Alloc, stream, 8*mib, 5*mib)
	}
	for _, stream := range r.Perm(streams) {
		event(snapshot.FreeRequested, stream, 0, 3*mib)
		event(snapshot.FreeRequested, stream, 8*mib, 5*mib)
	}
	for _, stream := range r.Perm(streams) {
		if stream%3 == 0 {
			continue
		}
		event(snapshot.FreeCompleted, stream, 0, 3*mib)
		event(snapshot.FreeCompleted, stream, 8*mib, 5*mib)
		event(snapshot.SegmentFree, stream, 0, segment)
	}
	return t
}

// TestManyStreams simulates four times the streams in about four times the processor time: what a step costs does not grow
// with the streams that it does not touch.
func TestManyStreams(t *testing.T) {
	took := func(streams int) time.Duration {
		trace := manyStreams(streams)
		start := processorTime()
		if _, err := Simulate(trace, Options{}); err != nil {
			t.Fatal(err)
		}
		return processorTime() - start
	}
	if few, many := took(3000), took(12_000); many > 9*few {
		t.Errorf("3,000 streams take %v, 12,000 take %v", few, many)
	}
}

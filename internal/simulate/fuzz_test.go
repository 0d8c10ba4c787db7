package simulate

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/torchleak/torchleak/internal/snapshot"
)

var fuzzConfs = []string{"", "expandable_segments:True", "max_split_size_mb:32", "roundup_power2_divisions:4",
	"garbage_collection_threshold:0.5", "expandable_segments:True,max_split_size_mb:64", "large_segment_size_mb:40",
	"throw_on_cudamalloc_oom:True,per_process_memory_fraction:0.5"}

// FuzzAllocator lets bytes ask for memory and give it back, and looks at all invariants after each.
func FuzzAllocator(f *testing.F) {
	for i := range fuzzConfs {
		f.Add(uint8(i), uint8(0), []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
		f.Add(uint8(i), uint8(9), []byte("zzzzzyyyyy\x00\x01\x02\x03zyzyzy\xff\xfe\xfdzzzz"))
	}
	f.Fuzz(func(t *testing.T, conf, capacity uint8, ops []byte) {
		c := &card{capacity: uint64(capacity) * 16 * mib, place: ascending()}
		a := newAllocator(mustParse(t, fuzzConfs[int(conf)%len(fuzzConfs)]), c, c.capacity/2)
		var live []*block
		for i := 0; i+1 < len(ops) && i < 400; i += 2 {
			kind, n := ops[i]%8, int(ops[i+1])
			switch {
			case kind < 4:
				l := lane{stream: uint64(kind % 2), pool: snapshot.Pool{0, uint64(kind / 3)}}
				size := uint64(n*n*n) << (kind * 2)
				if b := a.malloc(a.open(l), size, false); b != nil {
					if b.size < size {
						t.Fatalf("%d is served by %d", size, b.size)
					}
					live = append(live, b)
				}
			case kind < 6 && len(live) > 0:
				j := n % len(live)
				a.give(live[j])
				live = append(live[:j], live[j+1:]...)
			case kind == 6 && len(live) > 0:
				j := n % len(live)
				a.request(live[j])
				live = append(live[:j], live[j+1:]...)
			case n == 0:
				a.releaseAll()
			case a.pending.first != nil:
				waiting := a.pending.all()
				a.complete(waiting[n%len(waiting)])
			}
			check(t, a)
			if c.held != a.Reserved || c.capacity > 0 && a.Reserved > c.capacity {
				t.Fatalf("reserved %d, the device says %d of %d", a.Reserved, c.held, c.capacity)
			}
		}
	})
}

// FuzzTrace simulates traces that nobody recorded: nothing may break, however little sense they make.
func FuzzTrace(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 0, 1, 2, 3, 1, 1, 2, 3, 2, 1, 2, 3, 3, 1, 4, 3})
	f.Add([]byte("\x03\x10\xff\x00\x00\x10\x30\x00\x01\x10\x30\x00\x04\x10\xff\x00\x05\x20\xff\x01\x00\x20\x20\x01\x07\x01\x80\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		trace := traceOf(t, data)
		r, err := Simulate(trace, Options{Capacity: uint64(len(data)%4) * 100 * mib, Confs: fuzzConfs[:5]})
		if errors.Is(err, ErrNoTrace) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Replay.Exact > r.Replay.Events || r.Replay.Events > len(trace.Events) {
			t.Fatalf("%d of %d entries foretold of %d", r.Replay.Exact, r.Replay.Events, len(trace.Events))
		}
		for _, c := range r.Configs {
			if c.Interval[0] > c.PeakReserved || c.PeakReserved > c.Interval[1] || c.PeakAllocated > c.PeakReserved {
				t.Fatalf("%+v", c)
			}
		}
	})
}

// traceOf makes entries of groups of four bytes.
func traceOf(t *testing.T, data []byte) *Trace {
	trace := &Trace{Settings: mustParse(t, fuzzConfs[len(data)%len(fuzzConfs)])}
	for ; len(data) >= 4 && len(trace.Events) < 500; data = data[4:] {
		e := Event{Kind: snapshot.Kind(data[0] % 8), Addr: uint64(data[1]) * 5 * mib, Size: uint64(data[2]) * uint64(data[2]) * 512, Stream: uint64(data[3] % 3)}
		if data[3] > 250 && len(data) >= 12 {
			e.Size = binary.LittleEndian.Uint64(data[4:])
		}
		if data[3]&0x40 != 0 && len(trace.Segments) < 20 {
			trace.Segments = append(trace.Segments, Segment{Addr: e.Addr, Size: e.Size, Stream: e.Stream, Expandable: data[3]&0x80 != 0, Small: data[3]&4 != 0,
				Blocks: []Block{{Addr: e.Addr, Size: e.Size, Live: data[3]&8 != 0, Pending: data[3]&16 != 0}}})
			continue
		}
		trace.Events = append(trace.Events, e)
	}
	return trace
}

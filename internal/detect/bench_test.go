package detect

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/torchleak/torchleak/internal/memory"
)

// workloads are the series that cost a detector least and most.
var workloads = []struct {
	name  string
	value func(i int, rng *rand.Rand) int64
}{
	{"flat", func(int, *rand.Rand) int64 { return 1 << 30 }},
	{"noise", func(_ int, rng *rand.Rand) int64 { return 1<<30 + rng.Int64N(1<<20) }},
	{"leak", func(i int, _ *rand.Rand) int64 { return 1<<30 + int64(i)*512 }},
	{"noisy leak", func(i int, rng *rand.Rand) int64 { return 1<<30 + int64(i)*4096 + rng.Int64N(1<<20) }},
	{"periodic leak", func(i int, _ *rand.Rand) int64 { return 1<<30 + int64(i/50)<<20 }},
	{"saw-tooth", func(i int, _ *rand.Rand) int64 { return 1<<30 + int64(i%30)<<20 }},
}

func BenchmarkObserve(b *testing.B) {
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			d, rng := New("cuda:0", Options{Kind: "device"}), rand.New(rand.NewPCG(1, 2))
			b.ReportAllocs()
			for i := range b.N {
				d.Observe(load(i, w.value(i, rng)))
			}
		})
	}
}

func BenchmarkMemory(b *testing.B) {
	d := New("cuda:0", Options{Kind: "device"})
	for i := range 10000 {
		d.Observe(load(i, 1<<30+int64(i)*512))
	}
	for b.Loop() {
		d.Memory()
	}
}

// load is a sample in which everything of a device was read.
func load(i int, allocated int64) memory.Sample {
	s := memory.Sample{Step: int64(i + 1), Nanos: int64(i+1) * 1e7}
	s.V[memory.DeviceAllocated], s.V[memory.DeviceReserved] = allocated, 4<<30
	s.V[memory.DeviceDriverUsed], s.V[memory.DeviceDriverTotal] = 6<<30, 140<<30
	return s
}

// A million steps of any workload keep less than 2 MiB alive, and what is reported of them stays small.
func TestBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a million steps take some seconds")
	}
	for _, w := range workloads {
		rng := rand.New(rand.NewPCG(1, 2))
		before := inUse()
		d := New("cuda:0", Options{Kind: "device"})
		for i := range 1_000_000 {
			d.Observe(load(i, w.value(i, rng)))
			if _, ok := d.Suspicion(); ok && i%100 == 0 {
				d.Confirm(Confirmation{Step: int64(i), Survivors: i%200 == 0})
			}
		}
		kept := inUse() - before
		m := d.Memory()
		t.Logf("%-14s %7d bytes kept, %s, %d points", w.name, kept, m.Verdict, len(m.Steps))
		if kept > 2<<20 || len(m.Steps) > 600 || len(m.Series["allocated"]) != len(m.Steps) {
			t.Errorf("%s: %d bytes kept, %d points", w.name, kept, len(m.Steps))
		}
		runtime.KeepAlive(d)
	}
}

func inUse() int64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

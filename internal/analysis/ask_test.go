package analysis

import (
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

// TestAskWaitsInALargeProcess feeds a memory that grows evenly from the first step on. A heap is asked about at once where
// the look is cheap, and after the usual warm-up where it is dear; a device's memory is exact, and never waited for.
func TestAskWaitsInALargeProcess(t *testing.T) {
	for _, c := range []struct {
		name, memory string
		blocks       int64
		from, to     int64 // steps of the first request
	}{
		{"small", "host", 400_000, 4, 8},
		{"large", "host", 2_000_000, settledSteps, settledSteps},
		{"large, on a device", "cuda:0", 2_000_000, 4, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := New(recording.Hello{}, Options{})
			for step := int64(1); step <= 40; step++ {
				host, grows := blank("host", step), int64(64<<20)+step<<16
				host.V[memory.HostPythonBlocks] = c.blocks
				if c.memory == "host" {
					host.V[memory.HostUsed] = grows
				} else {
					device := blank(c.memory, step)
					device.V[memory.DeviceAllocated] = grows
					p.Observe(device)
				}
				p.Observe(host)
				if a, ok := p.Ask(); ok {
					if a.Memory != c.memory || step < c.from || step > c.to {
						t.Errorf("asked about %s at step %d, want %d to %d", a.Memory, step, c.from, c.to)
					}
					return
				}
			}
			t.Error("never asked")
		})
	}
}

// TestAskAgainLater spends all that requests may cost and lets the heap go on growing. A short run does not ask any more;
// one of hours has earned another look.
func TestAskAgainLater(t *testing.T) {
	for _, c := range []struct {
		nanosPerStep int64
		asks         bool
	}{{1e7, false}, {1e10, true}} { // 200 steps: two seconds, and 33 minutes, a two thousandth of which is a second
		p := New(recording.Hello{}, Options{})
		again := false
		for step := int64(1); step <= 200; step++ {
			s := blank("host", step)
			s.Nanos, s.V[memory.HostUsed] = step*c.nanosPerStep, int64(64<<20)+step<<16
			p.Observe(s)
			if step == 20 {
				p.Evidence(&evidence.Evidence{Request: 1, Complete: true, Cost: evidence.Cost{StoppedSeconds: 1}, Censuses: []evidence.Census{{Step: 10}, {Step: 12}, {Step: 14}}})
			}
			if step > 20 {
				_, ok := p.Ask()
				again = again || ok
			}
		}
		if again != c.asks {
			t.Errorf("%d ns a step: asked again %v, want %v", c.nanosPerStep, again, c.asks)
		}
	}
}

// TestAskAgainAfterProof proves a leak at step 50, which would let the next look wait until step 200. Where all is given back at
// step 60 and grows anew, that is worth a look once it is above what was given back; where the leak goes on there is nothing to ask.
func TestAskAgainAfterProof(t *testing.T) {
	for _, c := range []struct {
		name string
		back int64 // step at which all is given back, 0 for never
	}{{"goes on", 0}, {"given back", 60}} {
		t.Run(c.name, func(t *testing.T) {
			p := New(recording.Hello{}, Options{})
			asked := int64(0)
			for step := int64(1); step < 200; step++ {
				s := blank("cuda:0", step)
				s.V[memory.DeviceAllocated] = 64<<20 + (step-c.back*min(1, step/max(c.back, 1)))<<20
				p.Observe(s)
				if step == 50 {
					p.Evidence(&evidence.Evidence{
						Request: 1, Complete: true, Memory: "cuda:0", Censuses: []evidence.Census{{Step: 46}, {Step: 48}, {Step: 50}},
						Groups:  []evidence.Group{{Device: "cuda:0", DType: "float32", Count: []int64{46, 48, 50}, Bytes: []int64{46 << 20, 48 << 20, 50 << 20}, StorageBytes: 1 << 20, Holders: []int{0}}},
						Holders: []evidence.Holder{{Kind: "container", Path: "kept", Type: "list", Length: []int64{46, 48, 50}}},
					})
					p.Answered(true)
					if v := p.detectors["cuda:0"].Verdict(); v != "leak" {
						t.Fatalf("%s at step 50", v)
					}
				}
				if _, ok := p.Ask(); ok && step > 50 && asked == 0 {
					asked = step
				}
			}
			if c.back == 0 && asked != 0 || c.back > 0 && (asked < 2*c.back || asked > 2*c.back+40) {
				t.Errorf("asked again at step %d", asked)
			}
		})
	}
}

// TestAskAgainByWhatItCosts has paid half a second for an answer: a large process is asked again when a hundred seconds are over.
func TestAskAgainByWhatItCosts(t *testing.T) {
	p := New(recording.Hello{}, Options{})
	p.asks.stopped = map[uint32]float64{1: 0.5}
	for step := int64(1); step <= 200; step++ {
		s := blank("host", step)
		s.Nanos = step * 1e9
		s.V[memory.HostPythonBlocks], s.V[memory.HostUsed] = 2_000_000, 64<<20+step<<16
		p.Observe(s)
		if _, ok := p.Ask(); ok {
			if step != 101 {
				t.Errorf("asked at step %d, want 101", step)
			}
			return
		}
	}
	t.Error("never asked")
}

func blank(name string, step int64) memory.Sample {
	s := memory.Sample{Step: step, Nanos: step * 1e6, Memory: name}
	for i := range s.V {
		s.V[i] = memory.Absent
	}
	return s
}

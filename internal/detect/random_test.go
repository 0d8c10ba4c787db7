package detect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
)

// shape draws a series of steps values that does not leak.
type shape struct {
	name string
	draw func(rng *rand.Rand, steps int) []int64
}

const base = 500 << 20

// size draws an amount between 1 KiB and 32 MiB, evenly over the orders of magnitude.
func size(rng *rand.Rand) float64 { return math.Exp2(10 + 15*rng.Float64()) }

// healthyShapes are what memory does that does not leak.
var healthyShapes = []shape{
	{"independent noise", func(rng *rand.Rand, steps int) []int64 { return autoregressive(rng, steps, 0) }},
	{"wandering noise", func(rng *rand.Rand, steps int) []int64 { return autoregressive(rng, steps, 0.3+0.65*rng.Float64()) }},
	{"saw-tooth", func(rng *rand.Rand, steps int) []int64 {
		rise, teeth, level := size(rng)/8, 2+rng.IntN(40), 0
		return drawn(steps, func(int) float64 {
			if level++; level > teeth+rng.IntN(3) {
				level = 0
			}
			return float64(level) * rise
		})
	}},
	{"warm-up that saturates", func(rng *rand.Rand, steps int) []int64 {
		top, pace, noise := size(rng), 2+30*rng.Float64(), 256*rng.Float64()
		return drawn(steps, func(i int) float64 { return top*(1-math.Exp(-float64(i)/pace)) + noise*rng.Float64() })
	}},
	{"plateaus", func(rng *rand.Rand, steps int) []int64 {
		level := 0.0
		return drawn(steps, func(int) float64 {
			if rng.IntN(steps/3) == 0 {
				level += size(rng)
			}
			return level
		})
	}},
	{"new shapes cached until all were seen", func(rng *rand.Rand, steps int) []int64 {
		cost, seen, held := size(rng)/16, map[int]bool{}, 0.0
		kinds := 5 + rng.IntN(60)
		return drawn(steps, func(int) float64 {
			if kind := rng.IntN(kinds); !seen[kind] {
				seen[kind] = true
				held += cost
			}
			return held
		})
	}},
	{"evaluations", func(rng *rand.Rand, steps int) []int64 {
		every, high := 2+rng.IntN(60), size(rng)
		return drawn(steps, func(i int) float64 {
			if i%every == 0 {
				return high
			}
			return 64 * rng.Float64()
		})
	}},
}

func drawn(steps int, value func(i int) float64) []int64 {
	out := make([]int64, steps)
	for i := range out {
		out[i] = base + int64(value(i))
	}
	return out
}

func autoregressive(rng *rand.Rand, steps int, phi float64) []int64 {
	x, size := rng.NormFloat64(), size(rng)/4
	return drawn(steps, func(int) float64 {
		x = phi*x + math.Sqrt(1-phi*phi)*rng.NormFloat64()
		return x * size
	})
}

// alarms lists the steps at which the detector cried leak or outside.
func (d *Detector) alarms() (steps []int64) {
	for _, v := range []finding.Verdict{finding.Leak, finding.Outside} {
		if at := d.found[v]; at != 0 {
			steps = append(steps, at)
		}
	}
	return steps
}

// finds is what evidence gathered by a step says; nil when none can be had.
type finds func(step int64) Confirmation

func findsNothing(int64) Confirmation { return Confirmation{} }

// play feeds a series to a detector of that kind. It returns the detector and how often evidence was asked for.
func play(kind string, values []int64, found finds) (*Detector, int) {
	d := New(kind, Options{Kind: kind})
	index, asked, due := memory.DeviceAllocated, 0, int64(0)
	if kind == "host" {
		index = memory.HostUsed
	}
	for i, v := range values {
		s := bare(kind, int64(i+1))
		s.V[index] = v
		d.Observe(s)
		if due != 0 && s.Step >= due {
			c := found(s.Step)
			c.Step, due = s.Step, 0
			d.Confirm(c)
		}
		if sus, ok := d.Suspicion(); ok && found != nil && due == 0 {
			asked++
			due = s.Step + 2*max(2, sus.Period)
		}
	}
	return d, asked
}

// The budget for false alarms, over series of 1000 steps that do not leak: the verdict leak at any step at all in
// at most 1 series in 200 of each shape where growth alone has to do, none where evidence speaks against it on a
// device, and on average at most 4 requests for evidence that finds nothing.
func TestFalseAlarms(t *testing.T) {
	const steps, draws = 1000, 200
	for _, shape := range healthyShapes {
		for _, c := range []struct {
			kind  string
			found finds
			most  int
		}{{"host", findsNothing, draws / 200}, {"device", nil, draws / 200}, {"device", findsNothing, 0}} {
			rng := rand.New(rand.NewPCG(11, 17))
			alarms, asked := 0, 0
			for range draws {
				d, n := play(c.kind, shape.draw(rng, steps), c.found)
				asked += n
				if len(d.alarms()) > 0 {
					alarms++
				}
			}
			mean := float64(asked) / draws
			t.Logf("%-40s %-7s evidence %-5v false alarms %d of %d, evidence asked for %.2f times", shape.name, c.kind, c.found != nil, alarms, draws, mean)
			if alarms > c.most || mean > 4 {
				t.Errorf("%s, %s, evidence %v: %d alarms (at most %d), %.2f requests (at most 4)", shape.name, c.kind, c.found != nil, alarms, c.most, mean)
			}
		}
	}
}

// A leak begins at step 201 of every healthy shape, a twentieth of its spread and 1 KiB at least a step; evidence
// finds survivors from then on. It must be found in all draws but one in fifty, in half of them within 100 steps and
// in nearly all of them within 400.
func TestPower(t *testing.T) {
	const steps, onset, draws = 1000, 200, 60
	for _, shape := range healthyShapes {
		for _, kind := range []string{"device", "host"} {
			rng := rand.New(rand.NewPCG(5, 23))
			var waits []int64
			missed := 0
			for range draws {
				values := shape.draw(rng, steps)
				settled := values[onset/2:]
				leak := max(1024, (slices.Max(settled)-slices.Min(settled))/20)
				for i := onset; i < steps; i++ {
					values[i] += int64(i-onset+1) * leak
				}
				d, _ := play(kind, values, func(step int64) Confirmation { return Confirmation{Survivors: step > onset+5} })
				if d.Memory().Verdict != "leak" {
					missed++
					continue
				}
				waits = append(waits, d.found[finding.Leak]-onset-1)
			}
			slices.Sort(waits)
			half, most := waits[len(waits)/2], waits[len(waits)*95/100]
			t.Logf("%-40s %-7s found %d of %d, median %d steps after onset, 95 %% within %d", shape.name, kind, draws-missed, draws, half, most)
			if missed > draws/50 || half > 100 || most > 400 {
				t.Errorf("%s, %s: missed %d of %d, median %d, 95 %% within %d", shape.name, kind, missed, draws, half, most)
			}
		}
	}
}

// In a healthy run of 100,000 steps, evidence that finds nothing is asked for ever more seldom: at most 15 times, as
// waiting doubles from 32 steps on.
func TestRequestsBackOff(t *testing.T) {
	const steps = 100_000
	for _, shape := range healthyShapes {
		values := shape.draw(rand.New(rand.NewPCG(3, 9)), steps)
		for _, kind := range []string{"host", "device"} {
			d, asked := play(kind, values, findsNothing)
			t.Logf("%-40s %-7s evidence asked for %d times, %s", shape.name, kind, asked, d.Memory().Verdict)
			if alarms := d.alarms(); asked > 15 || len(alarms) > 0 {
				t.Errorf("%s, %s: evidence asked for %d times, alarms at steps %v", shape.name, kind, asked, alarms)
			}
		}
	}
}

package smoke

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// Tolerance is by which part a figure may be worse than the saved one.
type Tolerance float64

// DefaultTolerance is the tolerance unless told otherwise.
const DefaultTolerance = "5%"

// UnmarshalText reads a tolerance such as 5%.
func (t *Tolerance) UnmarshalText(text []byte) error {
	number, isPercent := strings.CutSuffix(string(text), "%")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !isPercent || !(v >= 0 && v <= 1000) {
		return fmt.Errorf("%q is not a percentage such as %s", text, DefaultTolerance)
	}
	*t = Tolerance(v / 100)
	return nil
}

// noise is what figures of two equal runs may differ by, docs/smoke.md: an allocator of a device counts bytes, the heap
// has what threads and the interpreter do by the way.
type noise struct{ peak, perStep int64 }

func noiseOf(kind string) noise {
	if kind == "host" {
		return noise{peak: 2 << 20, perStep: 4 << 10}
	}
	return noise{peak: 1 << 20, perStep: 512}
}

// Compare adds to the result what got worse against a saved run. The sentences say what makes the two hard to compare.
func (r *Result) Compare(b Baseline, now finding.Report, steps int64, t Tolerance) (differs []Difference) {
	differs = differences(b, now, steps)
	saved := map[string]Figures{}
	for _, f := range b.Memories {
		saved[key(f.Rank, f.Memory)] = f
	}
	for _, c := range r.Checks {
		is, ok := figures(c)
		was, known := saved[key(c.Rank, c.Memory.Name)]
		delete(saved, key(c.Rank, c.Memory.Name))
		if !known && c.Outcome != Skipped && !c.Memory.Aside() {
			differs = append(differs, Difference{What: MemoryNew, Was: c.Memory.Name})
		}
		if !ok || !known {
			continue
		}
		if was.LimitBytes != nil && is.LimitBytes != nil && *was.LimitBytes != *is.LimitBytes {
			differs = append(differs, Difference{What: DeviceDiffers, Was: c.Memory.Name})
		}
		floor := noiseOf(c.Memory.Kind)
		r.Checks = append(r.Checks,
			worse(c, BaselinePeak, was.PeakBytes, is.PeakBytes, t, floor.peak),
			worse(c, BaselineGrowth, was.BytesPerStep, is.BytesPerStep, t, floor.perStep))
	}
	for _, f := range b.Memories { // in the file's order
		if _, gone := saved[key(f.Rank, f.Memory)]; gone {
			differs = append(differs, Difference{What: MemoryGone, Was: f.Memory})
			r.Checks = append(r.Checks, Check{Kind: BaselinePeak, Rank: f.Rank, Outcome: Unjudged, Windows: r.Windows,
				Memory: finding.Memory{Name: f.Memory}, Was: f.PeakBytes})
		}
	}
	return differs
}

// worse compares one figure. What is beyond the tolerance counts only where it is beyond the noise too.
func worse(c Check, kind Kind, was, is int64, t Tolerance, floor int64) Check {
	c.Kind, c.Was, c.Is, c.Outcome, c.Finding = kind, was, is, Passed, nil
	base := max(was, 0)
	c.Limit = base + max(floor, int64(float64(base)*float64(t)))
	if is > c.Limit {
		c.Outcome = Failed
	}
	return c
}

func key(rank int, memory string) string { return fmt.Sprint(rank, " ", memory) }

// Difference is something other than memory in which the two runs differ.
type Difference struct {
	What Differs
	Was  string // the saved run's, or the memory it is about
	Is   string
}

// Differs names a difference.
type Differs string

// Differences.
const (
	TorchDiffers  Differs = "torch"
	PythonDiffers Differs = "python"
	StepsDiffer   Differs = "steps"
	DeviceDiffers Differs = "device" // the same name with another size
	MemoryNew     Differs = "new"    // not in the saved run
	MemoryGone    Differs = "gone"   // in the saved run only
)

func differences(b Baseline, now finding.Report, steps int64) (d []Difference) {
	if b.Torch != now.Target.Torch {
		d = append(d, Difference{TorchDiffers, b.Torch, now.Target.Torch})
	}
	if b.Python != now.Target.Python {
		d = append(d, Difference{PythonDiffers, b.Python, now.Target.Python})
	}
	if b.Steps != steps {
		d = append(d, Difference{StepsDiffer, fmt.Sprint(b.Steps), fmt.Sprint(steps)})
	}
	return d
}

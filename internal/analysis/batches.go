package analysis

import (
	"math"
	"sort"

	"github.com/torchleak/torchleak/internal/finding"
)

// batches ties the clock of a loader worker, its batches, to the trainer's steps. A worker that reads ahead, or one of many,
// does not grow with each step but with each of its batches; what is said of it is said in the steps that all know.
type batches struct {
	at     []tie
	stride int64 // ties that came for each that was kept
	n      int64
}

// tie is a batch and the step of the trainer's in which it was made.
type tie struct{ batch, step int64 }

// maxTies bounds them: when there are so many, every second one goes.
const maxTies = 4096

// batches is the clock of a worker's memory.
func (p *Process) batches(name string) *batches {
	b := p.clocks[name]
	if b == nil {
		b = &batches{stride: 1}
		p.clocks[name] = b
	}
	return b
}

func (b *batches) add(batch, step int64) {
	if b.n++; b.n%b.stride != 0 {
		return
	}
	if len(b.at) == maxTies {
		for i := range maxTies / 2 {
			b.at[i] = b.at[2*i]
		}
		b.at = b.at[:maxTies/2]
		b.stride *= 2
	}
	b.at = append(b.at, tie{batch, step})
}

// step is the step in which a batch was made.
func (b *batches) step(batch int64) int64 {
	i := sort.Search(len(b.at), func(i int) bool { return b.at[i].batch >= batch })
	switch {
	case len(b.at) == 0:
		return batch
	case i == len(b.at):
		return b.at[i-1].step
	case i == 0 || b.at[i].batch == batch:
		return b.at[i].step
	}
	from, to := b.at[i-1], b.at[i]
	return from.step + (to.step-from.step)*(batch-from.batch)/(to.batch-from.batch)
}

// perStep is how many batches come to a step from a batch on. What is made before the first step, or at its end, is read ahead.
func (b *batches) perStep(from int64) float64 {
	if len(b.at) == 0 {
		return 1
	}
	i := sort.Search(len(b.at), func(i int) bool { return b.at[i].batch >= from && b.at[i].step > 1 })
	if i = min(i, len(b.at)-1); b.at[len(b.at)-1].step == b.at[i].step {
		i = 0
	}
	first, last := b.at[i], b.at[len(b.at)-1]
	if last.step == first.step {
		return 1
	}
	return float64(last.batch-first.batch) / float64(last.step-first.step)
}

// translate puts what is said in batches into steps.
func (b *batches) translate(m *finding.Memory) {
	since := int64(0)
	if m.SinceStep != nil {
		since = *m.SinceStep
	}
	perStep := b.perStep(since)
	for _, at := range []*int64{m.SinceStep, m.UntilStep, m.DetectedAtStep} {
		if at != nil {
			*at = b.step(*at)
		}
	}
	for _, length := range []*int64{m.Period, m.NeedSteps, m.StepsToOOM} {
		if length != nil {
			*length = max(1, scaled(*length, 1/perStep))
		}
	}
	if m.BytesPerStep != nil {
		*m.BytesPerStep = scaled(*m.BytesPerStep, perStep)
	}
	if m.Interval != nil {
		*m.Interval = [2]int64{scaled(m.Interval[0], perStep), scaled(m.Interval[1], perStep)}
	}
	b.redraw(m)
}

// redraw puts the curve over steps: of the batches of one step the last.
func (b *batches) redraw(m *finding.Memory) {
	n := 0
	for i := range m.Steps {
		step := b.step(m.Steps[i])
		if n > 0 && m.Steps[n-1] == step {
			n--
		}
		m.Steps[n] = step
		for _, line := range m.Series {
			line[n] = line[i]
		}
		n++
	}
	m.Steps = m.Steps[:n]
	for name, line := range m.Series {
		m.Series[name] = line[:n]
	}
}

func scaled(v int64, by float64) int64 { return int64(math.Round(float64(v) * by)) }

package analysis

import (
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

// A worker reads three batches ahead in the first step, then makes one in every fourth step.
func readAhead() *batches {
	b := &batches{stride: 1}
	for batch := int64(1); batch <= 3; batch++ {
		b.add(batch, 1)
	}
	for batch := int64(4); batch <= 53; batch++ {
		b.add(batch, 1+4*(batch-3))
	}
	return b
}

func TestTranslate(t *testing.T) {
	number := func(v int64) *int64 { return &v }
	m := finding.Memory{
		SinceStep: number(5), DetectedAtStep: number(29), Period: number(2), NeedSteps: number(6),
		BytesPerStep: number(4000), Interval: &[2]int64{3600, 4400},
		Steps: []int64{1, 2, 3, 4, 6}, Series: map[string][]int64{"allocated": {10, 20, 30, 40, 60}},
	}
	readAhead().translate(&m)
	// Batch 5 was made in step 9, batch 29 in step 105; four steps to a batch.
	for name, got := range map[string][2]int64{
		"since": {*m.SinceStep, 9}, "detected": {*m.DetectedAtStep, 105}, "period": {*m.Period, 8}, "need": {*m.NeedSteps, 24},
		"rate": {*m.BytesPerStep, 1000}, "low": {m.Interval[0], 900}, "high": {m.Interval[1], 1100},
	} {
		if got[0] != got[1] {
			t.Errorf("%s %d, want %d", name, got[0], got[1])
		}
	}
	if line := m.Series["allocated"]; !slices.Equal(m.Steps, []int64{1, 5, 13}) || !slices.Equal(line, []int64{30, 40, 60}) {
		t.Errorf("drawn at %v: %v", m.Steps, line)
	}
}

// Of a long run the ties get sparser; what lies between is as far as it is between.
func TestManyBatches(t *testing.T) {
	b := &batches{stride: 1}
	const all = 5 * maxTies
	for batch := int64(1); batch <= all; batch++ {
		b.add(batch, 3*batch)
	}
	if len(b.at) > maxTies {
		t.Errorf("%d ties", len(b.at))
	}
	for _, batch := range []int64{500, 5001, all - 100} {
		if got := b.step(batch); got != 3*batch {
			t.Errorf("batch %d in step %d, want %d", batch, got, 3*batch)
		}
	}
	if got := b.perStep(9); got < 0.33 || got > 0.34 {
		t.Errorf("%v batches a step, want a third", got)
	}
}

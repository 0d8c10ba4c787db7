package diagnose

import (
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

// A training that leaks in its evaluation, every fifth step, was named after a later answer that had looked eight steps
// at a time: half of its windows held one evaluation, half of them two.
func TestRelevant(t *testing.T) {
	answer := func(memory string, complete bool, steps ...int64) *evidence.Evidence {
		e := &evidence.Evidence{Memory: memory, Complete: complete}
		for _, s := range steps {
			e.Censuses = append(e.Censuses, evidence.Census{Step: s})
		}
		return e
	}
	uncounted := func(e *evidence.Evidence) *evidence.Evidence {
		e.Uncounted = true
		return e
	}
	five := int64(5)
	everyFifth := finding.Memory{Name: "host", Period: &five}
	for _, c := range []struct {
		name   string
		memory finding.Memory
		all    []*evidence.Evidence
		want   []int
	}{
		{"whole periods before others", everyFifth, []*evidence.Evidence{answer("host", true, 13, 18, 23), answer("host", true, 121, 129, 137)}, []int{0, 1}},
		{"whole before broken off", finding.Memory{Name: "host"}, []*evidence.Evidence{answer("host", true, 3, 4, 5), answer("host", false, 40, 41)}, []int{0, 1}},
		{"whole before one that had no time to count", finding.Memory{Name: "host"}, []*evidence.Evidence{answer("host", true, 3, 4, 5), uncounted(answer("host", true, 40, 41, 42))}, []int{0, 1}},
		{"newer before older", everyFifth, []*evidence.Evidence{answer("host", true, 13, 18, 23), answer("host", true, 50, 60)}, []int{1, 0}},
		{"its own before others'", everyFifth, []*evidence.Evidence{answer("host", false, 13, 14), answer("cuda:0", true, 50, 60)}, []int{0, 1}},
		{"one census says nothing", everyFifth, []*evidence.Evidence{answer("host", true, 13), nil}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []int
			for _, e := range relevant(c.all, c.memory) {
				got = append(got, slices.Index(c.all, e))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("order %v, want %v", got, c.want)
			}
		})
	}
}

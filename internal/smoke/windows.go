// Package smoke judges a short run as a gate does: it compares every memory early and late in the run, and with a saved
// clean run where there is one, and says of each whether it passed, failed or could not be judged. A gate that could not
// judge does not pass.
package smoke

import (
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
)

// Steps are how many steps a gate takes unless told otherwise, and the fewest that can be judged.
const (
	DefaultSteps = 200
	LeastSteps   = 40
)

// Windows are the steps at which memory is compared: From with To, and from Middle on whether growth goes on.
type Windows struct{ From, Middle, To int64 }

// WindowsOf returns the windows of a run of so many steps: 50, 100 and 150. A run that ends before 150 has the same
// parts of its own length.
func WindowsOf(steps int64) Windows {
	if steps >= 150 {
		return Windows{50, 100, 150}
	}
	return Windows{steps / 4, steps / 2, steps * 3 / 4}
}

// level is what the memory held around a step: the median of the readings near it, since one step may fall into an
// evaluation, or before the collector and after it. ok is false where the run has no reading near.
func (w Windows) level(m finding.Memory, step int64) (bytes int64, ok bool) {
	near := max(2, (w.To-w.From)/20)
	values := m.Series["allocated"]
	var found []int64
	for i, s := range m.Steps {
		if i < len(values) && step-near <= s && s <= step+near {
			found = append(found, values[i])
		}
	}
	if len(found) == 0 {
		return 0, false
	}
	slices.Sort(found)
	return found[len(found)/2], true
}

// grew is by how many bytes the memory grew between the windows; nil where the run is too short.
func (w Windows) grew(m finding.Memory) *int64 {
	before, ok := w.level(m, w.From)
	after, also := w.level(m, w.To)
	if len(m.Steps) == 0 || m.Steps[len(m.Steps)-1] < w.To || !ok || !also {
		return nil
	}
	grown := after - before
	return &grown
}

// later is by how many bytes a step the memory grew from Middle to the end; nil where the run is too short.
func (w Windows) later(m finding.Memory) *int64 {
	if len(m.Steps) == 0 {
		return nil
	}
	end := m.Steps[len(m.Steps)-1]
	before, ok := w.level(m, w.Middle)
	after, also := w.level(m, end)
	if end < w.To || !ok || !also {
		return nil
	}
	each := (after - before) / (end - w.Middle)
	return &each
}

// span is how many steps lie between the windows.
func (w Windows) span() int64 { return max(1, w.To-w.From) }

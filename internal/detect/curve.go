package detect

import "github.com/torchleak/torchleak/internal/memory"

// maxPoints bounds the drawn curve.
const maxPoints = 600

// curve keeps at most maxPoints samples of a run of any length: when it is full every second one goes, and
// from then on only every second sample is taken.
type curve struct {
	stride int64
	n      int64
	steps  []int64
	values []figures // one a point
	last   figures
	lastAt int64
}

// figures are what is drawn of one sample: the judged series, then one a plot of its kind; the rest is not used.
type figures [3]int64

func (c *curve) add(step int64, values figures) {
	c.stride = max(1, c.stride)
	for i, v := range values { // what was not read stays as it was
		if v == memory.Absent && c.n > 0 {
			values[i] = c.last[i]
		}
	}
	c.last, c.lastAt = values, step
	if c.n++; (c.n-1)%c.stride != 0 {
		return
	}
	if len(c.steps) == maxPoints-1 { // one place is kept for the newest sample
		half := 0
		for i := 0; i < len(c.steps); i += 2 {
			c.steps[half], c.values[half] = c.steps[i], c.values[i]
			half++
		}
		c.steps, c.values = c.steps[:half], c.values[:half]
		c.stride *= 2
		if (c.n-1)%c.stride != 0 {
			return
		}
	}
	c.steps, c.values = append(c.steps, step), append(c.values, values)
}

// drawn returns the steps and, under each name, one figure per step. A series that was never read is left
// out; before its first reading it is drawn at that value.
func (c *curve) drawn(names []string) ([]int64, map[string][]int64) {
	steps, values := append([]int64{}, c.steps...), append([]figures{}, c.values...)
	if c.n > 0 && (len(steps) == 0 || steps[len(steps)-1] != c.lastAt) {
		steps, values = append(steps, c.lastAt), append(values, c.last)
	}
	out := map[string][]int64{}
	for i, name := range names {
		if c.n == 0 || c.last[i] == memory.Absent {
			continue
		}
		line := make([]int64, len(steps))
		next := c.last[i]
		for j := len(values) - 1; j >= 0; j-- {
			if v := values[j][i]; v != memory.Absent {
				next = v
			}
			line[j] = next
		}
		out[name] = line
	}
	return steps, out
}

// drawn picks the figures of a sample that are drawn: the judged one, then the plots of its kind.
func (d *Detector) drawn(s *memory.Sample) figures {
	f := figures{memory.Absent}
	if v, ok := d.main().series.read(s); ok {
		f[0] = v
	}
	for i, l := range d.kind.plots {
		f[i+1] = s.V[l.value]
	}
	return f
}

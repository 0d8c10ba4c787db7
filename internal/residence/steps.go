package residence

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Steps are the steps of a training as a trace shows them.
type Steps struct {
	// By says what they are told by.
	By string
	// Ends are the entries in front of which a step has ended.
	Ends []int
}

const (
	// fewest is how many steps there must be to speak of steps.
	fewest = 3
	// fewestAlike is how often a stack must occur, evenly, to pass for the clock.
	fewestAlike = 6
	// uneven is how far the distances may vary, as a part of their mean.
	uneven = 0.25
)

// steps finds the steps of a device's trace: by the marks of a profiler or an optimizer, by allocations in an
// optimizer's step(), by a stack that comes at even distances; in this order.
func (b *book) steps(d snapshot.Device) Steps {
	for _, prefix := range []string{"ProfilerStep#", "Optimizer.step#"} {
		if s := b.annotated(d, prefix); len(s.Ends) >= fewest {
			return s
		}
	}
	if s := b.optimizer(d); len(s.Ends) >= fewest {
		return s
	}
	return b.even(d)
}

// annotated takes the ends of annotations. Where several optimizers take turns the first that is the most frequent counts.
func (b *book) annotated(d snapshot.Device, prefix string) Steps {
	times := map[string][]int64{}
	best := ""
	for _, a := range b.snap.Annotations {
		if !a.End || a.Time == 0 || !strings.HasPrefix(a.Name, prefix) || a.Device != d.Index {
			continue
		}
		name := a.Name
		if prefix == "ProfilerStep#" {
			name = prefix // each has its number
		}
		times[name] = append(times[name], a.Time)
		if best == "" || len(times[name]) > len(times[best]) {
			best = name
		}
	}
	s := Steps{By: strings.TrimSuffix(best, "#")}
	for _, t := range times[best] {
		if i := b.since(d, t); i > d.From && (len(s.Ends) == 0 || i > s.Ends[len(s.Ends)-1]) {
			s.Ends = append(s.Ends, i)
		}
	}
	return s
}

// since returns the first entry of a device later than a time.
func (b *book) since(d snapshot.Device, time int64) int {
	t := &b.snap.Trace
	return d.From + sort.Search(d.To-d.From, func(i int) bool { return t.At(d.From+i).Time > time })
}

// optimizer takes the ends of runs of allocations in torch.optim.
func (b *book) optimizer(d snapshot.Device) Steps {
	s := Steps{By: "allocations in torch.optim"}
	inside := false
	for i := d.From; i < d.To; i++ {
		if b.snap.Trace.Kind(i) != snapshot.Alloc {
			continue
		}
		_, stack, _ := b.snap.Trace.Brief(i)
		if a := &b.stacks[stack]; a.framed && a.step != inside {
			step := a.step
			inside = step
			if !step {
				s.Ends = append(s.Ends, i)
			}
		}
	}
	return s
}

// even takes the stack that allocates at the evenest distances over the whole trace.
func (b *book) even(d snapshot.Device) Steps {
	type beat struct {
		count, first, last int
		squares            float64
	}
	beats := make([]beat, len(b.stacks))
	for i := d.From; i < d.To; i++ {
		if b.snap.Trace.Kind(i) != snapshot.Alloc {
			continue
		}
		_, stack, _ := b.snap.Trace.Brief(i)
		if stack <= snapshot.NoFrames {
			continue
		}
		s := &beats[stack]
		if s.count == 0 {
			s.first = i
		} else {
			s.squares += float64(i-s.last) * float64(i-s.last)
		}
		s.count++
		s.last = i
	}
	best, least := -1, uneven
	for n, s := range beats {
		gaps := float64(s.count - 1)
		if s.count < fewestAlike || 2*(s.last-s.first) < d.To-d.From {
			continue
		}
		mean := float64(s.last-s.first) / gaps
		if cv := math.Sqrt(max(0, s.squares/gaps-mean*mean)) / mean; cv < least {
			best, least = n, cv
		}
	}
	if best < 0 {
		return Steps{}
	}
	s := Steps{By: "a stack that comes again evenly"}
	for i := d.From; i < d.To; i++ {
		if e := b.snap.Trace.At(i); e.Kind == snapshot.Alloc && int(e.Stack) == best {
			s.Ends = append(s.Ends, i)
		}
	}
	s.Ends = slices.DeleteFunc(s.Ends, func(i int) bool { return i == d.From })
	return s
}

package detect

import "math/bits"

// scale estimates how much a series usually moves from sample to sample: a histogram of the sizes of its
// changes by powers of two that forgets.
type scale struct {
	counts [64]uint16
	total  uint16
}

func (s *scale) add(change int64) {
	if change < 0 {
		change = -change
	}
	s.counts[bits.Len64(uint64(change))%64]++
	if s.total++; s.total == 128 {
		s.total = 0
		for i := range s.counts {
			s.counts[i] /= 2
			s.total += s.counts[i]
		}
	}
}

// usual is a bound that half of the changes stay below; 0 when half of them are no change.
func (s *scale) usual() int64 {
	var seen uint16
	for i, c := range s.counts {
		if seen += c; 2*seen >= s.total {
			return int64(1)<<i - 1
		}
	}
	return 0
}

// rise is a step up that stood out and was not taken back since.
type rise struct {
	at, end int64 // numbers of the first and the last sample that rose in it
	step    int64 // of the first
	base    int64 // value before
	size    int64
	marked  bool // an evaluation ran in it, or an epoch began
}

// start is the beginning of a growth of which the rise is the first.
func (e rise) start(period int64) start {
	return start{first: e.at, since: e.step, base: e.base, period: period, window: period}
}

// rises follows the steps up that stand out. Growth every k-th step, per evaluation or per epoch is a row of
// them.
type rises struct {
	list   []rise   // oldest first, at most maxRises
	marked int64    // newest step in which an evaluation ran or an epoch began
	every  majority // steps from one of those to the next
}

// mark notes that an evaluation ran in the step, or that an epoch began.
func (r *rises) mark(step int64) {
	if r.marked > 0 {
		r.every.add(step - r.marked)
	}
	r.marked = step
}

const maxRises = 8

// observe takes sample number at, which changed the series by change, and reports whether a new rise began with it,
// or one that took several samples ended before it. least is the smallest change that stands out, marked says that
// an evaluation ran or an epoch began.
func (r *rises) observe(at int64, p point, change, least int64, marked bool) bool {
	kept := r.list[:0]
	for _, e := range r.list {
		if p.value >= e.base+e.size/2 {
			kept = append(kept, e)
		}
	}
	r.list = kept
	n := len(r.list)
	if change < least {
		return n > 0 && r.list[n-1].end == at-1 && r.list[n-1].end > r.list[n-1].at
	}
	if n > 0 && r.list[n-1].end == at-1 {
		e := &r.list[n-1]
		if change <= 4*e.size { // one rise that took two samples
			e.size, e.end, e.marked = e.size+change, at, e.marked || marked
			return false
		}
		r.list = r.list[:n-1]
	}
	if len(r.list) == maxRises {
		r.forget(change)
	}
	r.list = append(r.list, rise{at: at, end: at, step: p.step, base: p.value - change, size: change, marked: marked})
	return true
}

// sink lowers what the rises began from: a fall while the probe was at work, whose loading and walking stirs a heap up,
// does not show that they were taken back.
func (r *rises) sink(change int64) {
	for i := range r.list {
		r.list[i].base += change
	}
}

// forget makes room for a rise of that size: it drops the smallest if that is much smaller, else the oldest.
func (r *rises) forget(size int64) {
	drop := 0
	for i, e := range r.list {
		if e.size < r.list[drop].size {
			drop = i
		}
	}
	if 2*r.list[drop].size >= size {
		drop = 0
	}
	r.list = append(r.list[:drop], r.list[drop+1:]...)
}

// alike reports that a rise of that size would be one more of those there were.
func (r *rises) alike(size int64) bool {
	for _, e := range r.list {
		if alike(e.size, size) {
			return true
		}
	}
	return false
}

// due is the size of the rise that came after the step with an evaluation, if one of at most that size was to be
// expected; 0 otherwise.
func (r *rises) due(step, most int64) int64 {
	if r.marked <= step {
		return 0
	}
	for i := len(r.list) - 1; i >= 0; i-- {
		if e := r.list[i]; e.marked && e.size <= most {
			return e.size
		}
	}
	return 0
}

// newest is the last rise there was.
func (r *rises) newest() rise { return r.list[len(r.list)-1] }

// periodic reports a row of rises that makes periodic growth likely, and its period in samples of stride steps: two
// of the same size, or four of any that carry what was gained up to value. Rises much smaller than the newest do not
// count.
func (r *rises) periodic(value int64, stride float64) (first rise, period int64, ok bool) {
	row := r.row()
	n := len(row)
	if n >= 2 {
		a, b := row[n-2], row[n-1]
		gap := r.gap(a, b, stride)
		if gap >= 2 && (again(a, b) || r.twice()) && !(n >= 3 && alike(a.size, row[n-3].size) && !fits(between(row[n-3], a, stride), gap)) {
			return beginning(row, gap, stride), gap, true
		}
	}
	if n >= 4 && similar(row[n-4:]) && carry(row[n-4:], value) {
		a, d := row[n-4], row[n-1]
		return a, max(2, (between(a, d, stride)+1)/3), true
	}
	return rise{}, 0, false
}

// gap is how many samples lie between two rises if none is left out. Of two evaluations with others between them,
// whose rises were not seen, it is from one to the next.
func (r *rises) gap(a, b rise, stride float64) int64 {
	steps := b.step - a.step
	if every := r.every.value; a.marked && b.marked && every > 1 && steps%every == 0 {
		steps = every
	}
	return int64(float64(steps)/stride + 0.5)
}

// between is how many samples lie between two rises if none is left out.
func between(a, b rise, stride float64) int64 { return int64(float64(b.step-a.step)/stride + 0.5) }

// fits reports that so many samples are about a whole number of gaps, not many: a rise may not have been seen.
func fits(samples, gap int64) bool {
	times := (samples + gap/2) / gap
	off := samples - times*gap
	return times == 1 && near(samples, gap) || (times == 2 || times == 3) && 8*max(off, -off) <= gap
}

// similar reports that no rise is more than four times as large as another.
func similar(row []rise) bool {
	smallest, largest := row[0].size, row[0].size
	for _, e := range row {
		smallest, largest = min(smallest, e.size), max(largest, e.size)
	}
	return 4*smallest >= largest
}

// carry reports that the rises make up most of what was gained from the first of them to value.
func carry(row []rise, value int64) bool {
	sum := int64(0)
	for _, e := range row {
		sum += e.size
	}
	return 10*sum >= 7*(value-row[0].base)
}

// row is the rises that are not much smaller than the newest.
func (r *rises) row() []rise {
	row := make([]rise, 0, maxRises)
	for _, e := range r.list {
		if 2*e.size >= r.newest().size {
			row = append(row, e)
		}
	}
	return row
}

// regular returns the gap between the last three rises when both gaps and all sizes are alike and they carry what was
// gained up to value. Two are enough where an evaluation or an epoch explains each.
func (r *rises) regular(value int64, stride float64) (gap int64, ok bool) {
	if len(r.list) == 0 {
		return 0, false
	}
	row := r.row()
	n := len(row)
	if n < 2 {
		return 0, false
	}
	b, c := row[n-2], row[n-1]
	gap = r.gap(b, c, stride)
	if gap < 2 || !again(b, c) {
		return 0, false
	}
	if b.marked && c.marked && carry(row[n-2:], value) {
		return gap, true
	}
	return gap, n >= 3 && alike(row[n-3].size, b.size) && fits(between(row[n-3], b, stride), gap) && carry(row[n-3:], value)
}

// newestTwo is the size of the newest two rises, if they are alike.
func (r *rises) newestTwo() (size int64, ok bool) {
	n := len(r.list)
	if n < 2 || !alike(r.list[n-1].size, r.list[n-2].size) {
		return 0, false
	}
	return (r.list[n-1].size + r.list[n-2].size) / 2, true
}

// exactly reports that the newest rises all lie so many samples apart: then a first guess that was about as long, spoilt by
// steps that were not read, is wrong.
func (r *rises) exactly(gap int64) bool {
	const rises = 4
	n := len(r.list)
	for i := n - rises + 1; i < n; i++ {
		if i < 1 || r.list[i].at-r.list[i-1].at != gap {
			return false
		}
	}
	return true
}

// count is how many of the newest rises of about that size lie a period apart. The first of them may be larger if it lies
// just a period before the next: what is done now and then makes buffers too the first time.
func (r *rises) count(size float64, period int64, stride float64) int {
	n, next := 0, rise{}
	for i := len(r.list) - 1; i >= 0; i-- {
		e := r.list[i]
		if float64(e.size) > 2*size && n > 0 && between(e, next, stride) == period {
			return n + 1
		}
		if 2*float64(e.size) < size || float64(e.size) > 2*size {
			continue
		}
		if n > 0 && !fits(between(e, next, stride), period) {
			break
		}
		n, next = n+1, e
	}
	return n
}

// beginning returns the oldest rise from which every gap is about gap.
func beginning(row []rise, gap int64, stride float64) rise {
	i := len(row) - 2
	for i > 0 && fits(between(row[i-1], row[i], stride), gap) && alike(row[i-1].size, row[i].size) {
		i--
	}
	return row[i]
}

func alike(a, b int64) bool { return 20*min(a, b) >= 17*max(a, b) }

// again reports that b is a rise like a. Of what two evaluations keep, it is enough that b is what was left of a: the first
// one makes buffers too, and gives some of them back.
func again(a, b rise) bool {
	return alike(a.size, b.size) || a.marked && b.marked && a.size > b.size && alike(b.base-a.base, b.size)
}

// twice reports that the list is two rises, of which the first is up to twice as large, and nothing moves beside them: what
// is done now and then makes buffers the first time. It makes for a question; a period is not shown yet.
func (r *rises) twice() bool {
	if len(r.list) != 2 {
		return false
	}
	a, b := r.list[0], r.list[1]
	rest := b.base - a.base - a.size
	return a.size <= 2*b.size && b.size <= a.size && b.at-a.at >= 4 && 20*max(rest, -rest) <= b.size
}

func near(a, b int64) bool { return a-b <= max(1, b/4) && b-a <= max(1, b/4) }

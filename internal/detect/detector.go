package detect

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
)

// Options says what is known of a memory beforehand.
type Options struct {
	Kind   string // device, host, pinned, shm or worker
	Limit  int64  // bytes; 0, and what cannot be, unknown
	Warmup int64  // steps that are not judged; 0 = find it
	Slack  int64  // bytes that rings of native code may take before growth without survivors counts
}

// Detector judges one memory. It is not safe for concurrent use.
type Detector struct {
	name                string
	options             Options
	kind                kind
	tracks              []*track // one a series of the kind
	doubt               doubt
	facts               facts
	curve               curve
	now                 memory.Sample
	found               map[finding.Verdict]int64 // step at which what is known first sufficed for the verdict
	hoards              bool                      // a worker's data set keeps what it hands out, without end
	fills               bool                      // … it keeps each sample once, which the training has not had often yet
	evaluations, epochs beat
	others              []Share // what other processes hold of the device
}

// facts are the plain figures a verdict quotes.
type facts struct {
	steps        int64 // newest step
	samples      int64
	first, last  int64 // of the judged series
	peak         int64 // largest value of the judged series, between steps where that is known
	held         int64
	inactive     int64
	driver       int64
	total        int64
	resident     int64
	private      int64 // of a worker: pages that no other process has
	shared       int64 // … and those of its anonymous pages that another one has too
	retries      count
	ooms         count
	collections  int64
	collected    int64 // newest step in which the oldest generation was collected
	changedLast  int64 // last step at which the memory moved by more than a hundredth
	heldRises    int64 // rises of what is held, after warm-up, that the live bytes do not explain
	heldRiseStep int64
	heldBefore   int64 // held when warm-up ended
}

// count is a counter of the target's, from the first reading on.
type count struct {
	first, last int64
	read        bool
}

func (c *count) observe(v int64) {
	if !c.read {
		c.first, c.read = v, true
	}
	c.last = v
}

func (c *count) grew() int64 { return c.last - c.first }

// New returns a detector for the memory of that name. An unknown kind is taken for a device.
func New(memoryName string, o Options) *Detector {
	d := &Detector{name: memoryName, options: o, kind: kindOf(o.Kind), found: map[finding.Verdict]int64{}}
	if d.options.Kind == "" {
		d.options.Kind = "device"
	}
	for i := range d.kind.series {
		d.tracks = append(d.tracks, newTrack(&d.kind.series[i], o.Warmup))
	}
	return d
}

// Observe takes the next sample. Samples come in order of their steps; steps and values may be missing. A
// sample taken while evidence was gathered is judged only by what the gathering does not move.
func (d *Detector) Observe(s memory.Sample) {
	if s.Step <= d.facts.steps && d.facts.samples > 0 {
		return
	}
	if s.Flags&memory.FlagEvaluation != 0 {
		d.evaluations.mark(s.Step)
	}
	if s.Flags&memory.FlagEpoch != 0 {
		d.epochs.mark(s.Step)
	}
	if s.Flags&marks != 0 {
		for _, t := range d.tracks {
			t.rises.mark(s.Step)
		}
	}
	if s.Flags&memory.FlagHooks != 0 {
		d.expectHooks()
	}
	if s.Flags&memory.FlagEvidence != 0 {
		d.pause(&s)
		return
	}
	d.now = s
	collected := s.Flags&memory.FlagCollected != 0
	d.note(&d.now, collected)
	for _, t := range d.tracks {
		if v, ok := t.series.read(&d.now); ok {
			t.observe(s.Step, v, s.Flags)
		} else {
			t.unread(s.Step)
		}
	}
	d.review()
	d.curve.add(s.Step, d.drawn(&d.now))
	d.check()
}

// marks are the flags of a sample that explain a rise.
const marks = memory.FlagEvaluation | memory.FlagEpoch

// pause tells the tracks that the probe was at work in a sample. It takes nothing from a device, but what it looks at lives
// longer than usual; and it opens no segment of shared memory.
func (d *Detector) pause(s *memory.Sample) {
	for _, t := range d.tracks {
		v, ok := t.series.read(s)
		switch {
		case d.device():
			if ok {
				t.glimpse(s.Step, v)
			}
		case !t.series.apart:
			t.paused = true
			if ok {
				t.aside.add(v)
			}
		case ok:
			t.observe(s.Step, v, s.Flags)
		}
	}
}

// main is the track of the judged series.
func (d *Detector) main() *track { return d.tracks[0] }

// track is the track of that name, nil for none.
func (d *Detector) track(name string) *track {
	for _, t := range d.tracks {
		if t.series.name == name {
			return t
		}
	}
	return nil
}

// note keeps the plain figures of a sample.
func (d *Detector) note(s *memory.Sample, collected bool) {
	f := &d.facts
	f.steps = s.Step
	f.samples++
	if collected {
		f.collections, f.collected = f.collections+1, s.Step
	}
	v, ok := d.main().series.read(s)
	if ok {
		if d.main().seen() == 0 {
			f.first, f.last, f.peak = v, v, v
		}
		if moved := v - f.last; 100*max(moved, -moved) > f.last {
			f.changedLast = s.Step
		}
		f.last, f.peak = v, max(f.peak, v)
	}
	if d.device() {
		d.noteDevice(s)
		return
	}
	if d.options.Kind == "worker" {
		d.noteWorker(s)
		return
	}
	keep(&f.held, s, memory.HostHeld)
	keep(&f.resident, s, memory.HostRSS)
}

func (d *Detector) noteDevice(s *memory.Sample) {
	f := &d.facts
	before, known := f.held, f.samples > 1
	keep(&f.held, s, memory.DeviceReserved)
	if known && f.held > before && f.samples > heldSettle {
		f.heldRises++
		f.heldRiseStep = s.Step
	}
	if f.samples <= heldSettle {
		f.heldBefore = f.held
	}
	keep(&f.inactive, s, memory.DeviceInactiveSplit)
	keep(&f.driver, s, memory.DeviceDriverUsed)
	keep(&f.total, s, memory.DeviceDriverTotal)
	if v, ok := s.Get(memory.DevicePeak); ok {
		f.peak = max(f.peak, v)
	}
	if v, ok := s.Get(memory.DeviceRetries); ok {
		f.retries.observe(v)
	}
	if v, ok := s.Get(memory.DeviceOOMs); ok {
		f.ooms.observe(v)
	}
}

func keep(to *int64, s *memory.Sample, i int) {
	if v, ok := s.Get(i); ok {
		*to = v
	}
}

func (d *Detector) device() bool { return d.kind.device }

// check notes the step at which the verdict first became one that calls for a change. After a leak nothing graver
// can come.
func (d *Detector) check() {
	if d.found[finding.Leak] != 0 {
		return
	}
	v := d.judge().verdict
	if v.Rank() < finding.Capacity.Rank() && d.found[v] == 0 {
		d.found[v] = d.facts.steps
	}
}

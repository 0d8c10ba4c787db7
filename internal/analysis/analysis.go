// Package analysis follows one training process: it feeds its samples to one detector a memory, decides when
// evidence is worth its price, and joins verdicts and evidence into a report. It is pure: the same samples and
// evidence give the same report, whether they come from a running target or from a recording.
package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/detect"
	"github.com/torchleak/torchleak/internal/diagnose"
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/oom"
	"github.com/torchleak/torchleak/internal/recording"
)

// Options are the same for all processes of a run.
type Options struct {
	Warmup int64 // steps not to judge; 0 = find out
	// Replaced names, by the real path of a source file, the file that runs in its place: what the lines count in.
	Replaced map[string]string
}

// Process is the analysis of one training process.
type Process struct {
	options   Options
	hello     recording.Hello
	header    flight.Header
	lost      uint64
	detectors map[string]*detect.Detector
	order     []string            // memories as they appeared
	clocks    map[string]*batches // of loader workers' memories, which are judged by their own
	evidence  map[uint32]*evidence.Evidence
	steps     finding.Steps
	lastStep  int64
	blocks    int64 // of Python's, as last read
	asks      asks
	datasets  map[int64]diagnose.Dataset   // of loader workers, by process number
	reads     map[string]diagnose.Dataset  // … by memory
	keepings  map[diagnose.Dataset]keeping // what its source does with what it hands out
	epochs    int64                        // that the training has begun
	left      *oom.Left                    // when memory ran out
	settings  *oom.Simulated               // … and the allocation history was on
	end       *recording.End               // nil where nobody saw it
	pace      pace
	values    map[string]*[memory.Values]int64 // newest readings of the host's memories
	pages     *recording.Host                  // nil where nobody has looked
	growth    float64                          // bytes a second by which the host's memory leaks, as last forecast
	beside    float64                          // … in the other processes of the run
}

// New starts the analysis of the process that said hello.
func New(h recording.Hello, o Options) *Process {
	return &Process{
		options:   o,
		hello:     h,
		detectors: map[string]*detect.Detector{},
		clocks:    map[string]*batches{},
		values:    map[string]*[memory.Values]int64{},
		evidence:  map[uint32]*evidence.Evidence{},
		datasets:  map[int64]diagnose.Dataset{},
		reads:     map[string]diagnose.Dataset{},
		keepings:  map[diagnose.Dataset]keeping{},
	}
}

// Hello replaces what the process said of itself: role and limits become known late.
func (p *Process) Hello(h recording.Hello) { p.hello = h }

// Header takes the recorder's header as it was last read.
func (p *Process) Header(h flight.Header) { p.header = h }

// Lost takes how many records were overtaken before they were read.
func (p *Process) Lost(n uint64) { p.lost = n }

// Observe takes the next sample.
func (p *Process) Observe(s memory.Sample) {
	p.asks.passed(s.Nanos)
	kind := Kind(s.Memory)
	if kind != "device" {
		p.newest(&s)
	}
	if kind == "worker" {
		p.observeWorker(s)
		return
	}
	p.detector(s.Memory).Observe(s)
	if kind == "host" {
		p.observeBeside(s)
	}
	if n, ok := s.Get(memory.HostPythonBlocks); ok && s.Memory == "host" {
		p.blocks = n
	}
	if s.Step > p.lastStep {
		p.pace.add(s.Step-p.lastStep, s.Nanos)
		p.lastStep = s.Step
		p.mark(s)
		if s.Flags&memory.FlagEpoch != 0 {
			p.epochs++
		}
	}
}

// detector returns the detector of a memory, a new one for a new memory.
func (p *Process) detector(name string) *detect.Detector {
	d := p.detectors[name]
	if d == nil {
		d = detect.New(name, detect.Options{Kind: Kind(name), Limit: p.hello.Limits[name], Warmup: p.options.Warmup, Slack: p.slack(name)})
		p.detectors[name] = d
		p.order = append(p.order, name)
		p.tellOfOthers()
	}
	return d
}

// maxMarks bounds the marks of a run; the reports show no more.
const maxMarks = 400

func (p *Process) mark(s memory.Sample) {
	for _, m := range [...]struct {
		flag uint8
		kind string
	}{{memory.FlagEvaluation, "evaluation"}, {memory.FlagEvidence, "evidence"}, {memory.FlagEpoch, "epoch"}} {
		if s.Flags&m.flag != 0 && len(p.steps.Marks) < maxMarks {
			p.steps.Marks = append(p.steps.Marks, finding.Mark{Kind: m.kind, Step: s.Step})
		}
	}
}

// Evidence takes an answer, or the further part of one, and tells the detectors what it proves.
func (p *Process) Evidence(e *evidence.Evidence) {
	for id, earlier := range p.evidence {
		if id < e.Request {
			diagnose.MarkEmptied(earlier, e)
		}
	}
	diagnose.MarkEmptiers(p.locator(), e)
	p.evidence[e.Request] = e
	p.asks.paid(e)
	if len(e.Censuses) < 2 {
		return
	}
	for name, d := range p.detectors {
		if Kind(name) == "worker" {
			continue
		}
		c, ok := diagnose.Confirm(e, name)
		if !ok {
			continue
		}
		c = p.remembered(name, e, c)
		c.Brief = brief(e)
		c.Span = span(e)
		d.Confirm(c)
		if d.Verdict() == finding.Leak && !c.Brief {
			p.asks.proven(name, p.lastStep)
		}
	}
}

// brief reports that the evidence is the first part of an answer to come: one window of one period, or one of the longer
// ones in which growth that does not come in every step is looked for. A single window that is all is two periods, or
// four steps.
func brief(e *evidence.Evidence) bool {
	if e.Complete || len(e.Censuses) != 2 {
		return false
	}
	window := e.Censuses[1].Step - e.Censuses[0].Step
	return window < 2*e.Period || e.Period <= 1 && window >= longWindow
}

// span is how many steps the evidence looked at, 0 where it could not see all.
func span(e *evidence.Evidence) int64 {
	if !e.Complete || e.Truncated || e.Failed != "" {
		return 0
	}
	return e.LastStep() - e.Censuses[0].Step
}

// longWindow is how many steps the probe's longer windows have, at least.
const longWindow = 8

// remembered keeps an earlier answer that garbage cycles hold tensors where the collector has just taken them away: a
// census right after it finds none.
func (p *Process) remembered(name string, e *evidence.Evidence, c detect.Confirmation) detect.Confirmation {
	if c.Survivors || c.Cycle || !fell(e) {
		return c
	}
	for _, id := range slices.Sorted(maps.Keys(p.evidence)) {
		if id >= e.Request {
			break
		}
		earlier := p.evidence[id]
		if old, ok := diagnose.Confirm(earlier, name); ok && len(earlier.Cycles) > 0 && old.Cycle && !old.Survivors {
			old.Step = c.Step
			return old
		}
	}
	return c
}

// fell reports whether tensors of a fifth of all bytes went from one census to the next.
func fell(e *evidence.Evidence) bool {
	for i := 1; i < len(e.Censuses); i++ {
		if before := e.Censuses[i-1].TensorBytes; before > 0 && e.Censuses[i].TensorBytes < before/5*4 {
			return true
		}
	}
	return false
}

// Memories is how each memory stands now.
func (p *Process) Memories() []finding.Memory {
	var memories []finding.Memory
	for _, name := range p.order {
		m := p.detectors[name].Memory()
		if b := p.clocks[name]; b != nil {
			b.translate(&m)
		}
		memories = append(memories, m)
	}
	p.forecast(memories)
	return memories
}

// locator finds statements in the program's sources as they are now, or in what runs in their place.
func (p *Process) locator() *locate.Locator {
	l := locate.New(p.options.readSource, p.hello.Cwd)
	if p.hello.MainFile != "" {
		l.Consider(p.hello.MainFile)
	}
	return l
}

// Report is what can be said now.
func (p *Process) Report() finding.Report {
	var all []*evidence.Evidence
	for _, id := range slices.Sorted(maps.Keys(p.evidence)) {
		all = append(all, p.evidence[id])
	}
	r := diagnose.Report(diagnose.Input{
		Memories: p.Memories(),
		Evidence: all,
		Locator:  p.locator(),
		Datasets: p.reads,
		Target:   p.hello.Target(),
	})
	r.Target.Latest = p.wall(p.asks.now)
	r.Steps = p.steps
	r.Steps.Seen = max(p.lastStep, p.header.Steps)
	r.Steps.Warmup = p.warmup()
	r.Steps.Clock = p.header.Clock.String()
	r.Steps.SecondsPerStep = p.pace.median()
	r.Cost = p.cost()
	r.Host = p.host(r.Memories)
	r.OOM = p.postMortem(r.Memories)
	if r.OOM != nil && r.OOM.Fatal {
		r.Verdict = finding.Gravest(r.Verdict, r.OOM.Verdict)
		forgetForecasts(&r)
	}
	r.Notes = append(r.Notes, p.notes()...)
	return r
}

// warmup is the longest that a memory took to settle.
func (p *Process) warmup() int64 {
	w := p.options.Warmup
	for name, d := range p.detectors {
		if p.clocks[name] == nil {
			w = max(w, d.Warmup())
		}
	}
	return w
}

func (p *Process) cost() *finding.Cost {
	if p.header.Steps == 0 {
		return nil
	}
	return &finding.Cost{
		MicrosecondsPerStep: float64(p.header.ProbeNanos) / 1000 / float64(p.header.Steps),
		EvidenceSeconds:     float64(p.header.EvidenceNanos) / 1e9,
		Evidences:           len(p.evidence),
	}
}

func (p *Process) notes() []string {
	notes := append([]string{}, p.hello.Notes...)
	if reason, ok := strings.CutPrefix(p.hello.HeapSource, "none: "); ok {
		notes = append(notes, fmt.Sprintf("the host heap cannot be read (%s); host growth is judged by resident pages and Python's own blocks", reason))
	}
	if p.asks.unwritten {
		notes = append(notes, "the probe could not write the evidence it was asked for: is there room for the recording, and may the training open another file?")
	}
	switch n := p.header.Errors; {
	case n == 1:
		notes = append(notes, "the probe met an error of its own and went on; the training was not touched by it")
	case n > 1:
		notes = append(notes, fmt.Sprintf("the probe met %d errors of its own and went on; the training was not touched by them", n))
	}
	if p.header.State == flight.Off {
		notes = append(notes, "the probe switched itself off; the curves end early")
	}
	notes = append(notes, p.neighbours()...)
	notes = append(notes, p.unmapped()...)
	if p.lost > 0 {
		notes = append(notes, fmt.Sprintf("records lost: %d; steps were faster than they were read", p.lost))
	}
	return notes
}

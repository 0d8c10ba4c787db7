package watch

import (
	"slices"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// rank is one training process that is followed.
type rank struct {
	follower *analysis.Follower
	hello    recording.Hello
	header   flight.Header
	steps    int64
	stepped  time.Time // when the newest step was seen
	first    moment    // of the first sample
	newest   moment    // … and of the newest
	stepTime time.Duration
	values   map[string]*[memory.Values]int64 // newest readings by memory
	verdicts []finding.Verdict
	tool     finding.Tool
	report   finding.Report
	met      bool // it has made a step since the agent looks
	untold   bool // … which is awaited with a new report
	stale    bool // the report does not say all that is known
	reported time.Time
	memories []metrics.Memory // as last asked for
	quiet    []finding.Memory // … without series
	moved    bool             // … and there is more since
}

// moment is when a step ended, on the training's own clock.
type moment struct{ step, nanos int64 }

func newRank(p recording.Process, tool finding.Tool) *rank {
	return &rank{tool: tool, follower: analysis.Follow(p, analysis.Options{}), hello: p.Hello, values: map[string]*[memory.Values]int64{}, stale: true}
}

// reportEvery is how often the verdicts may call for a new report: each reads the training's sources. New evidence is not
// made to wait.
const reportEvery = 5 * time.Second

// look takes what has been recorded; files says that there may be new files. changed says that the report is a new one.
func (r *rank) look(now time.Time, files bool) (changed bool, errs []error) {
	before := r.newest
	header, news, errs := r.follower.Next(files, r.observe)
	if header.Capacity > 0 {
		r.header = header
	}
	if steps := max(r.header.Steps, r.newest.step); steps > r.steps {
		r.noteStep(now, steps, before)
	}
	if verdicts := r.follower.Verdicts(); !slices.Equal(verdicts, r.verdicts) {
		r.verdicts, r.stale = verdicts, true
	}
	r.stale = r.stale || news
	if r.steps == 0 || !r.stale || !news && now.Sub(r.reported) < reportEvery && now.After(r.reported) {
		return false, errs
	}
	r.makeReport(now)
	return true, errs
}

func (r *rank) makeReport(now time.Time) {
	r.report = r.follower.Report()
	r.report.Tool = r.tool
	for i := range r.report.Memories {
		r.report.Memories[i].Steps, r.report.Memories[i].Series = nil, nil // the largest part, and nothing to watch
	}
	r.stale, r.reported = false, now
}

// noteStep notes that steps have been seen at now. How long one takes is told by the training's own clock, which does not
// jump; when the newest one was, by ours, but for those that were made before we came.
func (r *rank) noteStep(now time.Time, steps int64, before moment) {
	if r.steps == 0 {
		r.stepped = time.Unix(0, r.header.StartWall+r.newest.nanos-r.header.StartMono)
	}
	if r.steps > 0 || r.stepped.After(now) {
		r.stepped = now
	}
	r.met = r.met || r.steps > 0 // whatever the clock says that may be set back
	r.steps = steps
	if before.step == 0 {
		before = r.first
	}
	if n := r.newest.step - before.step; n > 0 && r.newest.nanos > before.nanos {
		r.stepTime = time.Duration((r.newest.nanos - before.nanos) / n)
	}
}

func (r *rank) observe(s memory.Sample) {
	r.moved = true
	if r.first.step == 0 {
		r.first = moment{s.Step, s.Nanos}
	}
	if s.Step > r.newest.step {
		r.newest = moment{s.Step, s.Nanos}
	}
	values := r.values[s.Memory]
	if values == nil {
		values = new([memory.Values]int64)
		for i := range values {
			values[i] = memory.Absent
		}
		r.values[s.Memory] = values
	}
	for i, v := range s.V {
		if v != memory.Absent {
			values[i] = v
		}
	}
}

// alive reports whether the process runs, as far as can be told from here.
func (r *rank) alive() bool {
	return r.header.State != flight.Ended && process.Exists(r.hello.PID)
}

// state is the rank as metrics show it.
func (r *rank) state(recording string, running bool) metrics.Rank {
	if r.moved || r.memories == nil {
		r.moved = false
		r.memories, r.quiet = r.memories[:0], nil
		for _, m := range r.follower.Memories() {
			m.Steps, m.Series = nil, nil
			if shown(m) {
				r.memories = append(r.memories, r.withValues(m))
			} else {
				r.quiet = append(r.quiet, m)
			}
		}
	}
	s := metrics.Rank{
		Recording: recording, Report: r.report, Running: running, Met: r.met, LastStep: r.stepped, StepTime: r.stepTime,
		Probe: time.Duration(r.header.ProbeNanos), Memories: slices.Clone(r.memories), Quiet: r.quiet,
	}
	s.Report.Steps.Seen = r.steps
	return s
}

func (r *rank) withValues(m finding.Memory) metrics.Memory {
	out := metrics.Memory{Memory: m}
	for i := range out.Values {
		out.Values[i] = memory.Absent
	}
	if values := r.values[m.Name]; values != nil {
		out.Values = *values
	}
	return out
}

// shown reports whether a memory is worth series of its own: there may be hundreds of loader workers, and a new set in every
// epoch.
func shown(m finding.Memory) bool {
	return m.Kind != "worker" || m.Verdict.Rank() < finding.Capacity.Rank()
}

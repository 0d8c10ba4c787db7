package watch

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// followed is a recording whose training runs, or has just ended.
type followed struct {
	place
	tool    finding.Tool
	dir     recording.Dir
	run     recording.Run
	scanned time.Time // modification time of the directory when it was last scanned
	ranks   map[string]*rank
	visible bool           // processes that make it are seen here
	seen    bool           // … or were
	since   time.Time      // when the agent began to look
	ended   time.Time      // zero while the training runs
	final   []metrics.Rank // what was known when it ended
}

func follow(p place, tool finding.Tool) *followed {
	return &followed{place: p, tool: tool, dir: recording.Dir{Path: p.open}, ranks: map[string]*rank{}}
}

// look takes what is new. changed is called with a rank whose report is a new one, once it is met.
func (f *followed) look(now time.Time, changed func(*rank), failed func(error)) {
	files := f.dir.Changed(&f.scanned)
	if files {
		f.scan(failed)
	}
	for _, key := range slices.Sorted(maps.Keys(f.ranks)) {
		r := f.ranks[key]
		news, errs := r.look(now, files)
		for _, err := range errs {
			failed(err)
		}
		r.untold = r.untold || news
		r.met = r.met || r.stepped.After(f.since)
		if r.untold && r.met {
			r.untold = false
			changed(r)
		}
	}
}

// scan takes up what processes have said of themselves since.
func (f *followed) scan(failed func(error)) {
	run, err := f.dir.LoadRun()
	if err != nil {
		failed(err)
	} else {
		f.run = run
	}
	processes, errs := f.dir.Processes()
	for _, err := range errs {
		failed(err)
	}
	f.forget(processes)
	for _, p := range processes {
		if p.Flight() == "" {
			continue // it has made no step yet, or is a loader worker
		}
		if r := f.ranks[p.Key]; r != nil {
			r.hello = p.Hello
			r.follower.Said(p)
		} else {
			f.replaced(p)
			f.ranks[p.Key] = newRank(p, f.tool)
		}
	}
	for _, r := range f.ranks {
		for _, p := range processes {
			r.follower.Worker(p.Hello)
		}
	}
}

// forget forgets processes that the recording does not tell of any more: it was removed, and another one made in its place.
func (f *followed) forget(known []recording.Process) {
	for key, r := range f.ranks {
		if !slices.ContainsFunc(known, func(p recording.Process) bool { return p.Key == key }) {
			r.follower.Close()
			delete(f.ranks, key)
		}
	}
}

// replaced forgets what a process ran before it replaced itself by another program, as os.exec does.
func (f *followed) replaced(by recording.Process) {
	for key, r := range f.ranks {
		if r.hello.PID == by.Hello.PID && r.hello.StartWall <= by.Hello.StartWall {
			r.follower.Close()
			delete(f.ranks, key)
		}
	}
}

// freshStep is how new the newest step of a training must be for it to count as running where its processes cannot be seen, as
// those of another container.
const freshStep = 2 * time.Minute

// runs reports whether the training still runs.
func (f *followed) runs(now time.Time) bool {
	switch {
	case f.run.Over():
		return false
	case f.visible || f.seen:
		return f.visible
	case now.Sub(f.run.Started).Abs() < freshStep: // the clock may have been set back since
		return true
	}
	for _, r := range f.ranks {
		if f.fresh(r, now) {
			return true
		}
	}
	return false
}

// fresh reports whether a rank has made a step lately and not ended. The probe in one that was attached to says its last word when that is
// let go, too; which of the two it is will stand in run.json.
func (f *followed) fresh(r *rank, now time.Time) bool {
	return (r.header.State != flight.Ended || f.run.Attached) && now.Sub(r.stepped) < freshStep
}

// running reports whether one of its processes still runs.
func (f *followed) running(r *rank, now time.Time) bool {
	switch {
	case !f.visible || f.open != f.path:
		return f.fresh(r, now)
	case f.run.Attached:
		return process.Exists(f.run.PID) // the number by which it is known here
	}
	return r.alive()
}

// states lists the ranks that have made a step, by rank.
func (f *followed) states(now time.Time) []metrics.Rank {
	if !f.ended.IsZero() {
		return f.final
	}
	var together []*analysis.Process
	for _, r := range f.ranks {
		together = append(together, r.follower.Process)
	}
	analysis.Together(together)
	var all []metrics.Rank
	for _, r := range f.ranks {
		if r.steps > 0 {
			s := r.state(f.path, f.running(r, now))
			r.follower.Conclude(&s.Report, f.run)
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b metrics.Rank) int {
		x, y := a.Report.Target, b.Report.Target
		return cmp.Or(cmp.Compare(x.Rank, y.Rank), cmp.Compare(x.PID, y.PID))
	})
	return all
}

// end keeps what was known last and closes all files. What was let go ran then.
func (f *followed) end(now time.Time, failed func(error)) {
	for _, r := range f.ranks {
		if err := r.follower.ReadEnd(); err != nil {
			failed(err)
		}
		if r.steps > 0 && r.stale {
			r.makeReport(now)
		}
	}
	f.final = f.states(now)
	for i := range f.final {
		f.final[i].Running = f.run.LetGo()
	}
	f.ended = now
	for _, r := range f.ranks {
		r.follower.Close()
	}
	f.ranks = nil
}

// newestSign is when a recording that has not ended was begun or its newest step was made, told by the ends of its recorders
// alone; zero for one that has ended.
func newestSign(d recording.Dir) time.Time {
	run, err := d.LoadRun()
	if err != nil || run.Over() {
		return time.Time{}
	}
	newest := run.Started
	if newest.IsZero() { // it is being begun
		newest = modified(d.Path)
	}
	processes, _ := d.Processes() // what cannot be read was not made lately
	for _, p := range processes {
		if at, ok := newestStep(p); ok && at.After(newest) {
			newest = at
		}
	}
	return newest
}

func newestStep(p recording.Process) (at time.Time, ok bool) {
	if p.Flight() == "" {
		return at, false
	}
	recorder, err := flight.OpenReadOnly(p.Flight())
	if err != nil {
		return at, false
	}
	defer recorder.Close()
	h, record, ok := recorder.Newest()
	return time.Unix(0, h.StartWall+record.Sample.Nanos-h.StartMono), ok && h.State != flight.Ended
}

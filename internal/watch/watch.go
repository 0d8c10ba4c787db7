// Package watch is the agent of a machine: it finds the recordings of trainings that run here, follows them, judges them as
// `torchleak run` does, and says what it knows as metrics. It only reads; the trainings do nothing for it.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/recording"
)

// Config says what to watch.
type Config struct {
	Tool  finding.Tool
	Dirs  []string // where recordings are looked for beside those of running trainings
	Only  string   // path of the one recording that is followed; empty means all that are found
	Users []int    // whose recordings are read; none means this user's
	// GPUs reads the devices of this machine, or says why it cannot; nil is fine.
	GPUs func() ([]metrics.GPU, error)
	// Changed is called with a training's report whenever it says something new, once the training has made a step since the first
	// look: what was over before is no news. nil is fine.
	Changed func(recording string, r finding.Report)
	// Failed is called once with each recording and error; nil is fine.
	Failed func(recording string, err error)
}

// Intervals of the agent's work. A look reads what trainings have recorded; finding looks for new ones, and takes no more than one
// part in findShare of a processor, and where disks are slow one in findWait of the time.
const (
	lookEvery = time.Second
	findEvery = 5 * time.Second
	findShare = 200
	findWait  = 10
	gpusEvery = 10 * time.Second
	linger    = 5 * time.Minute // for which a training that has ended is still shown
	// forgotten is how old the newest step of a training is that is not looked at again; one that is not seen to have ended, and is
	// not seen to run, may be in an evaluation.
	forgotten = time.Hour
)

// Agent watches. State may be called from any goroutine, but not by what Config has it call.
type Agent struct {
	config Config
	roots  []*folder

	mu       sync.Mutex
	followed map[string]*followed
	ended    map[string]time.Time // recordings that have ended, with the modification time of their directory
	idle     map[string]time.Time // recordings whose training may go on, though it has made no step for a while, with the newest sign of it
	refused  map[string]bool      // as last looked at
	said     map[string]bool      // errors, by recording
	errors   uint64
	lost     uint64    // by recordings that are no longer followed
	began    time.Time // of the first look
	looked   time.Time
	gpus     []metrics.GPU
	noGPUs   error
	findAt   time.Time
	gpusAt   time.Time // of the one goroutine that looks
}

// New returns an agent that has not looked yet.
func New(c Config) *Agent {
	if len(c.Users) == 0 {
		c.Users = []int{os.Geteuid()}
	}
	a := &Agent{
		config: c, followed: map[string]*followed{}, ended: map[string]time.Time{}, idle: map[string]time.Time{}, refused: map[string]bool{}, said: map[string]bool{},
	}
	for _, dir := range c.Dirs {
		a.roots = append(a.roots, &folder{path: resolved(dir)})
	}
	return a
}

// resolved is the path by which a directory that was named is known: metrics are read elsewhere.
func resolved(dir string) string {
	path, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// collectAt is by how many percent the heap may grow before it is collected. What an agent knows of a training is kept in place, so
// little is thrown away, and memory is dearer here than the collector's time.
const collectAt = 20

// Run looks until the context ends. It makes this process a small one.
func (a *Agent) Run(ctx context.Context) {
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for first := true; ; first = false {
		a.Look(time.Now())
		if first {
			debug.FreeOSMemory() // what the start and old recordings took
		}
		select {
		case <-ctx.Done():
			a.Look(time.Now()) // what is sent last is what is so then: that a training has ended
			return
		case <-ticker.C:
		}
	}
}

// Look takes what is new at the time now.
func (a *Agent) Look(now time.Time) {
	a.lookAtGPUs(now)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.looked.IsZero() {
		a.began = now
	}
	if due(a.findAt, now) {
		began := time.Now()
		used := processorTime(func() { a.find(now) })
		a.findAt = now.Add(max(findEvery, findShare*used, findWait*time.Since(began)))
	}
	for _, path := range slices.Sorted(maps.Keys(a.followed)) {
		a.look(now, a.followed[path])
	}
	a.looked = now
}

// lookAtGPUs asks the driver, which may take its time, without keeping others from what is known.
func (a *Agent) lookAtGPUs(now time.Time) {
	if a.config.GPUs == nil || !due(a.gpusAt, now) {
		return
	}
	a.gpusAt = now.Add(gpusEvery)
	gpus, err := a.config.GPUs()
	a.mu.Lock()
	a.gpus, a.noGPUs = gpus, err
	a.mu.Unlock()
}

// due reports whether it is time. The clock may have been set back: what is to be done in the far future is to be done now.
func due(at, now time.Time) bool { return !now.Before(at) || at.Sub(now) > time.Hour }

// look takes what is new in one recording.
func (a *Agent) look(now time.Time, f *followed) {
	if !f.ended.IsZero() {
		if gone := now.Sub(f.ended); gone > linger || gone < 0 {
			delete(a.followed, f.path)
		}
		return
	}
	failed := func(err error) { a.failed(f.path, err) }
	f.look(now, func(r *rank) {
		if a.config.Changed != nil {
			a.config.Changed(f.path, r.report)
		}
	}, failed)
	if f.runs(now) {
		return
	}
	for _, r := range f.ranks {
		a.lost += r.follower.Missed()
	}
	f.end(now, failed)
	a.close(f.path, f.open, f.run.Over() || f.seen)
	if len(f.final) == 0 {
		delete(a.followed, f.path)
	}
}

// close notes that a recording is not to be looked at again, for as long as it is the same. seen says that its end was seen;
// otherwise its training may go on.
func (a *Agent) close(path, open string, seen bool) {
	a.ended[path] = modified(open)
	if !seen {
		a.idle[path] = newestSign(recording.Dir{Path: open})
	}
}

func modified(path string) time.Time {
	st, err := os.Lstat(path)
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}

// find looks for recordings that are not known yet.
func (a *Agent) find(now time.Time) {
	visible := running(a.config.Users)
	seen := func(path string) bool {
		return slices.ContainsFunc(visible, func(p place) bool { return p.path == path })
	}
	for _, f := range a.followed {
		f.visible = seen(f.path)
		f.seen = f.seen || f.visible
	}
	if only := a.config.Only; only != "" {
		if a.followed[only] == nil {
			a.take(place{only, only}, seen(only))
		}
		return
	}
	for _, p := range visible {
		if f := a.followed[p.path]; (f == nil || !f.ended.IsZero()) && !a.followsElsewhere(p.open) {
			a.take(p, true)
		}
	}
	budget := searchWidth
	for _, root := range a.roots {
		root.search(&budget, func(path string) { a.meet(now, path) })
	}
	for path := range a.idle {
		a.revive(now, path)
	}
}

// meet takes a recording that lies in a directory that was named, if its training runs.
func (a *Agent) meet(now time.Time, path string) {
	if f := a.followed[path]; f != nil && f.ended.IsZero() {
		return
	}
	if at, known := a.ended[path]; known && at.Equal(modified(path)) {
		return
	}
	if a.followsElsewhere(path) {
		return
	}
	if err := admissible(path, a.config.Users); err != nil {
		a.refuse(path, err)
		return
	}
	if _, err := (recording.Dir{Path: path}).LoadRun(); err != nil {
		a.refuse(path, err)
		return
	}
	delete(a.refused, path)
	if age := now.Sub(newestSign(recording.Dir{Path: path})); age < freshStep {
		a.take(place{path, path}, false)
	} else {
		a.close(path, path, age > forgotten)
	}
}

// followsElsewhere reports whether the recording at path is followed by another name.
func (a *Agent) followsElsewhere(path string) bool {
	for _, f := range a.followed {
		if f.ended.IsZero() && f.path != path && sameFile(f.open, path) {
			return true
		}
	}
	return false
}

// revive takes a recording up again whose training has made a step after a long while.
func (a *Agent) revive(now time.Time, path string) {
	if a.followed[path] != nil && a.followed[path].ended.IsZero() {
		delete(a.idle, path)
		return
	}
	sign := newestSign(recording.Dir{Path: path})
	switch age := now.Sub(sign); {
	case age < freshStep && !sign.Equal(a.idle[path]): // an old one may be in the future: clocks are set back
		a.take(place{path, path}, false)
		delete(a.idle, path)
	case age > forgotten:
		delete(a.idle, path)
	}
}

// take begins to follow a recording.
func (a *Agent) take(p place, visible bool) {
	if err := admissible(p.open, a.config.Users); err != nil {
		a.refuse(p.path, err)
		return
	}
	f := follow(p, a.config.Tool)
	f.visible, f.seen, f.since = visible, visible, a.began
	run, err := f.dir.LoadRun()
	if err != nil {
		a.refuse(p.path, err)
		return
	}
	if visible && run.Over() {
		return // what outlives its training is no training
	}
	a.followed[p.path] = f
	delete(a.ended, p.path)
	delete(a.idle, p.path)
	delete(a.refused, p.path)
}

// refuse says why a recording is not read. One that is not there is no recording: its training has removed it.
func (a *Agent) refuse(path string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		delete(a.refused, path)
		return
	}
	a.refused[path] = true
	a.say(path, err)
}

func (a *Agent) failed(path string, err error) {
	a.errors++
	a.say(path, err)
}

// say says each error of a recording once.
func (a *Agent) say(path string, err error) {
	key := path + "\x00" + err.Error()
	if a.said[key] || len(a.said) > maxSaid {
		return
	}
	a.said[key] = true
	if a.config.Failed != nil {
		a.config.Failed(path, err)
	}
}

// maxSaid bounds the errors that are remembered.
const maxSaid = 10_000

// State is what is known now.
func (a *Agent) State() metrics.State {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := metrics.State{
		Version: a.config.Tool.Version, GPUs: a.gpus,
		Agent: metrics.Agent{Ended: len(a.ended), Unreadable: len(a.refused), Lost: a.lost, Errors: a.errors, Looked: a.looked},
	}
	switch {
	case a.config.GPUs == nil:
		s.NoNVML = "not asked"
	case a.noGPUs != nil:
		s.NoNVML = fmt.Sprint(a.noGPUs)
	}
	for _, path := range slices.Sorted(maps.Keys(a.followed)) {
		f := a.followed[path]
		s.Ranks = append(s.Ranks, f.states(a.looked)...)
		if f.ended.IsZero() {
			s.Agent.Running++
		}
		for _, r := range f.ranks {
			s.Agent.Lost += r.follower.Missed()
		}
	}
	return s
}

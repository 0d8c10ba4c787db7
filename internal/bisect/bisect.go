// Package bisect finds the statements that make memory grow by experiment: it runs a training again and again for some
// steps, with one group of statements switched off after another, and keeps to the groups without which the growth ends.
package bisect

import (
	"errors"
	"fmt"
	"time"

	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/finding"
)

// Options say how to look.
type Options struct {
	Runs  int   // at most, the first one included
	Steps int64 // of the first run
	// Progress is called before each run.
	Progress func(Progress)
}

// Progress is where the search stands.
type Progress struct {
	Run, Runs int // the run that begins now, and how many there are at most
	Steps     int64
	Off       []experiment.Statement // in this run
	Last      *Trial                 // of the run before; nil in the first two
	Series    experiment.Series
	Left      time.Duration // until the last run ends, if all are made; 0 where that is not known
}

// Result is what was found.
type Result struct {
	Report     finding.Report // of the first run, as it is
	Base       experiment.Run
	Statements []experiment.Statement // that could be switched
	Growth     experiment.Growth      // of the training as it is
	Found      []experiment.Statement // the smallest set whose absence ends the growth
	Proven     bool                   // a run without them did not grow
	RateOff    float64                // growth a step in that run
	CurveOff   experiment.Curve       // without them
	Trials     []Trial
	Steps      int64 // of the runs behind the first
}

// Of returns the statements at the places of a trial.
func (r Result) Of(places []int) (statements []experiment.Statement) {
	for _, i := range places {
		statements = append(statements, r.Statements[i])
	}
	return statements
}

// Why a search could not be made.
var (
	ErrNoSteps  = errors.New("nothing was watched")
	ErrNoGrowth = errors.New("memory does not grow")
	ErrNothing  = errors.New("no statement that runs again and again could be switched")
)

// Find looks for the statements. With an error the result holds what is known so far.
func Find(lab *experiment.Lab, o Options) (Result, error) {
	h := &hunt{lab: lab, options: o}
	if err := h.first(); err != nil {
		return h.result, err
	}
	s := &search{try: h.trial, runs: o.Runs - 1}
	found := s.find(groupsOf(h.result.Statements, h.result.Growth.Period))
	if len(found) == 1 && h.err == nil {
		found = s.within(h.result.Statements, found)
	}
	r := &h.result
	r.Trials, r.Found = s.trials, r.Of(found)
	if len(found) == 0 {
		return *r, h.err
	}
	if t, ok := s.test(found); ok && t.Gone() {
		r.Proven, r.RateOff, r.CurveOff = true, t.Rate, h.curves[key(t.Off)]
	}
	return *r, h.err
}

// within looks whether the growth comes from a statement in the call that was found. What gives or stores a value is the
// statement itself: without that value, what is inside would not be missed.
func (s *search) within(all []experiment.Statement, found []int) []int {
	inner := inside(all, found[0])
	if all[found[0]].Kind != experiment.Call || len(inner) == 0 || s.runs <= 0 {
		return found
	}
	if t, ok := s.test(inner); !ok || !t.Gone() {
		return found
	}
	narrowed := s.confirm(s.narrow(inner, 1))
	if t, ok := s.test(narrowed); ok && t.Gone() {
		return narrowed
	}
	return found
}

// hunt makes the runs.
type hunt struct {
	lab     *experiment.Lab
	options Options
	result  Result
	made    int
	spent   time.Duration // of the runs behind the first
	last    *Trial
	curves  map[string]experiment.Curve // by what was off
	err     error
}

// first runs the training as it is: does memory grow, where, how many steps does it take to see, which statements run.
func (h *hunt) first() error {
	h.progress(nil, h.options.Steps)
	run, err := h.lab.Run("run-1", experiment.Plan{List: true}, h.options.Steps)
	if err != nil {
		return err
	}
	h.made++
	r := &h.result
	r.Base, r.Report = run, run.Report
	if run.Steps() == 0 {
		return ErrNoSteps
	}
	growth, ok := experiment.Growing(run)
	if !ok {
		return ErrNoGrowth
	}
	h.measure(growth)
	r.Statements = repeated(run.Statements)
	if len(r.Statements) == 0 {
		return ErrNothing
	}
	h.curves = map[string]experiment.Curve{}
	// A training may wait for what a statement that is off would have done.
	if limit := 2*run.Took + patience; h.lab.Timeout == 0 || limit < h.lab.Timeout {
		h.lab.Timeout = limit
	}
	return nil
}

// patience is how much longer than the first run another may take, besides twice its time.
const patience = 15 * time.Second

// trial runs the training with statements off.
func (h *hunt) trial(off []int) Trial {
	if h.err != nil {
		return Trial{}
	}
	plan, statements := experiment.Plan{Free: experiment.Free}, h.result.Of(off)
	for _, s := range statements {
		plan.Off = append(plan.Off, s.Place())
	}
	h.progress(statements, h.result.Steps)
	run, err := h.lab.Run(fmt.Sprintf("run-%d", h.made+1), plan, h.result.Steps)
	if err != nil {
		h.err = err
		return Trial{}
	}
	h.made++
	h.spent += run.Took
	t := h.judge(run)
	h.last = &t
	if c, ok := experiment.Find(run.Curves, h.result.Growth.Curve.Series); ok {
		h.curves[key(off)] = c
	}
	return t
}

// judge compares the growth of a run with that of the first. A run that crashed or hardly stepped says nothing.
func (h *hunt) judge(run experiment.Run) Trial {
	c, ok := experiment.Find(run.Curves, h.result.Growth.Curve.Series)
	if !ok || run.Crashed() || c.Last() < h.result.Steps*3/4 {
		return Trial{}
	}
	rate, ok := c.Rate(h.result.Growth.From, h.result.Steps, h.result.Growth.Period)
	if !ok {
		return Trial{}
	}
	return Trial{Resolved: true, Rate: rate, Left: h.result.Growth.Left(rate)}
}

func (h *hunt) progress(off []experiment.Statement, steps int64) {
	if h.options.Progress == nil {
		return
	}
	p := Progress{Run: h.made + 1, Runs: h.options.Runs, Steps: steps, Off: off, Last: h.last, Series: h.result.Growth.Curve.Series}
	each := h.spent / time.Duration(max(1, h.made-1))
	if h.made == 1 {
		each = h.result.Base.Took * time.Duration(steps) / time.Duration(max(1, h.result.Base.Steps()))
	}
	p.Left = each * time.Duration(h.options.Runs-h.made)
	h.options.Progress(p)
}

func key(off []int) string { return fmt.Sprint(off) }

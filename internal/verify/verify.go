// Package verify proves a change of source by two runs: the training as it is and with the change, in the same number of
// steps and from the same seeds. A change holds when memory that grew does not grow any more and the losses are the same.
package verify

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
)

// File is a source file and what it is to become.
type File struct {
	Path   string // as it is opened
	Before []byte
	After  []byte
}

// Outcome is what a run with a change came to.
type Outcome struct {
	Files   []File            // that were changed
	Left    []finding.Finding // what makes memory grow with the change, the dearest first; lines are those of the changed files
	Growth  experiment.Curve  // as the counter that grew now is
	Rate    float64           // its growth a step
	Verdict finding.Verdict
	Losses  Losses
	Unrun   []string // changed files that the training does not run
	Untried bool     // all of them are such
	Gone    bool     // the growth
	Broke   bool     // the training ended with an error, or the change does not compile
	Reason  string   // why the change does not hold; empty: it does
}

// Holds reports that the change ends the growth and nothing else.
func (o Outcome) Holds() bool { return o.Reason == "" }

// Bench makes the runs: one of the training as it is, and one for each change.
type Bench struct {
	Lab   *experiment.Lab
	Steps int64
	// Progress is called before each run with what it is for.
	Progress func(what string)

	Base   experiment.Run
	Growth experiment.Growth // of the training as it is
	again  *experiment.Run   // a second run of it, where one was needed
	ran    []string          // the changed files that ran in the last run with a change
	made   int
}

// Why there is nothing to prove.
var (
	ErrNoSteps   = errors.New("nothing was watched")
	ErrNoGrowth  = errors.New("memory does not grow")
	ErrUndecided = errors.New("too few steps to tell whether memory grows")
)

// Start runs the training as it is.
func (b *Bench) Start() error {
	run, err := b.run("as it is", experiment.Plan{Numbers: true})
	if err != nil {
		return err
	}
	b.Base = run
	if run.Steps() == 0 {
		return ErrNoSteps
	}
	growth, ok := experiment.Growing(run)
	switch {
	case ok:
		b.Growth = growth
		return nil
	case run.Report.Verdict == finding.Undecided:
		return ErrUndecided
	}
	return ErrNoGrowth
}

func (b *Bench) run(what string, plan experiment.Plan) (experiment.Run, error) {
	if b.Progress != nil {
		b.Progress(what)
	}
	b.made++
	return b.Lab.Run(fmt.Sprintf("run-%d", b.made), plan, b.Steps)
}

// Try runs the training with the changed files.
func (b *Bench) Try(what string, files []File) (Outcome, error) {
	sources, err := b.lay(files)
	if err != nil {
		return Outcome{}, err
	}
	run, err := b.run(what, experiment.Plan{Sources: sources, Numbers: true, Evidence: true})
	if err != nil {
		return Outcome{}, err
	}
	b.ran = run.Replaced
	o := Outcome{Files: files, Verdict: run.Report.Verdict, Unrun: b.unrun(files, sources)}
	switch {
	case len(run.Refused) > 0:
		o.Broke, o.Reason = true, "Python cannot compile what is changed: "+run.Refused[0]
		return o, nil
	case len(o.Unrun) == len(sources) && len(sources) > 0:
		o.Untried, o.Reason = true, "the training does not run "+strings.Join(o.Unrun, ", ")
		return o, nil
	}
	c, ok := experiment.Find(run.Curves, b.Growth.Curve.Series)
	if !ok || run.Crashed() && !b.Base.Crashed() {
		o.Broke = true
		o.Reason = fmt.Sprintf("the training ended with status %d, without a word", run.Exit)
		if said := run.Said(1); said != "" {
			o.Reason = fmt.Sprintf("the training ended with status %d: %s", run.Exit, said)
		}
		return o, nil
	}
	o.Growth, o.Left = c, growing(run.Report)
	sound := b.Growth.Judged(run, c)
	rate, measured := b.Growth.Rest(c)
	if sound && measured && !b.Growth.Gone(c) {
		if o.Growth, err = b.calm(sources, c); err != nil {
			return o, err
		}
		rate, measured = b.Growth.Rest(o.Growth)
	}
	o.Rate = rate
	o.Gone = sound && b.Growth.Gone(o.Growth)
	if o.Losses, err = b.losses(run); err != nil {
		return o, err
	}
	other, worse := experiment.New(b.Base, run, b.Growth)
	switch {
	case !measured:
		o.Reason = fmt.Sprintf("the training made %d steps, too few to compare", run.Steps())
	case !o.Gone:
		o.Reason = fmt.Sprintf("memory still grows by %s (%s)", b.Growth.Amount(rate), o.Verdict)
	case worse:
		o.Reason = fmt.Sprintf("now %s grows (%s)", other.Memory, other.Name)
	case !o.Losses.Same():
		o.Reason = o.Losses.String()
	}
	return o, nil
}

// calm is the counter in a run of the changed training without evidence: gathering that makes the heap larger and smaller, more
// than what is left to be told. It is c itself where such a run does not have it.
func (b *Bench) calm(sources map[string]string, c experiment.Curve) (experiment.Curve, error) {
	run, err := b.run("changed once more, since gathering evidence stirs up what is counted", experiment.Plan{Sources: sources, Numbers: true})
	if err != nil {
		return c, err
	}
	if again, ok := experiment.Find(run.Curves, c.Series); ok && !run.Crashed() {
		return again, nil
	}
	return c, nil
}

// growing are the findings of a run whose memory grows without end; those that the fix of another one mends are left out.
func growing(r finding.Report) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f finding.Finding) bool {
		return !experiment.Leaks(f.Verdict) || f.SameGrowthAs != nil
	})
}

// lay writes the changed files into the folder of the next run and says what stands for what.
func (b *Bench) lay(files []File) (map[string]string, error) {
	sources := map[string]string{}
	for i, f := range files {
		if bytes.Equal(f.Before, f.After) {
			continue
		}
		path, err := real(f.Path)
		if err != nil {
			return nil, err
		}
		changed := filepath.Join(b.Lab.Dir, fmt.Sprintf("changed-%d-%d.py", b.made+1, i))
		if err := recording.WriteFile(changed, f.After); err != nil {
			return nil, err
		}
		sources[path] = changed
	}
	return sources, nil
}

// unrun are the changed files that the last run did not run.
func (b *Bench) unrun(files []File, sources map[string]string) []string {
	var unrun []string
	for _, f := range files {
		path, err := real(f.Path)
		if err == nil && sources[path] != "" && !slices.Contains(b.ran, path) {
			unrun = append(unrun, f.Path)
		}
	}
	return unrun
}

// real is the path by which the target knows a file.
func real(path string) (string, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// losses compares those of a run with those of the training as it is. Where they differ, a second run of it says by
// how much they differ by themselves.
func (b *Bench) losses(run experiment.Run) (Losses, error) {
	l := compare(b.Base.Numbers, run.Numbers)
	if l.Compared == 0 || l.Exact() {
		return l, nil
	}
	if b.again == nil {
		again, err := b.run("as it is once more, since the losses differ", experiment.Plan{Numbers: true})
		if err != nil {
			return l, err
		}
		b.again = &again
	}
	l.Noise = compare(b.Base.Numbers, b.again.Numbers).Apart
	return l, nil
}

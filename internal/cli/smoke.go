package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/torchleak/torchleak/internal/report/junit"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/session"
	"github.com/torchleak/torchleak/internal/smoke"
)

type smokeCommand struct {
	training
	Steps        int64           `default:"200" placeholder:"N" help:"Stop the training after N steps (200). Below 150 the compared steps are scaled down."`
	Timeout      time.Duration   `default:"30m" help:"Stop a training that has not made its steps after so long; 0 waits for ever."`
	JUnit        string          `name:"junit" output:"" placeholder:"FILE" help:"Write the outcome as JUnit XML, one test case a memory (- for standard output)."`
	Baseline     string          `placeholder:"FILE" help:"Fail when peak or growth got worse than this saved clean run."`
	SaveBaseline string          `output:"" placeholder:"FILE" help:"Save this run as the baseline, if it passes."`
	Tolerance    smoke.Tolerance `default:"5%" help:"By how much a figure may be worse than the baseline's (5%)."`
}

// Help is shown below the usage.
func (smokeCommand) Help() string {
	return "Watches the training as run does, stops it after --steps steps, compares step 50 with step 150 and looks whether growth goes on after step 100. " +
		"Exit status: 0 when nothing leaks, 1 on a leak or when a run got worse than its baseline, 3 when it could not be judged."
}

// gate is one smoke run and what came of it.
type gate struct {
	watched
	judged  smoke.Result
	trouble string   // why the run cannot pass though no memory failed, with what to do; empty: there is none
	remarks []string // about the comparison
	seconds float64
}

// Run runs the training as a gate.
func (c *smokeCommand) Run(stdio Stdio) error {
	if c.Steps < smoke.LeastSteps {
		return &usageError{fmt.Sprintf("--steps %d is too few to judge memory: at least %d are needed", c.Steps, smoke.LeastSteps)}
	}
	base, err := c.readBaseline()
	if err != nil {
		return err
	}
	began := time.Now()
	w, err := c.watch(c.Steps, c.Timeout, beside{}, stdio)
	if err != nil {
		return err
	}
	say := phrase.In(c.Lang)
	g := gate{watched: w, judged: smoke.Judge(w.report, smoke.WindowsOf(c.Steps), c.fails), seconds: time.Since(began).Seconds()}
	if text := say.Windows(g.judged.Windows, c.Steps); text != "" {
		g.remarks = append(g.remarks, text)
	}
	if base != nil && w.Contact == session.Stepped {
		for _, d := range g.judged.Compare(*base, w.report, c.Steps, c.Tolerance) {
			g.remarks = append(g.remarks, say.Differs(d))
		}
	}
	g.trouble = c.trouble(g)
	errs := []error{c.publish(w, stdio)}
	c.say(g, say, stdio.Err)
	if c.JUnit != "" {
		errs = append(errs, writeMade(c.JUnit, stdio.Out, func(w io.Writer) error { return junit.Write(w, g.suite()) }))
	}
	errs = append(errs, c.save(g, stdio))
	if err := errors.Join(errs...); err != nil {
		return &UserError{err, "The recording is kept; `torchleak report` makes its reports again."}
	}
	return g.exit()
}

func (c *smokeCommand) readBaseline() (*smoke.Baseline, error) {
	if c.Baseline == "" {
		return nil, nil
	}
	b, err := smoke.ReadBaseline(c.Baseline)
	if err != nil {
		return nil, &UserError{fmt.Errorf("reading the baseline: %w", err), "A clean run saves one with --save-baseline FILE; docs/format/baseline.md describes it."}
	}
	return &b, nil
}

// save writes the baseline of a run that passed: one that leaks must not become the measure of others.
func (c *smokeCommand) save(g gate, stdio Stdio) error {
	if c.SaveBaseline == "" {
		return nil
	}
	if g.exit() != nil {
		fmt.Fprintln(stdio.Err, "torchleak:", phrase.In(c.Lang).Words("the baseline was not saved: the run did not pass"))
		return nil
	}
	return writeMade(c.SaveBaseline, stdio.Out, smoke.BaselineOf(g.report, g.judged, c.Steps).Write)
}

// exit is the gate's exit status. A leak counts though the training crashed: it may have died of it.
func (g gate) exit() error {
	switch outcome := g.judged.Outcome(); {
	case outcome == smoke.Failed:
		return exitStatus(exitFindings)
	case g.trouble != "" || outcome != smoke.Passed:
		return exitStatus(exitFailed)
	}
	return nil
}

// trouble says why the run cannot pass, and what to do.
func (c *smokeCommand) trouble(g gate) string {
	seen := int64(0)
	for _, r := range smoke.Ranks(g.report) {
		seen = max(seen, r.Steps.Seen)
	}
	switch {
	case g.Contact != session.Stepped:
		msg, hint := silence(g.Result, g.argv)
		return msg + ". " + hint
	case g.Stopped == "" && g.Exit != 0:
		return fmt.Sprintf("the training ended by itself with status %d after %d of %d steps. Its own messages are above", g.Exit, seen, c.Steps)
	case g.judged.Outcome() != smoke.Unjudged:
		return ""
	case g.Stopped == session.StoppedByTimeout:
		return fmt.Sprintf("the training made %d of %d steps in %v, too few to judge. Give it more time with --timeout, or fewer steps with --steps", seen, c.Steps, c.Timeout)
	case g.Stopped == "" && seen < g.judged.Windows.To && seen >= smoke.LeastSteps:
		return fmt.Sprintf("the training ended after %d steps, and step %d is compared. Let it train longer, or give --steps %d", seen, g.judged.Windows.To, seen)
	case g.Stopped == "" && seen < g.judged.Windows.To:
		return fmt.Sprintf("the training ended after %d steps, too few to judge. Let it make at least %d", seen, smoke.LeastSteps)
	}
	need := max(g.judged.Need(), c.Steps+c.Steps/2)
	return fmt.Sprintf("%d steps are too few to judge this training. Give it more: --steps %d", seen, need)
}

// say prints the gate's outcome, with a line for each check. Of a quiet gate only what could not be done is said.
func (c *smokeCommand) say(g gate, say *phrase.Catalogue, w *os.File) {
	if !c.Quiet {
		fmt.Fprintf(w, "\ntorchleak %s\n", say.Say("smoke.headline", "outcome", say.Outcome(g.outcome())))
		for _, k := range g.judged.Checks {
			fmt.Fprintf(w, "  %-10s %s\n", say.Outcome(k.Outcome), plain.Text(say.Check(k, g.judged.Ranks)))
			if cause := phrase.Cause(k); cause != "" && k.Outcome == smoke.Failed {
				fmt.Fprintf(w, "  %-10s %s\n", "", plain.Text(cause))
			}
		}
		for _, r := range g.remarks {
			fmt.Fprintf(w, "  %s\n", plain.Text(r))
		}
	}
	if g.trouble != "" && g.Contact == session.Stepped { // what was not watched has been said
		fmt.Fprintln(w, "torchleak:", plain.Text(g.trouble))
	}
}

// outcome is the whole gate's.
func (g gate) outcome() smoke.Outcome {
	if o := g.judged.Outcome(); o != smoke.Passed || g.trouble == "" {
		return o
	}
	return smoke.Unjudged
}

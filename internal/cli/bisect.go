package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/bisect"
	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/trials"
)

type bisectCommand struct {
	laboratory
	Runs  int   `default:"12" placeholder:"N" help:"Run the training at most so often, the first run included (12)."`
	Steps int64 `default:"200" placeholder:"N" help:"Steps of the first run (200); the others are as long as it takes to be sure."`
}

// Help is shown below the usage.
func (bisectCommand) Help() string {
	return "Runs the training several times for some steps, its output kept aside, with statements of its own files switched off in memory: the files stay as they are. " +
		"Ends with the smallest set of statements without which memory does not grow. Exit status: 0 when it was found or nothing grows, 3 otherwise."
}

// Run looks for the statements.
func (c *bisectCommand) Run(stdio Stdio) error {
	if c.Runs < 2 {
		return &usageError{fmt.Sprintf("--runs %d: at least two are needed, one as it is and one without a statement", c.Runs)}
	}
	if err := enough(c.Steps); err != nil {
		return err
	}
	lab, err := c.lab(stdio)
	if err != nil {
		return err
	}
	began := time.Now()
	say := phrase.In(c.Lang)
	o := bisect.Options{Runs: c.Runs, Steps: c.Steps}
	if !c.Quiet {
		o.Progress = func(p bisect.Progress) { fmt.Fprintln(stdio.Err, "torchleak:", progressLine(p, say)) }
	}
	r, err := bisect.Find(lab, o)
	err = c.answer(r, err, time.Since(began), say, stdio)
	if c.JSON != "" {
		writing := writeMade(c.JSON, stdio.Out, r.WriteJSON)
		err = errors.Join(err, writing)
	}
	return err
}

// answer shows what was found, and says what to do where that is nothing.
func (c *bisectCommand) answer(r bisect.Result, err error, took time.Duration, say *phrase.Catalogue, stdio Stdio) error {
	if err != nil && !(errors.Is(err, bisect.ErrNoGrowth) && r.Report.Verdict != finding.Undecided) {
		return c.explain(r, err)
	}
	if err := c.show(shownSearch(r, took, say), stdio); err != nil {
		return err
	}
	switch {
	case err != nil: // nothing grows
		return nil
	case len(r.Found) == 0:
		return &UserError{errors.New("no statement was found without which the growth ends"),
			"It may come from a library, or from statements that cannot be left out: the recorder's own findings are in `torchleak run`."}
	case !r.Proven:
		return &UserError{errors.New("the runs were used up before the search had ended"), "Allow more with --runs."}
	}
	return nil
}

// explain says why there is no answer.
func (c *bisectCommand) explain(r bisect.Result, err error) error {
	switch {
	case errors.Is(err, bisect.ErrNoGrowth):
		return &UserError{fmt.Errorf("%d steps are too few to tell whether memory grows", r.Base.Steps()), "Give it more with --steps."}
	case errors.Is(err, bisect.ErrNoSteps):
		msg, hint := silence(r.Base.Result, c.Argv)
		return &UserError{fmt.Errorf("%s\n%s", msg, r.Base.Said(5)), hint}
	case errors.Is(err, bisect.ErrNothing):
		return &UserError{err, "Its code lies in installed packages, or is given on the command line; only files of one's own are taken apart."}
	}
	return err
}

// shownSearch is what a search came to, in words.
func shownSearch(r bisect.Result, took time.Duration, say *phrase.Catalogue) trials.Result {
	g := r.Growth
	shown := trials.Result{Name: "bisect", Argv: strings.Join(r.Report.Target.Argv, " "), Outcome: trials.Open}
	shown.Facts = []trials.Fact{{Name: say.Say(phrase.TrialMade), Value: say.Made(len(r.Trials)+1, took.Seconds())}}
	switch {
	case g.Curve.Memory == "":
		shown.Outcome, shown.Headline = trials.Good, say.Flat(r.Base.Steps(), say.Label(r.Report.Verdict))
		return shown
	case len(r.Found) == 0:
		shown.Headline = say.Unfound(grower(g), len(r.Statements))
	default:
		shown.Headline = say.Found(grower(g), r.Proven)
	}
	for _, s := range r.Found {
		shown.Statements = append(shown.Statements, trials.Statement{Place: fmt.Sprintf("%s:%d", relative(s.File), s.Shown()), Code: bisect.Code(s)})
	}
	off := experiment.Curve{}
	if r.Proven {
		shown.Outcome, off = trials.Good, r.CurveOff
	}
	with, without := g.Compare(off, r.Steps)
	shown.Curves = []trials.Curve{curveOf(say.Say(phrase.TrialWith), with, g.Amount(g.Rate))}
	if r.Proven {
		shown.Curves = append(shown.Curves, curveOf(say.Say(phrase.TrialWithout), without, g.Amount(r.RateOff)))
	}
	shown.Runs = []trials.Run{{What: say.Off(nil), Amount: g.Amount(g.Rate)}}
	for _, t := range r.Trials {
		row := trials.Run{What: say.Off(places(r.Of(t.Off))), Outcome: say.Left(t.Resolved, t.Gone(), t.Left)}
		if t.Resolved {
			row.Amount = g.Amount(t.Rate)
		}
		shown.Runs = append(shown.Runs, row)
	}
	return shown
}

// progressLine says what the run before showed, and what the next is for.
func progressLine(p bisect.Progress, say *phrase.Catalogue) string {
	last := ""
	if p.Last != nil {
		last = say.Left(p.Last.Resolved, p.Last.Gone(), p.Last.Left)
	}
	return say.Progress(p.Run, p.Runs, p.Steps, say.Off(places(p.Off)), last, p.Left.Seconds())
}

// places names statements by file and line.
func places(statements []experiment.Statement) []string {
	var names []string
	for _, s := range statements {
		names = append(names, fmt.Sprintf("%s:%d", filepath.Base(s.File), s.Line))
	}
	return names
}

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/text"
	"github.com/torchleak/torchleak/internal/report/trials"
	"github.com/torchleak/torchleak/internal/verify"
)

type verifyCommand struct {
	laboratory
	Patch string `required:"" placeholder:"FILE" help:"A unified diff, such as fix-1.patch of a recording."`
	Steps int64  `default:"200" placeholder:"N" help:"Steps of each run (200)."`
}

// Help is shown below the usage.
func (verifyCommand) Help() string {
	return "Runs the training as it is and with the patch, from the same seeds; the files stay as they are. " +
		"Exit status: 0 when memory grew, does not grow with the patch, and the losses are the same; 1 when not; 3 when it could not be told."
}

// Run proves the patch, or not.
func (c *verifyCommand) Run(stdio Stdio) error {
	if err := enough(c.Steps); err != nil {
		return err
	}
	files, err := c.patched()
	if err != nil {
		return err
	}
	lab, err := c.lab(stdio)
	if err != nil {
		return err
	}
	b := bench(lab, c.Steps, c.Quiet, phrase.In(c.Lang), stdio)
	if err := b.Start(); err != nil {
		return unproven(b, err)
	}
	o, err := b.Try("with the patch", files)
	if err != nil {
		return err
	}
	if o.Untried {
		return &UserError{fmt.Errorf("%s: nothing is proven of the patch", o.Reason), "Does the training import another copy of what the patch changes?"}
	}
	left := nextOf(b, o)
	err = c.showOutcome(b, o, left, stdio)
	if c.JSON != "" {
		writing := writeMade(c.JSON, stdio.Out, func(w io.Writer) error { return writeOutcome(w, b, o, left) })
		err = errors.Join(err, writing)
	}
	if err == nil && !o.Holds() {
		return exitStatus(exitFindings)
	}
	return err
}

// maxPatch bounds what is read of a patch.
const maxPatch = 64 << 20

// patched reads the patch and what it makes of the files, and says what to do where that cannot be tried.
func (c *verifyCommand) patched() ([]verify.File, error) {
	file, err := os.Open(c.Patch)
	if err != nil {
		return nil, &UserError{err, "Name a patch with --patch."}
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxPatch+1))
	switch {
	case err != nil:
		return nil, &UserError{err, "Name a file with --patch."}
	case len(text) > maxPatch:
		return nil, &UserError{fmt.Errorf("%s is larger than %d MiB", c.Patch, maxPatch>>20), "Name a patch of source files with --patch."}
	}
	files, err := verify.Patched(text, ".")
	if err == nil {
		return files, nil
	}
	hint := "Stand in the folder in which the patch applies, with the files as they were when it was made."
	switch {
	case errors.Is(err, verify.ErrNoDiff):
		hint = "A patch is what `git diff` and `diff -u` print, or fix-1.patch of a recording."
	case errors.Is(err, verify.ErrKind), errors.Is(err, verify.ErrNoChange), errors.Is(err, verify.ErrBroken):
		hint = "Make the change by hand in a copy, and the patch anew with `git diff` or `diff -u`."
	}
	return nil, &UserError{fmt.Errorf("%s: %w", c.Patch, err), hint}
}

func bench(lab *experiment.Lab, steps int64, quiet bool, say *phrase.Catalogue, stdio Stdio) *verify.Bench {
	b := &verify.Bench{Lab: lab, Steps: steps}
	if !quiet {
		b.Progress = func(what string) { fmt.Fprintln(stdio.Err, "torchleak:", say.Trying(steps, what)) }
	}
	return b
}

// unproven says why nothing can be proven.
func unproven(b *verify.Bench, err error) error {
	switch {
	case errors.Is(err, verify.ErrNoSteps):
		msg, hint := silence(b.Base.Result, b.Lab.Argv)
		return &UserError{fmt.Errorf("%s\n%s", msg, b.Base.Said(5)), hint}
	case errors.Is(err, verify.ErrNoGrowth):
		return &UserError{fmt.Errorf("memory does not grow in %d steps as it is (%s): no change can be proven to end that", b.Base.Steps(), b.Base.Report.Verdict), "Give it more steps with --steps, if it grows later."}
	case errors.Is(err, verify.ErrUndecided):
		return &UserError{fmt.Errorf("%d steps are too few to tell whether memory grows", b.Base.Steps()), "Give it more with --steps."}
	}
	return err
}

// showOutcome prints what two runs came to, and what is to be mended next.
func (c *laboratory) showOutcome(b *verify.Bench, o verify.Outcome, left *next, stdio Stdio) error {
	say := phrase.In(c.Lang)
	shown := shownOutcome(b, o, say)
	if left != nil {
		shown.Facts = append(shown.Facts, left.facts(b.Lab.Argv, say)...)
	}
	if err := c.show(shown, stdio); err != nil || left == nil {
		return err
	}
	return text.WriteFinding(stdio.Err, left.Finding, text.Options{Color: colored(c.NoColor, stdio.Err), Width: width(stdio.Err), Lang: c.Lang})
}

// shownOutcome is what two runs came to, in words: both curves, and how the losses compare.
func shownOutcome(b *verify.Bench, o verify.Outcome, say *phrase.Catalogue) trials.Result {
	g := b.Growth
	shown := trials.Result{Name: "verify", Argv: strings.Join(b.Lab.Argv, " "), Outcome: trials.Bad, Headline: say.Holds(o.Reason)}
	if o.Holds() {
		shown.Outcome = trials.Good
	}
	before, after := g.Compare(o.Growth, g.To) // nothing of a run that broke
	shown.Curves = []trials.Curve{curveOf(say.Say(phrase.TrialAsItIs), before, g.Amount(g.Rate))}
	shown.Facts = []trials.Fact{{Name: say.Say(phrase.TrialMemory), Value: say.Counter(grower(g))}}
	if !o.Broke {
		shown.Curves = append(shown.Curves, curveOf(say.Say(phrase.TrialChanged), after, g.Amount(o.Rate)))
		shown.Facts = append(shown.Facts, trials.Fact{Name: say.Say(phrase.TrialLosses), Value: say.Words(o.Losses.String())})
	}
	if len(o.Unrun) > 0 {
		shown.Facts = append(shown.Facts, trials.Fact{Name: say.Say(phrase.TrialUnrun), Value: strings.Join(o.Unrun, ", ")})
	}
	return shown
}

// writeOutcome writes the result for programs, docs/bisect.md.
func writeOutcome(w io.Writer, b *verify.Bench, o verify.Outcome, left *next) error {
	type losses struct {
		Compared int  `json:"compared"`
		Equal    int  `json:"equal"`
		Same     bool `json:"same"`
	}
	patch := ""
	if left != nil {
		patch = left.Patch
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Schema  int               `json:"schema"`
		Tool    finding.Tool      `json:"tool"`
		Target  finding.Target    `json:"target"`
		Grows   experiment.Series `json:"grows"`
		PerStep float64           `json:"per_step"`
		Changed float64           `json:"per_step_changed"`
		Gone    bool              `json:"gone"`
		Broke   bool              `json:"broke"`
		Losses  losses            `json:"losses"`
		Unrun   []string          `json:"unrun"`
		Holds   bool              `json:"holds"`
		Reason  string            `json:"reason,omitempty"`
		Left    []finding.Finding `json:"left"`
		Next    string            `json:"next_patch,omitempty"`
	}{finding.Schema, b.Lab.Tool, b.Base.Report.Target, b.Growth.Curve.Series, b.Growth.Rate, o.Rate, o.Gone, o.Broke,
		losses{o.Losses.Compared, o.Losses.Equal, o.Losses.Same()}, append([]string{}, o.Unrun...), o.Holds(), o.Reason,
		append([]finding.Finding{}, o.Left...), patch})
}

// lintedTraining takes the training's command off the arguments of lint --verify: everything else behind -- is a path.
func lintedTraining(args []string) (rest, training []string) {
	end := slices.Index(args, "--")
	if len(args) == 0 || args[0] != "lint" || end < 0 || !slices.Contains(args[:end], "--verify") {
		return args, nil
	}
	return args[:end], args[end+1:]
}

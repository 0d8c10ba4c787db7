package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/trials"
)

// laboratory is what commands that run a training several times share.
type laboratory struct {
	JSON    string        `name:"json" output:"" placeholder:"FILE" help:"Write the result as JSON (- for standard output)."`
	HTML    string        `name:"html" output:"" placeholder:"FILE" help:"Write the result as one offline HTML page."`
	Dir     string        `placeholder:"DIR" help:"Where the recordings of the runs go (default: .torchleak/<time>)."`
	Timeout time.Duration `default:"10m" help:"Stop a run that has not made its steps after so long; 0 waits for ever."`
	Quiet   bool          `short:"q" help:"Say nothing but errors and the result."`
	NoColor bool          `help:"No colours, also on a terminal."`
	Lang    string        `enum:"en,zh" default:"en" help:"Language of the result for people: en or zh."`
	Argv    []string      `arg:"" optional:"" passthrough:"" name:"command" help:"The training: -- python train.py …"`
}

// lab prepares the runs of a command.
func (c *laboratory) lab(stdio Stdio) (*experiment.Lab, error) {
	argv, dir, err := prepare(c.Argv, c.Dir, c.Quiet, stdio)
	if err != nil {
		return nil, err
	}
	return &experiment.Lab{Argv: argv, Dir: dir.Path, Tool: tool(), Timeout: c.Timeout}, nil
}

// leastSteps is how many steps of a training tell whether its memory grows, at the very least.
const leastSteps = 40

// enough refuses runs of so few steps that none of them could tell anything.
func enough(steps int64) error {
	if steps < leastSteps {
		return &usageError{fmt.Sprintf("--steps %d is too few to tell growth: at least %d are needed", steps, leastSteps)}
	}
	return nil
}

// show prints what the runs came to, and writes the page where one is wanted.
func (c *laboratory) show(r trials.Result, stdio Stdio) error {
	r.Lang, r.Version = c.Lang, Version
	if err := trials.WriteText(stdio.Err, r, colored(c.NoColor, stdio.Err)); err != nil || c.HTML == "" {
		return err
	}
	if err := writeMade(c.HTML, stdio.Out, func(w io.Writer) error { return trials.WriteHTML(w, r) }); err != nil {
		return &UserError{fmt.Errorf("writing the page: %w", err), "Name a file that can be written with --html."}
	}
	return nil
}

// grower names the counter that grows, for sentences.
func grower(g experiment.Growth) phrase.Grower {
	return phrase.Grower{Memory: g.Curve.Memory, Series: g.Curve.Name, Amount: g.Amount(g.Rate)}
}

// curveOf is a counter's growth as it is shown.
func curveOf(name string, d experiment.Drawn, amount string) trials.Curve {
	return trials.Curve{Name: name, Values: d.Values, Bars: d.Bars, Amount: amount}
}

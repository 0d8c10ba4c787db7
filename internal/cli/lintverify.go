package cli

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/torchleak/torchleak/internal/lint"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/units"
	"github.com/torchleak/torchleak/internal/verify"
)

// verifiedRuns is how often a training is run at most to find the fixes that hold.
const verifiedRuns = 12

// verify applies the fixes that runs of the training have proven.
func (c *lintCommand) verify(opts lint.Options, stdio Stdio) error {
	switch {
	case !c.Fix || c.Diff:
		return &usageError{"--verify goes with --fix: torchleak lint --fix --verify PATH -- python train.py"}
	case len(c.Training) == 0:
		return &usageError{"--verify needs the training's command after --: torchleak lint --fix --verify PATH -- python train.py"}
	case slices.Contains(opts.Paths, "-"):
		return &usageError{"--verify runs files, and standard input is none"}
	}
	if err := enough(c.Steps); err != nil {
		return err
	}
	fixed, err := lint.Fix(opts, c.UnsafeFixes)
	if err != nil {
		return lintError(err)
	}
	for _, f := range fixed.Failed {
		fmt.Fprintln(stdio.Err, "torchleak:", f)
	}
	if len(fixed.Files) == 0 {
		if !c.Quiet {
			fmt.Fprintln(stdio.Err, "torchleak: there is no fix to verify")
		}
		return c.report(fixed.Left.Report, stdio)
	}
	room := &laboratory{Argv: append([]string{"--"}, c.Training...), Timeout: verifiedTimeout, Quiet: c.Quiet, NoColor: c.NoColor, Lang: c.Lang}
	lab, err := room.lab(stdio)
	if err != nil {
		return err
	}
	b := bench(lab, c.Steps, c.Quiet, phrase.In(room.Lang), stdio)
	if err := b.Start(); err != nil {
		return unproven(b, err)
	}
	changes := changesOf(fixed.First)
	made := fixed
	outcome, err := b.Choose(changes, func(chosen []int) ([]verify.File, error) {
		made = fixed
		if len(chosen) < len(changes) {
			some := opts
			some.Only = pick(fixed.First, chosen)
			if made, err = lint.Fix(some, c.UnsafeFixes); err != nil {
				return nil, err
			}
		}
		return filesOf(made), nil
	}, verifiedRuns)
	if err != nil {
		return err
	}
	if err := room.showOutcome(b, outcome, nextOf(b, outcome), stdio); err != nil {
		return err
	}
	return c.keep(opts, fixed, changes, stdio)
}

// verifiedTimeout is how long one run may take.
const verifiedTimeout = 30 * time.Minute

// keep writes the fixes that hold and says which were dropped.
func (c *lintCommand) keep(opts lint.Options, fixed *lint.Fixed, changes []verify.Change, stdio Stdio) error {
	var kept []int
	for i, ch := range changes {
		if ch.Kept {
			kept = append(kept, i)
		}
	}
	sayKept(changes, stdio.Err)
	if len(kept) == 0 {
		left, err := lint.Run(opts)
		if err != nil {
			return lintError(err)
		}
		return c.report(left.Report, stdio)
	}
	if len(kept) < len(changes) {
		opts.Only = pick(fixed.First, kept)
		var err error
		if fixed, err = lint.Fix(opts, c.UnsafeFixes); err != nil {
			return lintError(err)
		}
	}
	if _, _, err := writeFixed(fixed, stdio.Err); err != nil {
		return err
	}
	return c.report(fixed.Left.Report, stdio)
}

func sayKept(changes []verify.Change, w io.Writer) {
	kept := 0
	for _, ch := range changes {
		if ch.Kept {
			kept++
			fmt.Fprintf(w, "torchleak: kept %s\n", ch.Name)
		} else {
			fmt.Fprintf(w, "torchleak: dropped %s: %s\n", ch.Name, ch.Why)
		}
	}
	fmt.Fprintf(w, "torchleak: kept %d of %s fixes\n", kept, units.Count(int64(len(changes))))
}

func changesOf(choices []lint.Choice) []verify.Change {
	var changes []verify.Change
	for _, f := range choices {
		changes = append(changes, verify.Change{Path: f.Path, Name: fmt.Sprintf("%s:%d %s %s", f.File, f.Line, f.Rule, f.Name)})
	}
	return changes
}

func pick(all []lint.Choice, places []int) []lint.Choice {
	picked := []lint.Choice{} // nil would mean all
	for _, i := range places {
		picked = append(picked, all[i])
	}
	return picked
}

func filesOf(f *lint.Fixed) []verify.File {
	var files []verify.File
	for _, file := range f.Files {
		files = append(files, verify.File{Path: file.Path, Before: file.Before, After: file.After})
	}
	return files
}

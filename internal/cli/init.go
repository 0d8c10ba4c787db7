package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/skeleton"
)

type initCommand struct {
	colourless
	Template string `arg:"" optional:"" default:"plain" help:"Which skeleton: plain, evaluation or ddp; --list says what they are."`
	Dir      string `arg:"" optional:"" default:"." help:"Where to write it; made where it is not there."`
	List     bool   `help:"List the skeletons."`
	Force    bool   `help:"Overwrite files that are there."`
	Lang     string `enum:"en,zh" default:"en" help:"Language of the text: en or zh; the files are English."`
}

// Run writes the skeleton.
func (c *initCommand) Run(stdio Stdio) error {
	say := phrase.In(c.Lang)
	if c.List {
		for _, s := range skeleton.All {
			fmt.Fprintf(stdio.Out, "%-12s %s\n", s.Name, say.Say(phrase.Key("init."+s.Name)))
		}
		return nil
	}
	s, ok := skeleton.Find(c.Template)
	if !ok {
		return &usageError{fmt.Sprintf("there is no skeleton %q; `torchleak init --list` shows them", c.Template)}
	}
	paths, err := s.Write(c.Dir, c.Force)
	switch {
	case errors.Is(err, skeleton.ErrExists):
		return &UserError{err, "Nothing was written. Name another directory, or --force to overwrite."}
	case err != nil:
		return &UserError{fmt.Errorf("writing the skeleton: %w", err), "Name a directory that can be written."}
	}
	for _, p := range paths {
		fmt.Fprintln(stdio.Out, say.Say("init.wrote", "file", p))
	}
	enter := ""
	if dir := filepath.Clean(c.Dir); dir != "." {
		enter = "cd " + quoted(dir) + " && "
	}
	fmt.Fprintf(stdio.Out, "\n%s %s%s\n%s %s./smoke.sh\n", plain.Pad(say.Say("init.train"), 7), enter, s.Run, plain.Pad(say.Say("init.test"), 7), enter)
	return nil
}

package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/torchleak/torchleak/internal/skeleton"
)

type initCommand struct {
	Template string `arg:"" optional:"" default:"plain" help:"Which skeleton: plain, evaluation or ddp; --list says what they are."`
	Dir      string `arg:"" optional:"" default:"." help:"Where to write it; made where it is not there."`
	List     bool   `help:"List the skeletons."`
	Force    bool   `help:"Overwrite files that are there."`
}

// Run writes the skeleton.
func (c *initCommand) Run(stdio Stdio) error {
	if c.List {
		for _, s := range skeleton.All {
			fmt.Fprintf(stdio.Out, "%-12s %s\n", s.Name, s.Title)
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
		fmt.Fprintln(stdio.Out, "wrote", p)
	}
	enter := ""
	if dir := filepath.Clean(c.Dir); dir != "." {
		enter = "cd " + quoted(dir) + " && "
	}
	fmt.Fprintf(stdio.Out, "\ntrain   %s%s\ntest    %s./smoke.sh\n", enter, s.Run, enter)
	return nil
}

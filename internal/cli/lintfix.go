package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/lint"
	"github.com/torchleak/torchleak/internal/report/phrase"
)

// fix applies fixes, or shows what they would change.
func (c *lintCommand) fix(opts lint.Options, stdio Stdio) error {
	fixed, err := lint.Fix(opts, c.UnsafeFixes)
	if err != nil {
		return lintError(err)
	}
	for _, f := range fixed.Failed {
		fmt.Fprintln(stdio.Err, "torchleak:", f)
	}
	fixed.Left.Report.Notes = append(fixed.Left.Report.Notes, notebooks(fixed.Left.Report)...)
	if c.Diff {
		return c.patch(fixed, stdio)
	}
	if slices.Contains(opts.Paths, "-") {
		if _, err := stdio.Out.Write(stdinFixed(opts, fixed)); err != nil {
			return err
		}
		stdio.Out = stdio.Err // standard output is the fixed source
	}
	fixes, files, unwritten := writeFixed(fixed, stdio.Err)
	if fixes > 0 && !c.Quiet {
		say := phrase.In(c.Lang)
		fmt.Fprintln(stdio.Err, "torchleak:", say.Say("lint.fixed", "findings", say.Plural(fixes, "lint.finding", "lint.findings"),
			"files", say.Plural(files, "lint.file", "lint.files")))
	}
	if unwritten != nil {
		return unwritten
	}
	return c.report(fixed.Left.Report, stdio)
}

// writeFixed writes what it can, says of each other file why not, and returns how many fixes of how many files were written.
func writeFixed(fixed *lint.Fixed, w io.Writer) (fixes, files int, err error) {
	unwritten := 0
	for _, f := range fixed.Files {
		if f.Path == "-" {
			continue
		}
		if err := f.Write(); err != nil {
			fmt.Fprintln(w, "torchleak:", printable(fmt.Sprintf("%s was not fixed: %v", f.Name, err)))
			unwritten++
			continue
		}
		fixes, files = fixes+f.Fixes, files+1
	}
	if unwritten > 0 {
		err = exitStatus(exitFailed)
	}
	return fixes, files, err
}

// notebooks says of each notebook with findings that it stays as it is.
func notebooks(l finding.Lint) []string {
	var notes []string
	for _, f := range l.Findings {
		note := f.Location.File + ": notebooks are not changed; make the changes that its findings name by hand"
		if f.Location.Cell > 0 && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// stdinFixed is what came on standard input, with the fixes.
func stdinFixed(opts lint.Options, fixed *lint.Fixed) []byte {
	for _, f := range fixed.Files {
		if f.Path == "-" {
			return f.After
		}
	}
	return opts.Stdin
}

// patch prints the changes and writes none.
func (c *lintCommand) patch(fixed *lint.Fixed, stdio Stdio) error {
	for _, f := range fixed.Files {
		if _, err := fmt.Fprint(stdio.Out, f.Diff); err != nil {
			return fmt.Errorf("writing the changes: %w", err)
		}
	}
	left := fixed.Left.Report
	more := 0 // fixes that a further flag would show
	for _, f := range left.Findings {
		if f.Fix != nil && !f.Fix.Safe && f.Fix.Diff != "" && !c.UnsafeFixes {
			more++
		}
	}
	left.Findings = nil // not what is left decides, but whether there is something to change
	status := c.status(left, stdio)
	if !c.Quiet && len(fixed.Files)+more > 0 {
		say := phrase.In(c.Lang)
		text := say.Say("lint.would", "files", say.Plural(len(fixed.Files), "lint.file", "lint.files"))
		if more > 0 {
			text = say.Say("lint.would.more", "would", text, "findings", say.Plural(more, "lint.finding", "lint.findings"))
		}
		fmt.Fprintln(stdio.Err, "torchleak:", text)
	}
	if len(fixed.Files) == 0 {
		return status
	}
	return exitStatus(exitFindings)
}

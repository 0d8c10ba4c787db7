package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/lint"
	"github.com/torchleak/torchleak/internal/report/github"
	"github.com/torchleak/torchleak/internal/report/json"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/sarif"
	"github.com/torchleak/torchleak/internal/report/static"
)

type lintCommand struct {
	Paths []string `arg:"" optional:"" name:"path" help:"Files and folders; - is standard input. Default: the current folder."`

	OutputFormat string `enum:"text,concise,json,sarif,github" default:"text" help:"What goes to standard output: text, concise, json, sarif, github."`
	JSON         string `name:"json" output:"" placeholder:"FILE" help:"Write the findings as JSON (- for standard output)."`
	SARIF        string `name:"sarif" output:"" placeholder:"FILE" help:"Write the findings as SARIF (- for standard output)."`

	Select        []string `placeholder:"RULE" help:"Rules to use: numbers, their beginnings, names, ALL."`
	Ignore        []string `placeholder:"RULE" help:"Rules to leave out."`
	Exclude       []string `placeholder:"PATTERN" help:"Files and folders to leave out, instead of the default ones."`
	ExtendExclude []string `placeholder:"PATTERN" help:"Files and folders to leave out, besides the default ones."`
	ForceExclude  bool     `help:"Leave out excluded files also where they are named, as pre-commit does."`
	Config        string   `placeholder:"FILE" help:"Read the configuration from this TOML file."`
	Isolated      bool     `help:"Read no configuration."`
	StdinFilename string   `placeholder:"FILE" help:"What the source on standard input is called."`

	FailOn            *string  `enum:"leak,any,never" placeholder:"WHAT" help:"Exit 1 on a leak pattern (leak), on any finding (any), or never. Default: the configuration's, else leak."`
	WarnUnusedIgnores bool     `help:"Say which ignore comments leave nothing out."`
	Fix               bool     `help:"Apply the fixes that leave what the training computes as it is."`
	Verify            bool     `help:"With --fix: run the training behind -- with and without the fixes, and keep only those that end its growth and leave its losses as they are."`
	Steps             int64    `default:"200" placeholder:"N" help:"With --verify: steps of each run (200)."`
	Training          []string `kong:"-"` // the command behind --
	UnsafeFixes       bool     `help:"With --fix or --diff: the fixes too that a person should look at."`
	Diff              bool     `help:"Print what --fix would change as a patch, change nothing, exit 1 if there is something."`
	Statistics        bool     `help:"Say how often each rule was found."`
	Quiet             bool     `short:"q" help:"Say nothing but findings."`
	NoColor           bool     `help:"No colours, also on a terminal."`
	Lang              string   `enum:"en,zh" default:"en" help:"Language of the text for people: en or zh."`
}

// Run lints.
func (c *lintCommand) Run(stdio Stdio) error {
	opts, err := c.options(stdio.In)
	if err != nil {
		return err
	}
	if c.Verify {
		return c.verify(opts, stdio)
	}
	if c.Fix || c.Diff {
		return c.fix(opts, stdio)
	}
	result, err := lint.Run(opts)
	if err != nil {
		return lintError(err)
	}
	return c.report(result.Report, stdio)
}

func (c *lintCommand) options(stdin io.Reader) (lint.Options, error) {
	if c.UnsafeFixes && !c.Fix && !c.Diff {
		return lint.Options{}, &usageError{"--unsafe-fixes goes with --fix or --diff"}
	}
	dir, err := os.Getwd()
	if err != nil {
		return lint.Options{}, err
	}
	paths := c.Paths
	if c.StdinFilename != "" { // the name of a source says that there is one
		if len(paths) == 0 {
			paths = []string{"-"}
		}
		if !slices.Contains(paths, "-") {
			return lint.Options{}, &usageError{"--stdin-filename names what comes on standard input: - in the place of a path"}
		}
	}
	opts := lint.Options{Paths: paths, Dir: dir, StdinName: c.StdinFilename, Select: c.Select, Ignore: c.Ignore,
		Exclude: c.Exclude, ExtendExclude: c.ExtendExclude, ForceExclude: c.ForceExclude, Config: c.Config, Isolated: c.Isolated,
		WarnUnused: c.WarnUnusedIgnores, Tool: tool()}
	if c.FailOn != nil {
		opts.FailOn = *c.FailOn
	}
	if len(opts.Paths) == 0 {
		opts.Paths = []string{"."}
	}
	for _, path := range opts.Paths {
		if path == "-" {
			if opts.Stdin, err = io.ReadAll(stdin); err != nil {
				return opts, fmt.Errorf("reading standard input: %w", err)
			}
		}
	}
	return opts, nil
}

// lintError says what to do about what kept the linter from starting.
func lintError(err error) error {
	var config *lint.ConfigError
	var absent *lint.NotThere
	switch {
	case errors.As(err, &config):
		return &usageError{config.Error()}
	case errors.As(err, &absent):
		return &UserError{err, "Name files or folders that are there."}
	}
	return err
}

// report writes what was asked for and makes the exit code.
func (c *lintCommand) report(l finding.Lint, stdio Stdio) error {
	if err := c.write(l, stdio); err != nil {
		return err
	}
	return c.status(l, stdio)
}

// status says what was not checked and makes the exit code.
func (c *lintCommand) status(l finding.Lint, stdio Stdio) error {
	if !c.Quiet {
		for _, s := range l.Skipped {
			fmt.Fprintln(stdio.Err, "torchleak:", skippedLine(s, phrase.In(c.Lang)))
		}
		for _, n := range l.Notes {
			fmt.Fprintln(stdio.Err, "torchleak:", n)
		}
	}
	for _, f := range l.Findings {
		if f.Fails {
			return exitStatus(exitFindings)
		}
	}
	for _, s := range l.Skipped {
		if s.Whole && s.Named {
			return exitStatus(exitFailed)
		}
	}
	return nil
}

func skippedLine(s finding.Skipped, say *phrase.Catalogue) string {
	place := s.File
	if s.Line > 0 {
		place += fmt.Sprintf(":%d", s.Line)
	}
	key := phrase.Key("lint.skipped")
	if s.Whole {
		key = "lint.skipped.all"
	}
	return say.Say(key, "file", place, "reason", say.Words(s.Reason))
}

func (c *lintCommand) write(l finding.Lint, stdio Stdio) error {
	for _, f := range []struct {
		path  string
		write func(io.Writer, finding.Lint) error
	}{{c.JSON, json.WriteLint}, {c.SARIF, sarif.WriteLint}} {
		if f.path == "" {
			continue
		}
		if err := writeLint(f.path, l, f.write, stdio.Out); err != nil {
			return err
		}
	}
	if c.JSON == "-" || c.SARIF == "-" {
		return nil
	}
	o := static.Options{Color: colored(c.NoColor, stdio.Out), Width: width(stdio.Out), Lang: c.Lang}
	switch c.OutputFormat {
	case "json":
		return json.WriteLint(stdio.Out, l)
	case "sarif":
		return sarif.WriteLint(stdio.Out, l)
	case "github":
		return github.Write(stdio.Out, l)
	}
	if c.Statistics {
		return static.Statistics(stdio.Out, l)
	}
	if c.OutputFormat == "concise" {
		return static.Concise(stdio.Out, l, o)
	}
	return static.Write(stdio.Out, l, o)
}

// writeLint writes findings to a file, or to standard output.
func writeLint(path string, l finding.Lint, write func(io.Writer, finding.Lint) error, stdout io.Writer) error {
	if err := writeMade(path, stdout, func(w io.Writer) error { return write(w, l) }); err != nil {
		return &UserError{fmt.Errorf("writing the findings: %w", err), "Name a file in a folder that can be written."}
	}
	return nil
}

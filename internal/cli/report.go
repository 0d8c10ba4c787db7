package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
)

type reportCommand struct {
	output
	Recordings []string `arg:"" optional:"" name:"recording" help:"Directory of a run, such as .torchleak/<time>; several of one job are merged by rank. Default: the newest below .torchleak."`
}

// Run makes the reports again.
func (c *reportCommand) Run(stdio Stdio) error {
	tool := tool()
	if len(c.Recordings) == 0 {
		path, err := newest(".torchleak")
		if err != nil {
			return err
		}
		if !c.Quiet {
			fmt.Fprintln(stdio.Err, "torchleak: the newest recording is", path)
		}
		c.Recordings = []string{path}
	}
	var ranks []finding.Report
	var dirs []recording.Dir
	var run recording.Run
	damaged := false
	for _, path := range c.Recordings {
		dir, err := recording.Open(path)
		if err != nil {
			return &UserError{err, "Recordings are the directories below .torchleak/ that `torchleak run` makes."}
		}
		if slices.ContainsFunc(dirs, dir.Same) {
			continue
		}
		dirs = append(dirs, dir)
		run, _ = dir.LoadRun() // what is wrong with it is among the warnings
		reports, warnings := analysis.Recording(dir, tool)
		damaged = damaged || len(warnings) > 0
		for _, w := range warnings {
			fmt.Fprintln(stdio.Err, "torchleak:", w)
		}
		ranks = append(ranks, reports...)
	}
	if len(ranks) == 0 {
		return c.nothing(dirs, damaged)
	}
	report := finding.Merge(ranks, tool, run.Argv, run.Exit)
	writeFixes(report, dirs[0])
	if c.JSON != "-" {
		c.print(report, "", stdio.Out)
	}
	if err := c.write(report, stdio); err != nil {
		return err
	}
	if c.fails(report.Verdict) {
		return exitStatus(exitFindings)
	}
	return nil
}

// nothing says why there is nothing to report.
func (c *reportCommand) nothing(dirs []recording.Dir, damaged bool) error {
	for _, dir := range dirs {
		if reasons := dir.Mute(); len(reasons) > 0 {
			msg, hint := mute(reasons)
			return &UserError{errors.New(msg), hint}
		}
	}
	if damaged {
		return &UserError{errors.New("nothing is left to report: what could not be read is named above"), "If the recording was copied, copy it again; else the training has to be run again."}
	}
	return &UserError{fmt.Errorf("no process in %s made a step", strings.Join(c.Recordings, ", ")), "The training ended before its first step, or never imported torch."}
}

// newest is the recording below base that was begun last.
func newest(base string) (string, error) {
	entries, _ := os.ReadDir(base) // none is as good as one that is not there
	best, begun := "", time.Time{}
	for _, entry := range entries {
		path := filepath.Join(base, entry.Name())
		dir, err := recording.Open(path)
		if err != nil || !entry.IsDir() {
			continue
		}
		run, _ := dir.LoadRun() // one that cannot be read is the oldest
		if best == "" || run.Started.After(begun) {
			best, begun = path, run.Started
		}
	}
	if best == "" {
		return "", &UserError{fmt.Errorf("there is no recording below %s here", base), "Name the directory of one, or make one: torchleak run -- python train.py"}
	}
	return best, nil
}

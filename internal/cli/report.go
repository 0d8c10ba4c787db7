package cli

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
)

type reportCommand struct {
	output
	Recordings []string `arg:"" name:"recording" help:"Directory of a run, such as .torchleak/<time>; several of one job are merged by rank."`
}

// Run makes the reports again.
func (c *reportCommand) Run(stdio Stdio) error {
	tool := finding.Tool{Name: "torchleak", Version: Version}
	var ranks []finding.Report
	var run recording.Run
	for _, path := range c.Recordings {
		dir, err := recording.Open(path)
		if err != nil {
			return &UserError{err, "Recordings are the directories below .torchleak/ that `torchleak run` makes."}
		}
		run = dir.LoadRun()
		reports, warnings := analysis.Recording(dir, tool)
		for _, w := range warnings {
			fmt.Fprintln(stdio.Err, "torchleak:", w)
		}
		ranks = append(ranks, reports...)
	}
	if len(ranks) == 0 {
		return &UserError{fmt.Errorf("no process in %v made a step", c.Recordings), "The training ended before its first step, or never imported torch."}
	}
	report := finding.Merge(ranks, tool, run.Argv, run.Exit)
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

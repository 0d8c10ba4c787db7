package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/attach"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/nvml"
	"github.com/torchleak/torchleak/internal/probe"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/ranks"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/session"
	"github.com/torchleak/torchleak/internal/units"
)

type attachCommand struct {
	watching
	Steps    int64         `fromone:"" placeholder:"N" help:"Let the training go after N steps."`
	Duration time.Duration `placeholder:"TIME" help:"Let the training go after so long, such as 10m."`
	Method   string        `enum:"auto,remote,gdb,lldb" default:"auto" help:"How the probe gets in: auto, remote, gdb or lldb."`
	PID      int           `arg:"" name:"pid" help:"Number of the process that trains."`
}

// Help is shown below the usage.
func (attachCommand) Help() string {
	return "The training goes on, also when torchleak ends: Ctrl-C, --steps or --duration take the probe out again and report. " +
		"What was allocated before is not known."
}

// Run attaches, watches and lets go.
func (c *attachCommand) Run(stdio Stdio) error {
	if err := attach.Check(c.PID); err != nil {
		return refused(err, c.PID)
	}
	if launches(c.PID) && len(attach.Below(c.PID)) > 0 {
		return refused(attach.ErrLauncher, c.PID)
	}
	ways, err := attach.Choose(c.PID, c.Method)
	if err != nil {
		return refused(err, c.PID)
	}
	dir, err := record(c.Dir, c.Quiet, stdio)
	if err != nil {
		return err
	}
	w, err := c.follow(ways, dir, stdio)
	if err != nil {
		dir.Discard()
		return err
	}
	if err := c.publish(w, stdio); err != nil {
		return err
	}
	switch {
	case w.Contact != session.Stepped:
		return exitStatus(exitFailed)
	case c.fails(w.report.Verdict):
		return exitStatus(exitFindings)
	}
	return nil
}

// follow puts the probe in, watches until the training ends or is let go, and takes the probe out.
func (c *attachCommand) follow(ways []attach.Method, dir recording.Dir, stdio Stdio) (watched, error) {
	p := attach.Probe{PID: c.PID, Dir: dir.File("probe"), Run: dir.Path, Methods: ways}
	defer os.RemoveAll(p.Dir)
	status, _ := process.ReadStatus(c.PID)
	argv, cwd := process.Command(c.PID)
	above := attach.Above(c.PID)
	if launches(above) {
		above = 0
	}
	if err := probe.Layout(p.Dir); err != nil {
		return watched{}, &UserError{err, "Name a directory with room for the recording with --dir."}
	}
	defer p.Close()
	if err := p.Begin(); err != nil {
		return watched{}, refused(err, c.PID)
	}
	said := map[string]bool{}
	say := phrase.In(c.Lang)
	tell := func(text string) {
		if !c.Quiet {
			fmt.Fprintln(stdio.Err, "torchleak:", text)
		}
	}
	for _, way := range p.GivenUp {
		tell(say.Say("stopping.not", "method", way.Method.Name(), "why", say.Words(way.Err.Error())))
	}
	tell(say.Say("stopping.in", "pid", strconv.Itoa(c.PID), "method", p.Methods[0].Name(), "time", units.Seconds(p.Stopped.Seconds())))
	gpus := nvml.New()
	defer gpus.Close()
	result, err := session.Follow(session.Config{
		GPUs: gpus.GPUs,
		Argv: argv, Dir: dir, Tool: tool(), Steps: c.Steps, Timeout: c.Duration,
		Options: analysis.Options{Warmup: c.Warmup},
		Found:   func(r finding.Report) { c.found(r, said, stdio.Err) },
		Status:  c.status(stdio.Err),
		Stopping: func(session.StopReason) {
			tell(say.Say("stopping.out", "pid", strconv.Itoa(c.PID)))
		},
	}, session.Attached{
		PID: c.PID, Inside: status.Inside, Cwd: cwd,
		LetGo:   func() error { return c.left(p.End()) },
		Stopped: func() time.Duration { return p.Stopped },
	})
	if err != nil {
		return watched{}, err
	}
	return watched{result, ranks.Merge(result.Reports, tool(), argv, nil), argv, dir, above}, nil
}

// left says what an error on letting go means for the training.
func (c *attachCommand) left(err error) error {
	if err == nil || errors.Is(err, attach.ErrGone) {
		return nil
	}
	return fmt.Errorf("the probe is still in process %d, and takes itself out when that makes steps again: %w", c.PID, err)
}

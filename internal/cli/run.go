package cli

import (
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/session"
)

type runCommand struct {
	training
	Steps       int64  `fromone:"" placeholder:"N" help:"Stop the training after N steps."`
	RemoteWrite string `placeholder:"URL" help:"Send the series of docs/metrics.md to this address by Prometheus' remote write."`
	Alerts      string `placeholder:"FILE" help:"Raise alarms by the rules of this TOML file: webhooks, commands, a signal to the training."`
}

// Help is shown below the usage.
func (runCommand) Help() string {
	return "Everything after -- is the training's own: its streams, signals, exit status and working directory. " +
		"The exit status is the training's, unless --fail-on makes findings into 1, or 3 when nothing could be watched."
}

// Run runs the target.
func (c *runCommand) Run(stdio Stdio) error {
	alerts, err := readAlerts(c.Alerts)
	if err != nil {
		return err
	}
	w, err := c.watch(c.Steps, 0, beside{alerts, c.RemoteWrite}, stdio)
	if err != nil {
		return err
	}
	exit := w.Exit
	if w.Stopped != "" {
		exit = exitOK
	}
	if exit == exitOK && w.unwatched() {
		exit = exitFailed
	}
	if err := c.publish(w, stdio); err != nil {
		code(err, stdio.Err, phrase.In(c.Lang))
		if exit == exitOK {
			exit = exitFailed
		}
	}
	if c.fails(w.report.Verdict) {
		exit = exitFindings
	}
	if exit != exitOK {
		return exitStatus(exit)
	}
	return nil
}

// unwatched reports that nothing was watched for a reason that calls for a change. A training without a step, or one that
// another torchleak watches, is as its user wants it.
func (w watched) unwatched() bool {
	if w.Contact == session.Stepped {
		return false
	}
	return w.Removed || len(w.Notes) > 0 || w.Contact < session.NoSteps && w.Contact != session.Nested
}

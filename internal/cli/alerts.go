package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/sentinel"
	"github.com/torchleak/torchleak/internal/session"
)

// readAlerts reads the --alerts file; nil where none is asked for.
func (c *runCommand) readAlerts() (*sentinel.Config, error) {
	if c.Alerts == "" {
		return nil, nil
	}
	config, err := sentinel.ReadConfig(c.Alerts)
	if err != nil {
		return nil, &UserError{fmt.Errorf("reading the alerts' rules: %w", err), "docs/sentinel.md shows a file with everything that may stand in one."}
	}
	return &config, nil
}

// guard puts a sentinel beside the session, and returns what ends it.
func (c *training) guard(alerts sentinel.Config, config *session.Config, stderr io.Writer) (end func(), err error) {
	say := func(text string) { fmt.Fprintln(stderr, "torchleak:", plain.Text(text)) }
	dir := config.Dir.File("alerts")
	office, err := sentinel.Open(alerts.Receivers, dir, func(err error) { say(err.Error()) })
	if err != nil {
		return nil, &UserError{fmt.Errorf("keeping alerts: %w", err), "Name a directory with room for the recording with --dir."}
	}
	host, _ := os.Hostname()
	s := sentinel.New(alerts.Rules, sentinel.Place{Host: host, Recording: config.Dir.Path, Lang: c.Lang})
	send := func(now time.Time, changes []sentinel.Change) {
		for _, change := range changes {
			if !c.Quiet {
				say(change.Alert.Line())
			}
			office.Send(change, now)
		}
	}
	findings := map[int][]finding.Finding{}
	observe := func(pid, rank int, step int64, memories []finding.Memory) {
		now := time.Now()
		send(now, s.Observe(now, sentinel.Process{PID: pid, Rank: rank, Step: step, Memories: memories, Findings: findings[pid]}))
	}
	found := config.Found
	config.Found = func(r finding.Report) {
		found(r)
		findings[r.Target.PID] = r.Findings
		observe(r.Target.PID, r.Target.Rank, r.Steps.Seen, r.Memories)
	}
	config.Standing = func(h recording.Hello, step int64, memories []finding.Memory) { observe(h.PID, h.Rank, step, memories) }
	return func() {
		now := time.Now()
		send(now, s.Ended(now))
		if left := office.Close(); left > 0 {
			say(fmt.Sprintf("%d alerts could not be delivered; they are kept in %s", left, dir))
		}
	}, nil
}

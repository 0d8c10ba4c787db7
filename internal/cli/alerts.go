package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/sentinel"
	"github.com/torchleak/torchleak/internal/session"
	"github.com/torchleak/torchleak/internal/watch"
)

// readAlerts reads an --alerts file; nil where none is asked for.
func readAlerts(path string) (*sentinel.Config, error) {
	if path == "" {
		return nil, nil
	}
	config, err := sentinel.ReadConfig(path)
	if err != nil {
		return nil, &UserError{fmt.Errorf("reading the alerts' rules: %w", err), "docs/sentinel.md shows a file with everything that may stand in one."}
	}
	return &config, nil
}

// alarm says alerts and hands them on.
type alarm struct {
	office *sentinel.Office
	dir    string // where they wait
	later  string // what sends those that are left
	say    func(text string)
	quiet  bool
}

func newAlarm(receivers []sentinel.Receiver, dir string, quiet bool, stderr io.Writer) (*alarm, error) {
	a := &alarm{dir: dir, quiet: quiet, say: func(text string) { fmt.Fprintln(stderr, "torchleak:", plain.Text(text)) }}
	var err error
	a.office, err = sentinel.Open(receivers, dir, a.say)
	return a, err
}

// send says alerts and keeps them, and has them sent once note has noted what is open now.
func (a *alarm) send(now time.Time, changes []sentinel.Change, note func()) {
	if len(changes) == 0 {
		return
	}
	for _, change := range changes {
		if !a.quiet {
			a.say(change.Alert.Line())
		}
	}
	a.office.Keep(changes, now)
	note()
	a.office.Deliver()
}

func (a *alarm) close() {
	if left := a.office.Close(); left > 0 {
		a.say(fmt.Sprintf("%s could not be delivered; kept in %s, sent by %s", sentinel.Count(left), a.dir, a.later))
	}
}

// guard puts a sentinel beside the session, and returns what ends it.
func (c *training) guard(alerts sentinel.Config, config *session.Config, stderr io.Writer) (end func(), err error) {
	a, err := newAlarm(alerts.Receivers, config.Dir.File("alerts"), c.Quiet, stderr)
	if err != nil {
		return nil, &UserError{fmt.Errorf("keeping alerts: %w", err), "Name a directory with room for the recording with --dir."}
	}
	a.later = quoted("torchleak", "watch", "--alerts", "FILE", "--spool", a.dir)
	a.office.Deliver() // of an earlier training in this directory
	host, _ := os.Hostname()
	s := sentinel.New(alerts.Rules, sentinel.Place{Host: host, Recording: config.Dir.Path, Lang: c.Lang})
	findings := map[int][]finding.Finding{}
	observe := func(t finding.Target, step int64, memories []finding.Memory) {
		now := time.Now()
		a.send(now, s.Observe(now, sentinel.Process{Target: t, Step: step, Memories: memories, Findings: findings[t.PID]}), unnoted)
	}
	found := config.Found
	config.Found = func(r finding.Report) {
		found(r)
		findings[r.Target.PID] = r.Findings
		observe(r.Target, r.Steps.Seen, r.Memories)
	}
	config.Standing = func(h recording.Hello, step int64, memories []finding.Memory) { observe(h.Target(), step, memories) }
	return func() {
		now := time.Now()
		a.send(now, s.End(now, sentinel.Ended), unnoted)
		a.close()
	}, nil
}

// unnoted is for a training that ends with its watch: what is open then is taken back.
func unnoted() {}

// fleetAlarm guards all trainings that an agent sees.
type fleetAlarm struct {
	*alarm
	rules     []sentinel.Rule
	host      string
	lang      string
	sentinels map[seen]*sentinel.Sentinel
	awaited   map[seen]bool // known from before the agent was started, and not met since
	began     time.Time
	changed   bool // what is open, since it was noted
	unnoted   bool // … for it could not be noted, which was said
}

// seen is a process as an agent knows it: those of two containers may have one number.
type seen struct {
	recording string
	pid       int
}

// fleetAlarm reads the --alerts file; nil where none is asked for.
func (c *watchCommand) fleetAlarm(stdio Stdio) (*fleetAlarm, error) {
	config, err := readAlerts(c.Alerts)
	if err != nil || config == nil {
		return nil, err
	}
	if i := slices.IndexFunc(config.Receivers, func(r sentinel.Receiver) bool { return r.Kind == "signal" }); i >= 0 {
		// The number stands in a file that a training wrote, perhaps in another container: it may be another process here.
		return nil, &UserError{fmt.Errorf("%s: receiver %s: an agent sends no signals to trainings", c.Alerts, config.Receivers[i].Name),
			"Signals go with torchleak run --alerts; leave this receiver out here."}
	}
	dir := c.Spool
	if dir == "" {
		if dir, err = stateDir(); err != nil {
			return nil, &UserError{fmt.Errorf("keeping alerts: %w", err), "Name a directory for them with --spool."}
		}
	}
	a, err := newAlarm(config.Receivers, dir, c.silent(stdio), stdio.Err)
	if err != nil {
		return nil, &UserError{fmt.Errorf("keeping alerts: %w", err), "Name another directory, with room for them, with --spool: each agent needs its own."}
	}
	a.later = "the next torchleak watch"
	host, _ := os.Hostname()
	return newFleetAlarm(a, config.Rules, host, c.Lang), nil
}

// newFleetAlarm goes on with what an agent before had told, and what is open still.
func newFleetAlarm(a *alarm, rules []sentinel.Rule, host, lang string) *fleetAlarm {
	f := &fleetAlarm{alarm: a, rules: rules, host: host, lang: lang, began: time.Now(),
		sentinels: map[seen]*sentinel.Sentinel{}, awaited: map[seen]bool{}}
	noted, err := sentinel.KeptOpen(f.openFile())
	if err != nil {
		a.say(fmt.Sprintf("what was open before cannot be read, and is told once more where it still is: %v", err))
	}
	open := a.office.Standing(noted)
	of := map[seen][]sentinel.Alert{}
	for _, alert := range open {
		who := seen{alert.Recording, alert.PID}
		of[who] = append(of[who], alert)
	}
	for who, open := range of {
		f.sentinels[who], f.awaited[who] = sentinel.Resume(rules, f.place(who.recording), open), true
	}
	a.office.Resume(rules, open)
	f.changed = true // what waited is gone once it is delivered
	f.note()
	a.office.Deliver()
	return f
}

// openFile lies beside the receivers' directories.
func (f *fleetAlarm) openFile() string { return filepath.Join(f.dir, sentinel.OpenName) }

func (f *fleetAlarm) place(recording string) sentinel.Place {
	return sentinel.Place{Host: f.host, Recording: recording, Lang: f.lang}
}

// stateDir is where this user's alerts wait, by the rules of freedesktop.org.
func stateDir() (string, error) {
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", errors.New("there is no home directory")
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "torchleak", "alerts"), nil
}

// observeEvery is how often the agent's trainings are held against the rules.
const observeEvery = time.Second

// metAgain is how long an agent that was started again looks for the trainings that it knew, until it takes them for ended.
const metAgain = time.Minute

// run observes until the context ends. What is open stays so: the trainings go on without the agent.
func (f *fleetAlarm) run(ctx context.Context, agent *watch.Agent) {
	defer f.close()
	ticker := time.NewTicker(observeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			f.observe(now, agent.State().Ranks)
		}
	}
}

// watchedStill reports whether more will be known of a process, or else why not.
func watchedStill(r metrics.Rank) (bool, sentinel.Cause) {
	switch t := r.Report.Target; {
	case t.Attached != nil && t.Attached.LetGo:
		return false, sentinel.LetGo
	case r.Running:
		return true, ""
	case t.Exit != nil || t.End != nil:
		return false, sentinel.Ended
	}
	return false, sentinel.Unseen
}

// observe takes what is known of all processes. What is open of one of which nothing more will be known is resolved; an agent that was
// just started may not have met it yet.
func (f *fleetAlarm) observe(now time.Time, ranks []metrics.Rank) {
	running, over := map[seen]bool{}, map[seen]sentinel.Cause{}
	var changes []sentinel.Change
	for _, r := range ranks {
		target := r.Report.Target
		who := seen{r.Recording, target.PID}
		if running[who], over[who] = watchedStill(r); !running[who] {
			continue
		}
		if f.sentinels[who] == nil {
			if !r.Met {
				continue // it may have been over before, killed with its torchleak
			}
			f.sentinels[who] = sentinel.New(f.rules, f.place(r.Recording))
		}
		// A fault of a loader worker ends when nothing is wrong with it any more: then it has no series.
		p := sentinel.Process{Target: target, Step: r.Report.Steps.Seen, Memories: slices.Clone(r.Quiet), Findings: r.Report.Findings}
		for _, m := range r.Memories {
			p.Memories = append(p.Memories, m.Memory)
		}
		changes = append(changes, f.sentinels[who].Observe(now, p)...)
	}
	for who, s := range f.sentinels {
		switch {
		case running[who]:
			delete(f.awaited, who)
		case f.awaited[who] && now.Sub(f.began) < metAgain:
		default:
			changes = append(changes, s.End(now, cmp.Or(over[who], sentinel.Unseen))...)
			delete(f.sentinels, who)
			delete(f.awaited, who)
		}
	}
	f.changed = f.changed || len(changes) > 0
	f.send(now, changes, f.note)
	f.note() // what could not be noted before
}

// note writes down what is open, once it has changed.
func (f *fleetAlarm) note() {
	if !f.changed {
		return
	}
	open := []sentinel.Alert{}
	for _, s := range f.sentinels {
		open = append(open, s.Open()...)
	}
	err := sentinel.Keep(f.openFile(), open)
	if err != nil && !f.unnoted {
		f.say(fmt.Sprintf("an agent that is started again will tell what is open once more: %v", err))
	}
	f.changed, f.unnoted = err != nil, err != nil
}

package sentinel

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// Alert is one fault of one memory of one process, and where it stands. What tells it from others stays as it was first told: a
// receiver finds the begin that an end belongs to by it.
type Alert struct {
	Name         string           `json:"name"` // of the rule
	Severity     string           `json:"severity"`
	Resolved     bool             `json:"resolved"`
	StartsAt     time.Time        `json:"starts_at"`
	EndsAt       *time.Time       `json:"ends_at,omitempty"`
	Because      Cause            `json:"because,omitempty"`   // it was resolved
	Host         string           `json:"host"`                // as the training calls it
	SeenFrom     string           `json:"seen_from,omitempty"` // the host that watches it, where that is another: of its container, say
	Script       string           `json:"script"`
	Recording    string           `json:"recording"` // path
	Rank         int              `json:"rank"`
	WorldSize    int              `json:"world_size,omitempty"`
	PID          int              `json:"pid"`
	Memory       string           `json:"memory"`
	Verdict      finding.Verdict  `json:"verdict"`
	BytesPerStep *int64           `json:"bytes_per_step,omitempty"`
	SecondsToOOM *float64         `json:"seconds_to_oom,omitempty"`
	Lang         string           `json:"lang,omitempty"` // of what follows
	Summary      string           `json:"summary"`
	Brief        string           `json:"brief,omitempty"`   // the summary in one line, without the reason
	Finding      *finding.Finding `json:"finding,omitempty"` // the dearest one of this memory, once there is one
}

// Cause is why an alert was resolved.
type Cause string

// Causes.
const (
	Healed Cause = "healed" // the rule matches no more
	Ended  Cause = "ended"  // the training has
	LetGo  Cause = "let_go" // the training was attached to, and goes on without
	Unseen Cause = "unseen" // the training is not seen any more
)

// fault tells the faults of one recording apart.
type fault struct {
	rule, memory string
	pid          int
}

func (a Alert) fault() fault { return fault{a.Name, a.Memory, a.PID} }

// place is a fault among those of all recordings: containers may have processes of one number.
type place struct {
	host, recording string
	fault
}

func (a Alert) place() place { return place{a.Host, a.Recording, a.fault()} }

// errNoAlert says that a file holds something else than it should.
var errNoAlert = errors.New("it holds no alert")

// check is for what was read from a file.
func (a Alert) check() error {
	if a.Name == "" || a.Resolved != (a.EndsAt != nil) {
		return errNoAlert
	}
	return nil
}

// begin is the alert of a fault that was not there before.
func (p Place) begin(rule Rule, now time.Time, t finding.Target, memory string) Alert {
	host, from := cmp.Or(t.Host, p.Host), p.Host
	if from == host {
		from = ""
	}
	return Alert{
		Name: rule.Name, Severity: rule.Severity, StartsAt: now, Host: short(host, maxName), SeenFrom: short(from, maxName), Script: short(t.Script(), maxPath), Recording: p.Recording,
		Rank: t.Rank, WorldSize: t.WorldSize, PID: t.PID, Memory: memory, Lang: p.Lang,
	}
}

// describe says what is known of the fault now; found is nil where no statement is known.
func (a *Alert) describe(m finding.Memory, found *finding.Finding) {
	a.Verdict, a.BytesPerStep, a.SecondsToOOM, a.Finding = m.Verdict, m.BytesPerStep, m.SecondsToOOM, found
	say := phrase.In(a.Lang)
	text := say.Say("headline.memory", "memory", m.Name, "verdict", say.Verdict(m))
	if forecast := say.OutOfMemory(m); forecast != "" {
		text = say.List(text, forecast)
	}
	a.Summary, a.Brief = text, text
	if found == nil {
		return
	}
	rule, place, code := found.Rule+" "+found.Name, "", ""
	if l := found.Location; l != nil {
		place = shortPath(l.File, maxName) + ":" + strconv.Itoa(l.Line)
		rule, code = rule+" ("+place+")", short(l.Code, maxCode)
	}
	a.Summary = say.Sentences(text, rule, say.Why(*found))
	a.Brief = strings.TrimSpace(say.Sentences(text) + " " + rule + " " + code)
}

// resolve ends the fault. Where the clock was set back meanwhile it has begun earlier by as much: Alertmanager refuses an end before the begin.
func (a *Alert) resolve(now time.Time, because Cause) {
	lasted, end := now.Sub(a.StartsAt), now.Round(0) // by the monotonic clock, where both have it; the end is of the other
	a.Resolved, a.EndsAt, a.Because = true, &end, because
	if end.Before(a.StartsAt.Round(0)) {
		a.StartsAt = end.Add(-max(lasted, 0))
	}
}

// by is the alert for one whose clock says now. What is ahead of it, since ours was set back, Alertmanager would refuse, or not take for
// ended.
func (a Alert) by(now time.Time) Alert {
	latest := now
	if a.EndsAt != nil {
		if a.EndsAt.Before(now) {
			latest = *a.EndsAt
		}
		a.EndsAt = &latest
	}
	if a.StartsAt.After(latest) {
		a.StartsAt = latest
	}
	return a
}

// Line is the alert in one line, for a chat or a log: where it stands, whose it is, and what it is about.
func (a Alert) Line() string {
	say := phrase.In(a.Lang)
	who, what := a.who(), cmp.Or(a.Brief, a.Summary)
	if a.Resolved {
		after := units.Seconds(a.EndsAt.Sub(a.StartsAt).Seconds())
		why := phrase.Key("alert." + cmp.Or(a.Because, Healed)) // alerts that were kept by an older agent have none
		return plain.Text(say.Say("alert.resolved", "rule", a.Name, "time", after, "why", say.Say(why), "who", who, "what", what))
	}
	return plain.Text(say.Say("alert.firing", "rule", a.Name, "who", who, "what", what))
}

// who is the training in a few words: where and what it is, and by what it is found there.
func (a Alert) who() string {
	host := a.Host
	if a.SeenFrom != "" {
		host += "@" + a.SeenFrom
	}
	words := []string{host, short(base(a.Script), maxName)}
	if a.WorldSize > 1 || a.Rank > 0 {
		words = append(words, "rank "+strconv.Itoa(a.Rank))
	}
	words = append(words, "pid "+strconv.Itoa(a.PID), "("+shortName(a.Recording)+")")
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" || w == "()" }), " ")
}

// shortName is what a recording is known by: its own name and that of its project, or of the folder that it lies in.
func shortName(recording string) string {
	project := filepath.Dir(recording)
	if filepath.Base(project) == ".torchleak" {
		project = filepath.Dir(project)
	}
	return filepath.Join(base(project), base(recording))
}

// base is the last element of a path; empty where there is none.
func base(path string) string { return strings.Trim(filepath.Base(path), "./") }

// Bounds of what stands in a line, in characters. Names come from files that a training wrote.
const (
	maxName = 100
	maxPath = 4096
	maxCode = 60
)

// short is text in one line of so many characters at most.
func short(text string, most int) string {
	line := oneLine(text)
	if len(line) > most {
		return string(line[:most]) + " …"
	}
	return string(line)
}

// shortPath is a path of which the end is left where it is long: there stands what the file is called.
func shortPath(path string, most int) string {
	line := oneLine(path)
	if len(line) > most {
		return "… " + string(line[len(line)-most:])
	}
	return string(line)
}

func oneLine(text string) []rune { return []rune(plain.Text(strings.Join(strings.Fields(text), " "))) }

// Package sentinel raises alarms on what a running training's memories do: once for each fault, and taken back when it
// ends. It judges nothing itself: rules match the verdicts, growths and forecasts of the detection, so that an alarm
// on a leak has survivors behind it. Alerts are kept on disk until their receiver has taken them.
package sentinel

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
)

// Process is what is known of one training process at one moment.
type Process struct {
	Target   finding.Target
	Step     int64
	Memories []finding.Memory
	Findings []finding.Finding
}

// Place is where a training is seen, as alerts name it.
type Place struct {
	Host      string // that watches
	Recording string // path
	Lang      string // of what people read
}

// Sentinel knows which faults are open. It is not safe for concurrent use.
type Sentinel struct {
	rules []Rule
	place Place
	open  map[fault]Alert
}

// Resume goes on with faults that were open when they were written down: they are not told again. What was told by a rule that is there
// no more is taken back.
func Resume(rules []Rule, place Place, open []Alert) *Sentinel {
	s := New(slices.Clone(rules), place)
	for _, a := range open {
		s.open[a.fault()] = a
		if rule := named(s.rules, a.Name); len(rule.Verdicts) == 0 {
			s.rules = append(s.rules, rule)
		}
	}
	return s
}

// Open lists what is open, in a fixed order.
func (s *Sentinel) Open() []Alert {
	var open []Alert
	for _, f := range s.faults() {
		open = append(open, s.open[f])
	}
	return open
}

// New returns a sentinel to which nothing is wrong yet.
func New(rules []Rule, place Place) *Sentinel {
	return &Sentinel{rules: rules, place: place, open: map[fault]Alert{}}
}

// Observe returns what has begun or ended since the process was last observed, and the rule of each.
func (s *Sentinel) Observe(now time.Time, p Process) []Change {
	var changes []Change
	for _, rule := range s.rules {
		for _, m := range p.Memories {
			f := fault{rule.Name, m.Name, p.Target.PID}
			alert, known := s.open[f]
			found := dearest(p.Findings, m.Name)
			switch matches := rule.matches(m, p.Step); {
			case matches && (!known || alert.Finding == nil && found != nil):
				// The finding may come after the verdict: it is worth a second word, of the same fault.
				if !known {
					alert = s.place.begin(rule, now, p.Target, m.Name)
				}
				alert.describe(m, found)
				s.open[f] = alert
				changes = append(changes, Change{rule, alert})
			case !matches && known && m.Verdict != finding.Undecided:
				changes = append(changes, s.resolve(f, rule, now, Healed))
			}
		}
	}
	return changes
}

// Change is an alert that has begun or ended, under its rule.
type Change struct {
	Rule  Rule
	Alert Alert
}

// End resolves what is open: nothing more is known of the training.
func (s *Sentinel) End(now time.Time, because Cause) []Change {
	var changes []Change
	for _, f := range s.faults() {
		changes = append(changes, s.resolve(f, named(s.rules, f.rule), now, because))
	}
	return changes
}

func (s *Sentinel) faults() []fault {
	return slices.SortedFunc(maps.Keys(s.open), func(a, b fault) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.pid, b.pid), cmp.Compare(a.memory, b.memory))
	})
}

func (s *Sentinel) resolve(f fault, rule Rule, now time.Time, because Cause) Change {
	alert := s.open[f]
	delete(s.open, f)
	alert.resolve(now, because)
	return Change{rule, alert}
}

// dearest is the first finding of a memory: they are sorted by what they cost.
func dearest(findings []finding.Finding, memory string) *finding.Finding {
	i := slices.IndexFunc(findings, func(f finding.Finding) bool { return f.Memory == memory })
	if i < 0 {
		return nil
	}
	f := findings[i]
	return &f
}

// named is the rule of that name. One that is there no more matches nothing, and goes to all receivers.
func named(rules []Rule, name string) Rule {
	if i := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name }); i >= 0 {
		return rules[i]
	}
	return Rule{Name: name}
}

// matches reports whether all conditions of the rule are met.
func (r Rule) matches(m finding.Memory, step int64) bool {
	if !slices.Contains(r.Verdicts, m.Verdict) {
		return false
	}
	if r.Growth > 0 && (m.BytesPerStep == nil || *m.BytesPerStep < r.Growth) {
		return false
	}
	if r.Steps > 0 && (m.SinceStep == nil || step-*m.SinceStep < r.Steps) {
		return false
	}
	return r.OOMWithin.Duration == 0 || m.SecondsToOOM != nil && *m.SecondsToOOM <= r.OOMWithin.Seconds()
}

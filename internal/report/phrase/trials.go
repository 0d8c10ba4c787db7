package phrase

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/units"
)

// Grower is the counter that shows growth, in words.
type Grower struct{ Memory, Series, Amount string }

func (g Grower) pairs(more ...string) []string {
	return append([]string{"memory", g.Memory, "series", g.Series, "amount", g.Amount}, more...)
}

// Counter names the counter: "host (used)".
func (c *Catalogue) Counter(g Grower) string { return c.Say("trial.counter", g.pairs()...) }

// Found says that the statements named behind it make memory grow. Where that is not proven the runs were used up first.
func (c *Catalogue) Found(g Grower, proven bool) string {
	if proven {
		return c.Say("trial.found", g.pairs()...)
	}
	return c.Say("trial.found.unproven", g.pairs()...)
}

// Unfound says that none of so many statements makes memory grow by itself.
func (c *Catalogue) Unfound(g Grower, statements int) string {
	return c.Say("trial.unfound", g.pairs("count", units.Count(int64(statements)))...)
}

// Flat says that there is no growth to look into; verdict is a label.
func (c *Catalogue) Flat(steps int64, verdict string) string {
	return c.Say("trial.flat", "steps", units.Count(steps), "verdict", verdict)
}

// Holds says whether a patch holds; reason, in English, is empty where it does.
func (c *Catalogue) Holds(reason string) string {
	if reason == "" {
		return c.Say("trial.holds")
	}
	return c.Say("trial.fails", "reason", c.Words(reason))
}

// Part of a picture or table of trials.
const (
	TrialWith    Key = "trial.with"
	TrialWithout Key = "trial.without"
	TrialAsItIs  Key = "trial.as_it_is"
	TrialChanged Key = "trial.changed"
	TrialMemory  Key = "trial.memory"
	TrialLosses  Key = "trial.losses"
	TrialUnrun   Key = "trial.unrun"
	TrialMade    Key = "trial.made"
	TrialNext    Key = "trial.next"
	TrialGoOn    Key = "trial.go_on"
)

// Made says how many runs were made in how long.
func (c *Catalogue) Made(runs int, seconds float64) string {
	return c.Say("trial.made.in", "count", units.Count(int64(runs)), "time", units.Seconds(seconds))
}

// Off says which statements a run goes without, the first few by their places; all of them on is "as it is".
func (c *Catalogue) Off(places []string) string {
	const most = 3
	named := strings.Join(places[:min(most, len(places))], ", ")
	if len(places) > most {
		named += ", …"
	}
	switch len(places) {
	case 0:
		return c.Say(TrialAsItIs)
	case 1:
		return c.Say("trial.off.one", "places", named)
	}
	return c.Say("trial.off", "count", units.Count(int64(len(places))), "places", named)
}

// Left says what a run without some statements came to; left is the part of the growth that it had.
func (c *Catalogue) Left(resolved, gone bool, left float64) string {
	switch {
	case !resolved:
		return c.Say("trial.unresolved")
	case gone:
		return c.Say("trial.gone")
	}
	return c.Say("trial.left", "percent", fmt.Sprintf("%.0f", 100*left))
}

// Progress says which run of a search begins: what it goes without, what the one before came to (empty in the first two),
// and how long the rest takes at most in seconds (0: not known).
func (c *Catalogue) Progress(run, runs int, steps int64, off, last string, seconds float64) string {
	line := c.Say("trial.progress", "run", units.Count(int64(run)), "runs", units.Count(int64(runs)), "steps", units.Count(steps), "off", off)
	if last != "" {
		line = c.Say("trial.then", "last", last, "next", line)
	}
	if seconds > 0 {
		line += c.Say("trial.remains", "time", units.Seconds(seconds))
	}
	return line
}

// Trying says that a run with a change begins, which what says in English.
func (c *Catalogue) Trying(steps int64, what string) string {
	return c.Say("trial.trying", "steps", units.Count(steps), "what", c.Words(what))
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/torchleak/torchleak/leaks"
)

// outcome says what became of a case.
type outcome string

// Outcomes.
const (
	noFix    outcome = "no fix is offered"
	flat     outcome = "flat, the losses are the same"
	differs  outcome = "flat, the losses differ"
	silent   outcome = "flat, there are no losses to compare"
	grows    outcome = "it still grows"
	breaks   outcome = "the training breaks"
	unjudged outcome = "it could not be judged"
)

// way is where a fix comes from, the first one that is enough.
type way string

// Ways.
const (
	safe      way = "--fix"
	unsafe    way = "--unsafe-fixes"
	fromWatch way = "run" // the patch of the first finding of torchleak run
)

// result is one case.
type result struct {
	name    string
	outcome outcome
	way     way
	answer  answer
	reason  string
}

// answer is what is read of verify's JSON.
type answer struct {
	Target  struct{ Torch string }
	Grows   struct{ Unit string }
	PerStep float64 `json:"per_step"`
	Changed float64 `json:"per_step_changed"`
	Gone    bool
	Broke   bool
	Holds   bool
	Losses  struct {
		Compared int
		Same     bool
	}
	Reason string
}

// fixed reports that the growth is gone. A fix that is not safe may change the losses, that is why a person is to look
// at it; one that is safe may not.
func (r result) fixed() bool {
	return r.outcome == flat || (r.outcome == differs || r.outcome == silent) && r.way != safe
}

// byLint reports that the linter's fix is enough.
func (r result) byLint() bool { return r.fixed() && r.way != fromWatch }

func (r result) said() string {
	if r.outcome == noFix {
		return string(r.outcome) + ": " + r.reason
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %s %s", r.way, r.outcome, r.reason))
}

// tools are what cases are run with.
type tools struct{ binary, python string }

// limit is how long one command may take: verify makes up to four runs.
const limit = 10 * time.Minute

// one tries the safe fixes of a case, where they are not enough all, and where these are not, the patch of a run.
func (t tools) one(ctx context.Context, c *leaks.Case) result {
	r := result{name: c.Name, outcome: noFix}
	scratch, err := os.MkdirTemp("", "fixscore")
	if err != nil {
		return result{name: c.Name, outcome: unjudged, reason: err.Error()}
	}
	defer os.RemoveAll(scratch)
	source := filepath.Join(scratch, "src")
	if err = os.Mkdir(source, 0o755); err == nil {
		err = c.Lay(source, "train.py")
	}
	if err != nil {
		return result{name: c.Name, outcome: unjudged, reason: err.Error()}
	}
	var tried [][]byte
	for _, w := range []way{safe, unsafe, fromWatch} {
		patch := t.patch(ctx, source, w)
		if len(patch) == 0 || slices.ContainsFunc(tried, func(old []byte) bool { return bytes.Equal(old, patch) }) {
			continue
		}
		tried = append(tried, patch)
		proof := t.prove(ctx, c, scratch, patch, string(w))
		if proof.way = w; w == fromWatch && r.outcome != noFix && !proof.fixed() {
			break // what lint's fix came to says more
		}
		if r = proof; r.fixed() {
			break
		}
	}
	if r.outcome == noFix {
		r.reason = t.words(ctx, source)
	}
	return r
}

// patch is the change that is offered in a way; empty where there is none.
func (t tools) patch(ctx context.Context, source string, w way) []byte {
	if w != fromWatch {
		args := []string{"lint", "--isolated", "--quiet", "--diff", "."}
		if w == unsafe {
			args = append(args, "--unsafe-fixes")
		}
		text, _, _ := t.torchleak(ctx, source, args)
		return text
	}
	recording := filepath.Join(filepath.Dir(source), "watched")
	_, _, _ = t.torchleak(ctx, source, []string{"run", "--quiet", "--dir", recording, "--", t.python, "train.py"})
	text, _ := os.ReadFile(filepath.Join(recording, "fix-1.patch"))
	return text
}

// words is what lint says of a case that it has no change for.
func (t tools) words(ctx context.Context, source string) string {
	out, said, err := t.torchleak(ctx, source, []string{"lint", "--isolated", "--quiet", "--fail-on", "never", "--json", "-", "."})
	var found struct {
		Findings []struct {
			Rule string
			Fix  struct{ Summary string }
		}
	}
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	switch {
	case err != nil:
		return fmt.Sprintf("%v: %s", err, leaks.Tail(said))
	case len(found.Findings) == 0:
		return "lint does not see the leak in the source"
	}
	return found.Findings[0].Rule + " in words only: " + found.Findings[0].Fix.Summary
}

// prove runs a case with a patch and without.
func (t tools) prove(ctx context.Context, c *leaks.Case, scratch string, patch []byte, run string) result {
	r := result{name: c.Name, outcome: unjudged}
	file, out := filepath.Join(scratch, run+".patch"), filepath.Join(scratch, run+".json")
	if err := os.WriteFile(file, patch, 0o600); err != nil {
		r.reason = err.Error()
		return r
	}
	_, said, runErr := t.torchleak(ctx, filepath.Join(scratch, "src"), []string{"verify", "--quiet", "--patch", file, "--json", out,
		"--dir", filepath.Join(scratch, "recording-"+run), "--", t.python, "train.py"})
	text, err := os.ReadFile(out)
	if err == nil {
		err = json.Unmarshal(text, &r.answer)
	}
	if err != nil {
		r.reason = fmt.Sprintf("%v: %s", runErr, leaks.Tail(said))
		return r
	}
	switch {
	case r.answer.Holds:
		r.outcome = flat
		return r
	case r.answer.Gone && !r.answer.Broke && r.answer.Losses.Compared == 0:
		r.outcome = silent
	case r.answer.Gone && r.answer.Losses.Compared > 0 && !r.answer.Losses.Same:
		r.outcome = differs
	case r.answer.Broke:
		r.outcome = breaks
	case !r.answer.Gone:
		r.outcome = grows
	}
	r.reason = r.answer.Reason
	return r
}

func (t tools) torchleak(ctx context.Context, dir string, args []string) (out []byte, said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return leaks.Torchleak(ctx, t.binary, dir, args...)
}

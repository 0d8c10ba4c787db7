package corpus

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/lint"
)

// Result is what the linter said of a case.
type Result struct {
	Case   *Case
	Found  []Mark // statements to change that were reported under a right name
	Missed []Mark
	Right  []finding.Static // leak patterns at marked statements
	False  []finding.Static // leak patterns anywhere else
	Noted  []finding.Static // remarks anywhere else; they fail nothing
}

// Run lints each case by itself, in a folder below dir.
func Run(cases []Case, dir string) ([]Result, error) {
	results := make([]Result, 0, len(cases))
	for i := range cases {
		folder, err := os.MkdirTemp(dir, "case")
		if err != nil {
			return nil, err
		}
		for name, source := range cases[i].Files {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(source), 0o600); err != nil {
				return nil, err
			}
		}
		linted, err := lint.Run(lint.Options{Paths: []string{folder}, Dir: folder, Isolated: true})
		if err != nil {
			return nil, err
		}
		results = append(results, Judge(&cases[i], linted.Report.Findings))
	}
	return results, nil
}

// Judge compares what was reported with what is marked.
func Judge(c *Case, reported []finding.Static) Result {
	r := Result{Case: c}
	for _, m := range c.Marks {
		if m.Also {
			continue
		}
		if slices.ContainsFunc(reported, func(f finding.Static) bool { return c.answers(f, m) }) {
			r.Found = append(r.Found, m)
		} else {
			r.Missed = append(r.Missed, m)
		}
	}
	for _, f := range reported {
		marked := slices.ContainsFunc(c.Marks, func(m Mark) bool { return at(f, m) })
		switch {
		case marked && leak(f):
			r.Right = append(r.Right, f)
		case !marked && leak(f):
			r.False = append(r.False, f)
		case !marked:
			r.Noted = append(r.Noted, f)
		}
	}
	return r
}

// answers reports whether f names the fault m under a right name, at its statement or at a second one of that fault.
func (c *Case) answers(f finding.Static, m Mark) bool {
	if !slices.Contains(m.Rules, f.Name) {
		return false
	}
	return at(f, m) || slices.ContainsFunc(c.Marks, func(other Mark) bool {
		return other.Also && at(f, other) && slices.Contains(other.Rules, f.Name)
	})
}

func at(f finding.Static, m Mark) bool {
	return f.Location.File == m.File && f.Location.Line <= m.Line && m.Line <= max(f.Location.Line, f.Location.EndLine)
}

func leak(f finding.Static) bool { return f.Severity != "note" }

// Tally adds results up.
type Tally struct {
	Cases, LookAlikes, Marks, Found, Reported, Right int
}

// Sum adds up the results.
func Sum(results []Result) Tally {
	var t Tally
	for _, r := range results {
		t.Cases++
		if !r.Case.Fault() {
			t.LookAlikes++
		}
		t.Marks += len(r.Found) + len(r.Missed)
		t.Found += len(r.Found)
		t.Reported += len(r.Right) + len(r.False)
		t.Right += len(r.Right)
	}
	return t
}

// What the linter has to reach.
const (
	WantRecall    = 0.95
	WantPrecision = 0.97
)

// Recall is the share of the marked statements that were found.
func (t Tally) Recall() float64 { return share(t.Found, t.Marks) }

// Precision is the share of the reported leak patterns that stand at marked statements.
func (t Tally) Precision() float64 { return share(t.Right, t.Reported) }

func share(part, all int) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}

package smoke

import "github.com/torchleak/torchleak/internal/finding"

// Outcome is what a check, or the whole gate, came to.
type Outcome string

// Outcomes, gravest first. A memory that this machine cannot read is skipped, as is one aside that is there for too short
// a time; the gate passes if another was judged.
const (
	Failed   Outcome = "failed"
	Unjudged Outcome = "unjudged"
	Passed   Outcome = "passed"
	Skipped  Outcome = "skipped"
)

// Kind is what a check looks at.
type Kind string

// Kinds of checks.
const (
	Growth         Kind = "growth"          // early against late in this run
	BaselinePeak   Kind = "baseline-peak"   // the peak against the saved run's
	BaselineGrowth Kind = "baseline-growth" // the growth against the saved run's
)

// Check is one memory of one process under one kind of look.
type Check struct {
	Kind    Kind
	Rank    int
	Memory  finding.Memory
	Outcome Outcome
	Windows Windows
	Grew    *int64 // bytes from Windows.From to Windows.To; nil: the run has no step there
	Later   *int64 // bytes a step after Windows.Middle
	// Finding explains a failure of Growth; nil where no statement could be named.
	Finding *finding.Finding
	// Was and Is are the figures of a comparison with a saved run; the worst that passes is Limit.
	Was, Is, Limit int64
}

// PerStep is Grew by step.
func (c Check) PerStep() int64 {
	if c.Grew == nil {
		return 0
	}
	return *c.Grew / c.Windows.span()
}

// Result is the gate's answer.
type Result struct {
	Windows Windows
	Checks  []Check
	Ranks   int // how many processes trained
}

// Judge makes one check of every memory of every process. fails says which verdicts the gate does not let pass.
func Judge(r finding.Report, w Windows, fails func(finding.Verdict) bool) Result {
	ranks := Ranks(r)
	result := Result{Windows: w, Ranks: len(ranks)}
	for _, rank := range ranks {
		for _, m := range rank.Memories {
			c := Check{Kind: Growth, Rank: rank.Target.Rank, Memory: m, Windows: w, Grew: w.grew(m), Later: w.later(m)}
			c.Outcome = outcome(c, fails)
			c.Finding = about(rank, m)
			result.Checks = append(result.Checks, c)
		}
	}
	return result
}

// outcome judges growth by the memory's verdict: bytes that come and go, or that a cache keeps, are no leak however the
// two windows differ. A leak that is proven needs no windows.
func outcome(c Check, fails func(finding.Verdict) bool) Outcome {
	switch {
	case fails(c.Memory.Verdict):
		return Failed
	case c.Memory.Verdict == finding.Undecided && len(c.Memory.Series["allocated"]) == 0:
		return Skipped
	case c.Memory.Verdict == finding.Undecided || c.Grew == nil:
		if c.Memory.Aside() {
			return Skipped
		}
		return Unjudged
	}
	return Passed
}

// about is the finding that costs the memory most.
func about(r finding.Report, m finding.Memory) *finding.Finding {
	for i := range r.Findings {
		if r.Findings[i].Memory == m.Name {
			return &r.Findings[i]
		}
	}
	return nil
}

// Ranks are the reports of the processes of a run.
func Ranks(r finding.Report) []finding.Report {
	if len(r.Ranks) > 0 {
		return r.Ranks
	}
	if r.Steps.Seen == 0 {
		return nil
	}
	return []finding.Report{r}
}

// Outcome is the gate's: the gravest of its checks. One that judged nothing has not passed.
func (r Result) Outcome() Outcome {
	count := map[Outcome]int{}
	for _, c := range r.Checks {
		count[c.Outcome]++
	}
	switch {
	case count[Failed] > 0:
		return Failed
	case count[Unjudged] > 0 || count[Passed] == 0:
		return Unjudged
	}
	return Passed
}

// Need is how many steps the run should have so that every memory can be judged; 0 where that is not known.
func (r Result) Need() int64 {
	var need int64
	for _, c := range r.Checks {
		if c.Outcome == Unjudged && c.Memory.NeedSteps != nil && len(c.Memory.Steps) > 0 {
			need = max(need, c.Memory.Steps[len(c.Memory.Steps)-1]+*c.Memory.NeedSteps)
		}
	}
	return need
}

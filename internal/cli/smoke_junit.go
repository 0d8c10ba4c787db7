package cli

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/report/junit"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/smoke"
)

// suite is the gate as test results, in English: build servers compare names from run to run.
func (g gate) suite() junit.Suite {
	say := phrase.In("en")
	s := junit.Suite{Name: "torchleak smoke", Seconds: g.seconds, Out: strings.Join(g.remarks, "\n")}
	for _, p := range []junit.Property{
		{Name: "command", Value: strings.Join(g.argv, " ")},
		{Name: "torch", Value: g.report.Target.Torch},
		{Name: "python", Value: g.report.Target.Python},
		{Name: "recording", Value: relative(g.dir.Path)},
	} {
		if p.Value != "" {
			s.Properties = append(s.Properties, p)
		}
	}
	ran := junit.Case{Class: "torchleak.smoke", Name: "training", Seconds: g.seconds}
	if g.trouble != "" {
		ran.Error = &junit.Problem{Message: g.trouble, Type: "not-judged"}
	}
	s.Cases = append(s.Cases, ran)
	for _, k := range g.judged.Checks {
		s.Cases = append(s.Cases, testcase(k, g.judged.Ranks, say))
	}
	return s
}

// testcase is one check as a test.
func testcase(k smoke.Check, ranks int, say *phrase.Catalogue) junit.Case {
	c := junit.Case{Class: "torchleak.smoke", Name: k.Memory.Name + " " + string(k.Kind)}
	if ranks > 1 {
		c.Class = fmt.Sprintf("torchleak.smoke.rank%d", k.Rank)
	}
	p := &junit.Problem{Message: say.Check(k, ranks), Type: string(k.Memory.Verdict)}
	switch k.Outcome {
	case smoke.Failed:
		if k.Kind != smoke.Growth {
			p.Type = string(k.Kind)
		}
		p.Text = explained(k)
		c.Failure = p
	case smoke.Unjudged:
		p.Text = k.Memory.Why
		c.Error = p
	case smoke.Skipped:
		p.Text = k.Memory.Why
		c.Skipped = p
	default:
		c.Out = p.Message
	}
	return c
}

// explained is the finding behind a failure, for a reader who has only the test report.
func explained(k smoke.Check) string {
	f := k.Finding
	if f == nil {
		return k.Memory.Why
	}
	lines := []string{phrase.Cause(k)}
	if f.Holder != nil {
		lines = append(lines, "holder: "+phrase.In("en").Holder(*f.Holder))
	}
	lines = append(lines, "why: "+f.Why)
	if f.Fix != nil {
		lines = append(lines, "fix: "+f.Fix.Summary, f.Fix.Diff)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

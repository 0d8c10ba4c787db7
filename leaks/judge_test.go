package leaks

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/finding"
)

func ptr[T any](v T) *T { return &v }

func at(file string, line int) *finding.Location {
	return &finding.Location{File: file, Line: line, EndLine: line}
}

func example(t *testing.T) *Case {
	t.Helper()
	cases, err := Load(".", "loss-history")
	if err != nil || len(cases) != 1 {
		t.Fatalf("loading one case: %d, %v", len(cases), err)
	}
	return cases[0]
}

func TestJudge(t *testing.T) {
	c := example(t)
	line := c.Marks[0].Line
	leak := func(findings ...finding.Finding) *finding.Report {
		return &finding.Report{
			Verdict: finding.Leak, Steps: finding.Steps{Warmup: 8}, Findings: findings,
			Memories: []finding.Memory{{Name: "host", Verdict: finding.Leak, DetectedAtStep: ptr[int64](15)}},
		}
	}
	right := finding.Finding{Rule: "TL102", Location: at("/elsewhere/train.py", line), Holder: &finding.Holder{Path: "locals of main: curve"}}
	other := finding.Finding{Rule: "TL130", Location: at("train.py", line+1)}
	for name, test := range map[string]struct {
		program string
		report  *finding.Report
		want    Score
	}{
		"all right":      {"train.py", leak(right), Score{VerdictOK: true, Place: First, RuleOK: true, HolderOK: true, Detected: true, Latency: 7}},
		"third":          {"train.py", leak(other, other, right), Score{VerdictOK: true, Place: Later, Detected: true, Latency: 7}},
		"fourth":         {"train.py", leak(other, other, other, right), Score{VerdictOK: true, Detected: true, Latency: 7}},
		"no finding":     {"train.py", leak(), Score{VerdictOK: true, Detected: true, Latency: 7}},
		"missed":         {"train.py", &finding.Report{Verdict: finding.Healthy}, Score{}},
		"undecided":      {"fixed.py", &finding.Report{Verdict: finding.Undecided}, Score{}},
		"fixed bounded":  {"fixed.py", &finding.Report{Verdict: finding.Bounded}, Score{VerdictOK: true}},
		"fixed is leak":  {"fixed.py", leak(right), Score{FalseAlarm: true}},
		"fixed is cycle": {"fixed.py", &finding.Report{Verdict: finding.Cycle}, Score{}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Judge(c, test.program, test.report)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLatencyCountsFromOnset(t *testing.T) {
	report := &finding.Report{
		Verdict: finding.Leak, Steps: finding.Steps{Warmup: 8},
		Memories: []finding.Memory{{Verdict: finding.Bounded, DetectedAtStep: ptr[int64](3)}, {Verdict: finding.Leak, DetectedAtStep: ptr[int64](70)}},
	}
	if got, ok := latency(&Case{Onset: ptr[int64](61)}, report); !ok || got != 9 {
		t.Errorf("latency %d, %v; want 9", got, ok)
	}
}

func TestFigures(t *testing.T) {
	leaking, native := &Case{Verdict: finding.Leak, Period: 1, Holder: []string{"x"}}, &Case{Verdict: finding.Leak, Period: 1}
	healthy := &Case{Verdict: finding.Healthy, Period: 1}
	results := []Result{
		{Case: leaking, Program: "train.py", Score: Score{VerdictOK: true, Place: First, HolderOK: true, Detected: true, Latency: 4}},
		{Case: leaking, Program: "train.py", Score: Score{VerdictOK: true, Place: Later, Detected: true, Latency: 20}},
		{Case: native, Program: "train.py", Err: errors.New("no report")},
		{Case: healthy, Program: "train.py", Score: Score{FalseAlarm: true}},
	}
	got := map[string]string{}
	for _, f := range Figures(results) {
		got[f.What] = f.String()
	}
	want := map[string]string{
		"verdict right":                                 "50.0 % (2 of 4; wanted ≥ 97 %)",
		"look-alikes called leak":                       "1 (1 of 1; wanted ≤ 0)",
		"statement right, first finding":                "33.3 % (1 of 3; wanted ≥ 92 %)",
		"statement right, first three findings":         "66.7 % (2 of 3; wanted ≥ 97 %)",
		"holder named":                                  "50.0 % (1 of 2; wanted ≥ 92 %)",
		"rule right":                                    "0.0 % (0 of 3; wanted ≥ 92 %)",
		"step of detection said":                        "66.7 % (2 of 3; wanted ≥ 97 %)",
		"steps to detection, growth every step, median": "12 (2 of 2; wanted ≤ 8)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPageShowsEveryMiss(t *testing.T) {
	c := example(t)
	results := []Result{
		{Case: c, Program: "train.py", Err: errors.New("exit status 1: no such module")},
		{Case: c, Program: "fixed.py", Report: finding.Report{Verdict: finding.Leak, Target: finding.Target{Torch: "1.13.0"}}, Score: Score{FalseAlarm: true}},
	}
	var b strings.Builder
	if err := Page(&b, results, Origin{Command: "score", Machine: "m", Date: "2026-01-01"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"exit status 1: no such module", "verdict leak instead of healthy\\|bounded", "| look-alikes called leak | 1 | 1 of 1 | ≤ 0 | **no** |", "torch: 1.13.0"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, b.String())
		}
	}
}

package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

// leaking is the memory of the manual's sample: step 64, 412 MiB, 2 MiB more each step.
func leaking() finding.Memory {
	rate, since, left, seconds := int64(2<<20), int64(3), int64(71_720), 2460.0
	m := finding.Memory{Name: "cuda:0", Kind: "device", Verdict: finding.Leak, BytesPerStep: &rate, SinceStep: &since,
		StepsToOOM: &left, SecondsToOOM: &seconds, Series: map[string][]int64{}}
	for step := range int64(64) {
		m.Steps = append(m.Steps, step+1)
		m.Series["allocated"] = append(m.Series["allocated"], (412-2*(63-step))<<20)
	}
	return m
}

func TestLive(t *testing.T) {
	need := int64(8)
	quiet := finding.Memory{Name: "host", Verdict: finding.Healthy, Steps: []int64{5}, Series: map[string][]int64{"used": {1 << 20}}}
	early := finding.Memory{Name: "host", Verdict: finding.Undecided, NeedSteps: &need, Steps: []int64{5}}
	for _, c := range []struct {
		name     string
		memories []finding.Memory
		o        Options
		want     string
	}{
		{"the manual's sample", []finding.Memory{quiet, leaking()}, Options{Width: 118},
			"torchleak  step 64  cuda:0 412 MiB  ▁▂▃▄▅▆█  +2.0 MiB/step  LEAK since step 3, out of memory in 71,720 steps (41 min)"},
		{"room for a longer curve", []finding.Memory{leaking()}, Options{Width: 160},
			"torchleak  step 64  cuda:0 412 MiB  ▁▁▂▂▃▄▄▅▆▆▇█  +2.0 MiB/step  LEAK since step 3, out of memory in 71,720 steps (41 min)"},
		{"a usual terminal", []finding.Memory{leaking()}, Options{},
			"torchleak  step 64  cuda:0 412 MiB  ▁▂▃▄▅▆█  +2.0 MiB/step  LEAK since step 3, OOM in 41 min"},
		{"a narrow terminal", []finding.Memory{leaking()}, Options{Width: 80},
			"torchleak  step 64  cuda:0 412 MiB  +2.0 MiB/step  LEAK since step 3"},
		{"colour", []finding.Memory{leaking()}, Options{Width: 118, Color: true},
			"torchleak  step 64  cuda:0 412 MiB  \x1b[31m▁▂▃▄▅▆█\x1b[0m  +2.0 MiB/step  \x1b[31m\x1b[1mLEAK\x1b[0m since step 3, out of memory in 71,720 steps (41 min)"},
		{"no colour is left open where the line is cut", []finding.Memory{leaking()}, Options{Width: 60, Color: true},
			"torchleak  step 64  cuda:0 412 MiB  +2.0 MiB/step  LEAK sin…"},
		{"healthy", []finding.Memory{quiet}, Options{}, "torchleak  step 5  host 1.0 MiB  ▁  healthy"},
		{"no figures yet", []finding.Memory{early}, Options{}, "torchleak  step 5  host  undecided, 8 more steps needed"},
		{"Chinese", []finding.Memory{early}, Options{Lang: "zh"}, "torchleak  第 5 步  host  未定，还需要 8 步"},
		{"no steps", []finding.Memory{{Name: "host"}}, Options{}, "torchleak  waiting for the first step"},
		{"nothing", nil, Options{}, "torchleak  waiting for the first step"},
	} {
		if got := Live(c.memories, c.o); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// What is too much for a terminal is counted, not dropped in silence.
func TestManyFindingsAndNotes(t *testing.T) {
	r := finding.Report{Verdict: finding.Leak, Steps: finding.Steps{Seen: 9, Clock: "time"}, Memories: []finding.Memory{leaking()}}
	for i := range maxFindings + 2 {
		r.Findings = append(r.Findings, finding.Finding{Rule: fmt.Sprintf("TL10%d", i), Verdict: finding.Leak})
	}
	for i := range maxNotes + 1 {
		r.Notes = append(r.Notes, fmt.Sprintf("note %d", i))
	}
	out := written(t, r, Options{})
	for _, want := range []string{"TL104", "2 more in the report", "Note 5.", "1 more in the report"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not said:\n%s", want, out)
		}
	}
	for _, unwanted := range []string{"TL105", "Note 6."} {
		if strings.Contains(out, unwanted) {
			t.Errorf("%q is said:\n%s", unwanted, out)
		}
	}
}

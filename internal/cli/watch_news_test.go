package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

// verdicts is a report on process 7 that comes to a verdict.
func verdicts(v finding.Verdict, findings ...finding.Finding) finding.Report {
	return finding.Report{Target: finding.Target{PID: 7, Argv: []string{"train.py"}}, Verdict: v, Findings: findings}
}

// What a training has come to is said once, also by an agent that is started again; that nothing is wrong is said only after something was.
func TestNews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "said.json")
	found := finding.Finding{Rule: "TL102", Name: "kept-loss", Location: &finding.Location{File: "train.py", Line: 9}}
	var said bytes.Buffer
	n := &news{lang: "en", stderr: &said}
	n.remember(path)
	for i, step := range []struct {
		recording string
		r         finding.Report
		again     bool   // the agent was started again
		want      string // said; empty for nothing
	}{
		{"/a", verdicts(finding.Healthy), false, ""},
		{"/a", verdicts(finding.Leak), false, "train.py rank 0, step 0: leak  (/a)"},
		{"/a", verdicts(finding.Leak), true, ""},
		{"/a", verdicts(finding.Leak, found), false, "leak  TL102 kept-loss  train.py:9  (/a)"},
		{"/b", verdicts(finding.Leak, found), true, "leak  TL102 kept-loss  train.py:9  (/b)"},
		{"/a", verdicts(finding.Leak, found), true, ""},
		{"/a", verdicts(finding.Bounded, found), true, "(/a)"},
		{"/b", verdicts(finding.Leak, found), true, ""},
	} {
		said.Reset()
		if step.again {
			n = &news{lang: "en", stderr: &said}
			n.remember(path)
		}
		n.changed(step.recording, step.r)
		if got := said.String(); step.want == "" && got != "" || !strings.Contains(got, step.want) || strings.Count(got, "\n") > 1 {
			t.Errorf("%d: said %q, want %q", i, got, step.want)
		}
	}
}

// What was said before and cannot be read, or is not to be kept, is said once; the news are told all the same.
func TestNewsNotKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "away", "said.json")
	var said bytes.Buffer
	n := &news{lang: "en", stderr: &said}
	n.remember(path)
	n.changed("/a", verdicts(finding.Leak))
	n.changed("/b", verdicts(finding.Leak))
	if got := said.String(); strings.Count(got, "once more") != 1 || strings.Count(got, "\n") != 3 {
		t.Errorf("said: %s", got)
	}
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, broken := range []string{"", "{}", `[{"recording":`, `[{"recording":"/a","pid":"7"}]`} {
		if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		said.Reset()
		n := &news{lang: "en", stderr: &said}
		n.remember(path)
		n.changed("/a", verdicts(finding.Leak))
		if got := said.String(); !strings.Contains(got, path) || !strings.Contains(got, "(/a)") {
			t.Errorf("%q: said: %s", broken, got)
		}
	}
}

// However many trainings a machine has seen: what is remembered of them is bounded, the newest first.
func TestNewsAreBounded(t *testing.T) {
	n := &news{lang: "en", stderr: &bytes.Buffer{}}
	for i := range maxSayings + 3 {
		r := verdicts(finding.Leak)
		r.Target.PID = i
		n.changed("/a", r)
	}
	if len(n.said) != maxSayings || n.said[0].PID != 3 {
		t.Errorf("%d are remembered, from %d on", len(n.said), n.said[0].PID)
	}
}

package corpus_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/lint/corpus"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule/rules"
)

func load(t *testing.T) []corpus.Case {
	t.Helper()
	cases, err := corpus.Load()
	if err != nil {
		t.Fatal(err)
	}
	return append(cases, corpus.Pages(rules.All)...)
}

// TestAccuracy is the promise to users: what lint says is right, and what leaks is said.
func TestAccuracy(t *testing.T) {
	results, err := corpus.Run(load(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range corpus.Faults(results) {
		t.Logf("%s %s:%d %s", f.Case, f.File, f.Line, f.What)
	}
	total := corpus.Sum(results)
	if r := total.Recall(); r < corpus.WantRecall {
		t.Errorf("recall is %.3f, %d of %d", r, total.Found, total.Marks)
	}
	if p := total.Precision(); p < corpus.WantPrecision {
		t.Errorf("precision is %.3f, %d of %d", p, total.Right, total.Reported)
	}
}

// Each case is sound by itself: it parses, says at its head what happens, names rules that exist, and lies where its
// marks say.
func TestCases(t *testing.T) {
	faults, alike := 0, 0
	for _, c := range load(t) {
		if c.Page() {
			continue
		}
		folder, _, _ := strings.Cut(c.Name, "/")
		if c.Fault() == (folder == "ok") {
			t.Errorf("%s: a case in ok has no mark, all others have one", c.Name)
		}
		if c.Fault() {
			faults++
		} else {
			alike++
		}
		for _, m := range c.Marks {
			for _, name := range m.Rules {
				if _, ok := rules.Find(name); !ok {
					t.Errorf("%s: %s:%d is marked with %s, which is no rule", c.Name, m.File, m.Line, name)
				}
			}
		}
		for name, source := range c.Files {
			f, err := pysyntax.Parse(name, []byte(source))
			if err != nil || f.HasError || !strings.HasPrefix(source, "# ") || strings.Contains(source, "# finding") {
				t.Errorf("%s: %s does not parse, has no head or a mark that cannot be read (%v)", c.Name, name, err)
			}
		}
	}
	if faults+alike < 150 || alike*5 < (faults+alike)*2 {
		t.Errorf("%d cases with a fault and %d look-alikes: too few", faults, alike)
	}
}

func TestJudge(t *testing.T) {
	c := &corpus.Case{Name: "kept-loss/x", Marks: []corpus.Mark{
		{File: "a.py", Line: 5, Rules: []string{"kept-loss", "kept-output"}},
		{File: "b.py", Line: 2, Rules: []string{"kept-loss"}, Also: true},
	}}
	say := func(file string, line int, name, severity string) finding.Static {
		return finding.Static{Name: name, Severity: severity, Location: finding.Span{File: file, Line: line, EndLine: line}}
	}
	for what, test := range map[string]struct {
		reported            []finding.Static
		found, right, wrong int
	}{
		"nothing":                    {nil, 0, 0, 0},
		"at its place":               {[]finding.Static{say("a.py", 5, "kept-output", "error")}, 1, 1, 0},
		"at the second place":        {[]finding.Static{say("b.py", 2, "kept-loss", "warning")}, 1, 1, 0},
		"under another name":         {[]finding.Static{say("a.py", 5, "summed-loss", "error")}, 0, 1, 0},
		"in another line":            {[]finding.Static{say("a.py", 6, "kept-loss", "error")}, 0, 0, 1},
		"a remark in another line":   {[]finding.Static{say("a.py", 6, "kept-loss", "note")}, 0, 0, 0},
		"at both, and somewhere too": {[]finding.Static{say("a.py", 5, "kept-loss", "error"), say("b.py", 2, "kept-loss", "error"), say("b.py", 3, "kept-loss", "error")}, 1, 2, 1},
	} {
		r := corpus.Judge(c, test.reported)
		if len(r.Found) != test.found || len(r.Right) != test.right || len(r.False) != test.wrong || len(r.Found)+len(r.Missed) != 1 {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// The public code was judged as a whole, and the share of right findings is what was promised.
func TestPublic(t *testing.T) {
	public, err := corpus.Public()
	if err != nil {
		t.Fatal(err)
	}
	fine, all := 0, 0
	for _, r := range public {
		fine += r.Count(corpus.True) + r.Count(corpus.Defensible)
		all += len(r.Judgements)
		for _, j := range r.Judgements {
			if _, ok := rules.Find(j.Rule); !ok {
				t.Errorf("%s %s:%d: %s is no rule", r.Name, j.File, j.Line, j.Rule)
			}
		}
	}
	if len(public) < 12 || all == 0 || float64(fine) < corpus.WantPublic*float64(all) {
		t.Errorf("%d repositories, %d of %d findings are right", len(public), fine, all)
	}
}

// The page says what was measured: a miss and a false alarm are on it.
func TestWrite(t *testing.T) {
	cases := []corpus.Case{{Name: "kept-loss/x", Marks: []corpus.Mark{{File: "x.py", Line: 3, Rules: []string{"kept-loss"}}}}}
	wrong := finding.Static{Name: "kept-view", Severity: "error", Location: finding.Span{File: "x.py", Line: 9}}
	var page bytes.Buffer
	public := []corpus.Repository{{Name: "r", Version: "1", Files: 7, Judgements: []corpus.Judgement{
		{File: "a.py", Line: 1, Rule: "kept-loss", Verdict: corpus.True, Reason: "it does"},
		{File: "a.py", Line: 2, Rule: "kept-loss", Verdict: corpus.Wrong, Reason: "it does not"}}}}
	if err := corpus.Write(&page, []corpus.Result{corpus.Judge(&cases[0], []finding.Static{wrong})}, public); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| kept-loss/x | x.py:3 | kept-loss not found |",
		"| kept-loss/x | x.py:9 | false alarm: kept-view |",
		"| **all** | 1 | 0 | 1 | 0 | 0.0 % | 1 | 0 | 0.0 % |",
		"| r | 1 | 7 | 1 | 0 | 1 |",
		"50.0 % of 2 findings in 7 files are true or defensible;",
		"| r | a.py:2 | kept-loss | false | it does not |",
	} {
		if !strings.Contains(page.String(), line) {
			t.Errorf("the page lacks %q:\n%s", line, page.String())
		}
	}
}

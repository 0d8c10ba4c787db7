package static

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/finding"
)

var sample = finding.Lint{
	Files: 3,
	Findings: []finding.Static{
		{Rule: "TL102", Name: "kept-loss", Severity: "warning", Why: "`h` keeps the loss.",
			Location: finding.Span{File: "train.py", Line: 11, Column: 5, EndLine: 11, EndColumn: 19,
				Excerpt: &finding.Excerpt{Line: 9, Lines: []string{"for x in y:", "\tz = '損失'", "\th.append(loss)", ""}}},
			Fix: &finding.StaticFix{Summary: "Detach it.", Safe: true, Diff: "…"}},
		{Rule: "TL105", Name: "grad-in-evaluation", Severity: "error", Why: "Two\nlines \x1b[31m.",
			Location: finding.Span{File: "損.ipynb", Cell: 2, Line: 1, Column: 6, EndLine: 2, EndColumn: 4,
				Excerpt: &finding.Excerpt{Line: 1, Lines: []string{"損失 = f(", "  x)"}}},
			Fix: &finding.StaticFix{Summary: "Look at it.", Diff: "…"}},
		{Rule: "TL301", Name: "empty-cache-per-step", Severity: "note", Why: "It helps nothing.",
			Location: finding.Span{File: "a.py", Line: 1, Column: 1, EndLine: 1, EndColumn: 4}},
	},
}

func check(t *testing.T, write func(io.Writer, finding.Lint, Options) error, l finding.Lint, o Options, want string) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, l, o); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.TrimPrefix(want, "\n"), b.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestWrite(t *testing.T) {
	check(t, Write, sample, Options{Width: 100}, `
train.py:11:5: TL102 kept-loss `+"`h`"+` keeps the loss.
   |
 9 | for x in y:
10 | 	z = '損失'
11 | 	h.append(loss)
   | 	   ^^^^^^^^^^^
   |
  = help: Detach it. (--fix)

損.ipynb:cell 2:1:6: TL105 grad-in-evaluation Two lines \x1b[31m.
  |
1 | 損失 = f(
  |        ^^
2 |   x)
  |   ^
  |
  = help: Look at it. (--unsafe-fixes)

a.py:1:1: TL301 empty-cache-per-step It helps nothing.

Found 2 leak patterns and 1 note (1 fixable with --fix, 1 more with --fix --unsafe-fixes).
`)
}

func TestConcise(t *testing.T) {
	check(t, Concise, finding.Lint{Files: 1, Findings: sample.Findings[:1]}, Options{Width: 100}, `
train.py:11:5: TL102 kept-loss `+"`h`"+` keeps the loss.
Found 1 leak pattern (1 fixable with --fix).
`)
	check(t, Concise, finding.Lint{Files: 1}, Options{}, "No leak pattern found in 1 file.\n")
	check(t, Concise, finding.Lint{}, Options{}, "Nothing was checked.\n")
	two := finding.Skipped{File: "two.py", Whole: true}
	check(t, Concise, finding.Lint{Files: 1, Skipped: []finding.Skipped{two, two}}, Options{}, "Nothing was checked.\n")
	check(t, Concise, finding.Lint{Files: 3, Skipped: []finding.Skipped{two, {File: "part.py"}}}, Options{}, "No leak pattern found in 2 files.\n")
	check(t, Concise, finding.Lint{Files: 2, Findings: sample.Findings[2:]}, Options{}, `
a.py:1:1: TL301 empty-cache-per-step It helps nothing.
Found no leak pattern and 1 note.
`)
}

func TestNarrowAndColoured(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, finding.Lint{Files: 1, Findings: sample.Findings[:1]}, Options{Color: true, Width: 16}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\x1b[1mtrain.py:11:5\x1b[0m", "\x1b[1;33mTL102 kept-loss\x1b[0m", "for x in y"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in %q", want, b.String())
		}
	}
}

func TestStatistics(t *testing.T) {
	var b bytes.Buffer
	twice := append(sample.Findings[1:2:2], sample.Findings...)
	if err := Statistics(&b, finding.Lint{Findings: twice}); err != nil {
		t.Fatal(err)
	}
	want := "    2  TL105 grad-in-evaluation\n    1  TL102 kept-loss\n    1  TL301 empty-cache-per-step\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

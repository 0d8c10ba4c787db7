package github

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/finding"
)

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	err := Write(&b, finding.Lint{Findings: []finding.Static{
		{Rule: "TL102", Name: "kept-loss", Severity: "warning", Why: "100 % kept\r\nhere", Location: finding.Span{File: "a,b:c.py", Line: 3, Column: 5, EndLine: 3, EndColumn: 9},
			Fix: &finding.StaticFix{Summary: "Detach it."}},
		{Rule: "TL105", Name: "grad-in-evaluation", Severity: "error", Why: "kept", Location: finding.Span{File: "x.py", Line: 3, Column: 5, EndLine: 4, EndColumn: 9}},
		{Rule: "TL301", Name: "empty-cache-per-step", Severity: "note", Why: "no use", Location: finding.Span{File: "n.ipynb", Cell: 2, Line: 7}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `::warning file=a%2Cb%3Ac.py,line=3,endLine=3,col=5,endColumn=9,title=TL102 kept-loss::100 %25 kept%0D%0Ahere%0ADetach it.
::error file=x.py,line=3,endLine=4,title=TL105 grad-in-evaluation::kept
::notice file=n.ipynb,title=TL301 empty-cache-per-step::cell 2, line 7: no use
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

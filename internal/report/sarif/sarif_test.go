package sarif

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	oracle "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/torchleak/torchleak/internal/finding"
)

var sample = finding.Lint{
	Tool: finding.Tool{Name: "torchleak", Version: "1.2.3"},
	Findings: []finding.Static{
		{Rule: "TL102", Name: "kept-loss", Severity: "warning", Why: "it is <kept> & more", Location: finding.Span{File: "a b/träin.py", Line: 3, Column: 5, EndLine: 3, EndColumn: 20, Code: "h.append(loss)"},
			Fix: &finding.StaticFix{Summary: "Detach it.", Safe: true, Diff: "…", Edits: []finding.TextEdit{
				{Line: 1, Column: 1, EndLine: 1, EndColumn: 1, Text: "import torch\n"}, {Line: 3, Column: 18, EndLine: 3, EndColumn: 19}}}},
		{Rule: "TL102", Name: "kept-loss", Severity: "warning", Why: "again", Location: finding.Span{File: "a b/träin.py", Line: 9, Column: 5, EndLine: 9, EndColumn: 20, Code: "h.append(loss)"}},
		{Rule: "TL301", Name: "empty-cache-per-step", Severity: "note", Why: "it helps nothing", Location: finding.Span{File: "n.ipynb", Cell: 2, Line: 1, Column: 1, EndLine: 1, EndColumn: 4},
			Fix: &finding.StaticFix{Summary: "Leave it out."}},
		{Rule: "TL999", Name: "unheard-of", Severity: "error", Why: "of a newer version", Location: finding.Span{File: "/abs/x.py", Line: 1, Column: 1, EndLine: 1, EndColumn: 4}},
	},
	Skipped: []finding.Skipped{{File: "two.py", Line: 7, Reason: "it is Python 2", Whole: true}, {File: "pipe.py", Reason: "it is no regular file", Whole: true}},
}

// valid has an independent reader check a document against the schema, and returns it.
func valid(t *testing.T, text []byte) *oracle.Report {
	t.Helper()
	r, err := oracle.FromBytes(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// The reader writes what is left out as empty, where the format's default would be meant.
	for _, run := range r.Runs {
		run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en-US", "en-US", []string{"\r\n", "\n"}
	}
	if err := r.Validate(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

func TestWriteLint(t *testing.T) {
	var b bytes.Buffer
	if err := WriteLint(&b, sample); err != nil {
		t.Fatal(err)
	}
	run := valid(t, b.Bytes()).Runs[0]
	if len(run.Results) != 4 || len(run.Tool.Driver.Rules) != 3 || len(run.Invocations[0].ToolExecutionNotifications) != 2 {
		t.Fatalf("%d results, %d rules, %d notifications", len(run.Results), len(run.Tool.Driver.Rules), len(run.Invocations[0].ToolExecutionNotifications))
	}
	first, second := run.Results[0].PartialFingerprints["primaryLocationLineHash"], run.Results[1].PartialFingerprints["primaryLocationLineHash"]
	if !strings.HasSuffix(first, ":1") || !strings.HasSuffix(second, ":2") || strings.TrimSuffix(first, ":1") != strings.TrimSuffix(second, ":2") {
		t.Errorf("fingerprints of the same code are %s and %s", first, second)
	}
	if help := *run.Tool.Driver.Rules[0].Help.Markdown; !strings.HasPrefix(help, "# TL102 kept-loss\n") {
		t.Errorf("help of the rule is %.40q", help)
	}
	for _, text := range []string{`"uri": "a%20b/tr%C3%A4in.py"`, `"uri": "file:///abs/x.py"`, `"text": "cell 2, line 1: it helps nothing"`, `"level": "note"`} {
		if !strings.Contains(b.String(), text) {
			t.Errorf("it does not say %s", text)
		}
	}
}

// What has no findings is a valid document too, with lists instead of nulls.
func TestEmpty(t *testing.T) {
	var b bytes.Buffer
	if err := WriteLint(&b, finding.Lint{Tool: sample.Tool}); err != nil {
		t.Fatal(err)
	}
	valid(t, b.Bytes())
	if strings.Contains(b.String(), "null") {
		t.Errorf("it says null:\n%s", b.String())
	}
}

func TestWriteReport(t *testing.T) {
	var b bytes.Buffer
	err := Write(&b, finding.Report{Tool: sample.Tool, Findings: []finding.Finding{
		{Rule: "TL101", Name: "kept-activation", Verdict: finding.Leak, Why: "kept", Location: &finding.Location{File: "train.py", Line: 57, EndLine: 58, Code: "feats.append(output)"}},
		{Rule: "TL117", Verdict: finding.Cycle, Why: "a cycle", Location: &finding.Location{File: "train.py", Line: 3}},
		{Rule: "TL130", Verdict: finding.Leak, Why: "nowhere in the source"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, b.Bytes())
	var d document
	if err := json.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	results := d.Runs[0].Results
	if len(results) != 2 || results[0].Level != "error" || results[1].Level != "warning" || results[1].Locations[0].Physical.Region.EndLine != 3 {
		t.Errorf("results are %+v", results)
	}
}

// A check that cannot fail is none: the reader refuses a level that SARIF does not have.
func TestOracle(t *testing.T) {
	var b bytes.Buffer
	if err := WriteLint(&b, sample); err != nil {
		t.Fatal(err)
	}
	r, err := oracle.FromBytes(bytes.Replace(b.Bytes(), []byte(`"level": "note"`), []byte(`"level": "grave"`), 1))
	if err == nil {
		r.Runs[0].Language, r.Runs[0].Tool.Driver.Language, r.Runs[0].NewlineSequences = "en-US", "en-US", []string{"\n"}
		err = r.Validate()
	}
	if err == nil || !strings.Contains(err.Error(), "level") {
		t.Errorf("it takes a level that there is not: %v", err)
	}
}

package json

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/reporttest"
)

func written(t *testing.T, r finding.Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSamplesFitTheSchema(t *testing.T) {
	root := readSchema(t)
	for _, name := range reporttest.Names(t) {
		out := written(t, reporttest.Load(t, name))
		for _, fault := range validate(root, out) {
			t.Errorf("%s: %s", name, fault)
		}
	}
}

// Reading back what was written gives the same report: nothing is lost or made up on the way.
func TestRoundTrip(t *testing.T) {
	for _, name := range reporttest.Names(t) {
		want := Normal(reporttest.Load(t, name))
		var got finding.Report
		if err := json.Unmarshal(written(t, want), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestEmptyReportHasNoNulls(t *testing.T) {
	nan := math.NaN()
	r := finding.Report{
		Verdict:  finding.Undecided,
		Memories: []finding.Memory{{Name: "host", Kind: "host", Verdict: finding.Undecided, SecondsToOOM: &nan, Series: map[string][]int64{"used": nil}}},
		Findings: []finding.Finding{{Rule: "TL101", Verdict: finding.Leak, Confidence: finding.Possible,
			Location: &finding.Location{File: "a.py", Line: 1, EndLine: 1, Excerpt: &finding.Excerpt{Line: 1}}}},
		Sites: []finding.Site{{Memory: "host"}},
		Cost:  &finding.Cost{MicrosecondsPerStep: math.Inf(1)},
		Ranks: []finding.Report{{Verdict: finding.Healthy}},
	}
	out := written(t, r)
	if bytes.Contains(out, []byte("null")) {
		t.Errorf("the report has a null:\n%s", out)
	}
	for _, fault := range validate(readSchema(t), out) {
		t.Error(fault)
	}
	if r.Findings[0].AllocatedAt != nil || r.Memories[0].Steps != nil || !math.IsInf(r.Cost.MicrosecondsPerStep, 1) || r.Findings[0].Location.Excerpt.Lines != nil {
		t.Error("Write changed the report it was given")
	}
}

// The schema is of use only if it refuses what the contract forbids.
func TestSchemaRefuses(t *testing.T) {
	root := readSchema(t)
	good := string(written(t, reporttest.Load(t, "leak_cuda")))
	for what, change := range map[string][2]string{
		"a null list":           {`"calls": [`, `"calls": null, "was": [`},
		"another schema":        {`"schema": 1`, `"schema": 2`},
		"a fraction of a byte":  {`"bytes_per_step": 2097152`, `"bytes_per_step": 2097152.5`},
		"an unknown verdict":    {`"verdict": "leak"`, `"verdict": "bad"`},
		"a missing verdict":     {`"verdict": "leak",`, ``},
		"an unknown field":      {`"rule":`, `"severity": "high", "rule":`},
		"line 0":                {`"end_line": 57`, `"end_line": 0`},
		"a rule without number": {`"rule": "TL101"`, `"rule": "TL"`},
		"text for a flag":       {`"safe": true`, `"safe": "yes"`},
		"a series of text":      {`"allocated": [`, `"allocated": ["x",`},
		"three bounds":          {`"interval": [`, `"interval": [1,`},
		"a number for a name":   {`"name": "cuda:0"`, `"name": 0`},
		"a mark of no kind":     {`"kind": "evidence"`, `"kind": "party"`},
	} {
		if !strings.Contains(good, change[0]) {
			t.Fatalf("%s: the sample has no %s", what, change[0])
		}
		if len(validate(root, []byte(strings.Replace(good, change[0], change[1], 1)))) == 0 {
			t.Errorf("the schema lets %s pass", what)
		}
	}
}

// Every field of the report stands in the schema and in the manual, and the schema has no other.
func TestFieldsAreDescribed(t *testing.T) {
	manual, err := os.ReadFile("../../../docs/report.md")
	if err != nil {
		t.Fatal(err)
	}
	code, described := map[string]bool{}, map[string]bool{}
	structFields(reflect.TypeFor[finding.Report](), code)
	schemaFields(readSchema(t), described)
	for name := range code {
		field, isField := strings.CutPrefix(name, ".")
		if !isField {
			continue
		}
		if !described[name] {
			t.Errorf("docs/format/report.schema.json does not know %s", field)
		}
		if !strings.Contains(string(manual), "`"+field+"`") {
			t.Errorf("docs/report.md does not explain %s", field)
		}
		delete(described, name)
	}
	for name := range described {
		t.Errorf("docs/format/report.schema.json has %s, the report does not", name)
	}
}

func TestWriteError(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := Write(w, reporttest.Load(t, "healthy")); err == nil {
		t.Error("no error from a closed writer")
	}
}

func TestGolden(t *testing.T) {
	reporttest.Golden(t, "undecided.json", written(t, reporttest.Load(t, "undecided")))
}

package bisect

import (
	"encoding/json"
	"io"

	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Code is the first line of a statement, empty where its file cannot be read.
func Code(s experiment.Statement) string {
	f, err := pysyntax.ParseFile(s.File)
	if err != nil {
		return ""
	}
	return f.LineText(s.Shown())
}

// WriteJSON writes the result for programs, docs/bisect.md.
func (r Result) WriteJSON(w io.Writer) error {
	type place struct {
		File    string          `json:"file"`
		Line    int             `json:"line"`
		EndLine int             `json:"end_line"`
		Code    string          `json:"code,omitempty"`
		Kind    experiment.Kind `json:"kind"`
	}
	type trial struct {
		Off      []place  `json:"off"`
		Resolved bool     `json:"resolved"`
		PerStep  *float64 `json:"per_step,omitempty"`
	}
	type points struct {
		Steps  []int64 `json:"steps"`
		Values []int64 `json:"values"`
	}
	out := struct {
		Schema  int                `json:"schema"`
		Tool    finding.Tool       `json:"tool"`
		Target  finding.Target     `json:"target"`
		Verdict finding.Verdict    `json:"verdict"`
		Series  *experiment.Series `json:"grows,omitempty"`
		PerStep float64            `json:"per_step"`
		Found   []place            `json:"found"`
		Proven  bool               `json:"proven"`
		Without *float64           `json:"per_step_without,omitempty"`
		Runs    int                `json:"runs"`
		Trials  []trial            `json:"trials"`
		With    *points            `json:"curve,omitempty"`
		Off     *points            `json:"curve_without,omitempty"`
	}{Schema: finding.Schema, Tool: r.Report.Tool, Target: r.Report.Target, Verdict: r.Report.Verdict, PerStep: r.Growth.Rate,
		Found: []place{}, Proven: r.Proven, Runs: len(r.Trials) + 1, Trials: []trial{}}
	if r.Growth.Curve.Memory != "" {
		out.Series, out.With = &r.Growth.Curve.Series, &points{r.Growth.Curve.Steps, r.Growth.Curve.Values}
	}
	if r.Proven {
		out.Without, out.Off = &r.RateOff, &points{r.CurveOff.Steps, r.CurveOff.Values}
	}
	for _, s := range r.Found {
		out.Found = append(out.Found, place{s.File, s.Shown(), s.EndLine, Code(s), s.Kind})
	}
	for _, t := range r.Trials {
		each := trial{Off: []place{}, Resolved: t.Resolved}
		if t.Resolved {
			each.PerStep = &t.Rate
		}
		for _, i := range t.Off {
			s := r.Statements[i]
			each.Off = append(each.Off, place{File: s.File, Line: s.Line, EndLine: s.EndLine, Kind: s.Kind})
		}
		out.Trials = append(out.Trials, each)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

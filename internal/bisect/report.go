package bisect

import (
	"encoding/json"
	"io"
	"math"
	"slices"

	"github.com/torchleak/torchleak/internal/experiment"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/report/curve"
	"github.com/torchleak/torchleak/internal/units"
)

// Amount is a growth in the unit of the counter.
func (r Result) Amount(rate float64) string {
	n := int64(math.Round(rate))
	if r.Series.Unit == "bytes" {
		return units.Rate(n)
	}
	return units.Count(n) + " " + r.Series.Unit + "/step"
}

// Code is the first line of a statement, empty where its file cannot be read.
func Code(s experiment.Statement) string {
	f, err := pysyntax.ParseFile(s.File)
	if err != nil {
		return ""
	}
	return f.LineText(s.Line)
}

// Bars are both curves over the steps that are compared, with and without the statements, to one scale.
func (r Result) Bars(length int) (with, without string) {
	a, b := r.compared(r.Curve), r.compared(r.CurveOff)
	low, high := bounds(a, b)
	return curve.Bars(a, low, high, length), curve.Bars(b, low, high, length)
}

// compared are the values from the step on at which the growth is measured, counted from the first.
func (r Result) compared(c experiment.Curve) []int64 {
	first, _ := slices.BinarySearch(c.Steps, r.From)
	end, _ := slices.BinarySearch(c.Steps, r.Steps+1)
	values := slices.Clone(c.Values[first:end])
	for i := range values {
		values[i] -= c.Values[first]
	}
	return values
}

func bounds(all ...[]int64) (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for _, v := range slices.Concat(all...) {
		low, high = min(low, v), max(high, v)
	}
	return low, high
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
	}{Schema: finding.Schema, Tool: r.Report.Tool, Target: r.Report.Target, Verdict: r.Report.Verdict, PerStep: r.Rate,
		Found: []place{}, Proven: r.Proven, Runs: len(r.Trials) + 1, Trials: []trial{}}
	if r.Series.Memory != "" {
		out.Series, out.With = &r.Series, &points{r.Curve.Steps, r.Curve.Values}
	}
	if r.Proven {
		out.Without, out.Off = &r.RateOff, &points{r.CurveOff.Steps, r.CurveOff.Values}
	}
	for _, s := range r.Found {
		out.Found = append(out.Found, place{s.File, s.Line, s.EndLine, Code(s), s.Kind})
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

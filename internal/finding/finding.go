// Package finding holds the words every analysis answers in: verdicts, confidences, places in source,
// findings and the report they stand in. Its JSON form is the public report, schema 1.
package finding

import (
	"slices"
	"strings"
)

// Schema is the version of the report's JSON form.
const Schema = 1

// Confidence says how well a finding is proven.
type Confidence string

// Confidences, strongest first.
const (
	Proven   Confidence = "proven"   // seen alive over many steps and the holder is named
	Likely   Confidence = "likely"   // site or holder named, not both
	Possible Confidence = "possible" // pattern only
)

// Location is the statement to change. Lines count from 1.
type Location struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Code    string `json:"code"` // the statement's first line, trimmed; empty when the source could not be read

	Excerpt *Excerpt `json:"excerpt,omitempty"`
}

// Excerpt is the source around a location, as it is when the report is made.
type Excerpt struct {
	Line  int      `json:"line"` // of the first of Lines
	Lines []string `json:"lines"`
}

// Frame is one call in a stack.
type Frame struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
}

// Holder is the object that keeps the memory alive.
type Holder struct {
	Path    string `json:"path"`
	Type    string `json:"type"`
	Length  *int64 `json:"length,omitempty"`
	Through string `json:"through,omitempty"` // how it is reached, e.g. "hook save registered on model.block"
}

// Fix is the change that ends the growth.
type Fix struct {
	Summary string `json:"summary"`
	Diff    string `json:"diff,omitempty"`  // unified diff, relative paths; empty when no safe patch is known
	Safe    bool   `json:"safe"`            // the patch cannot change what the training computes
	Apply   string `json:"apply,omitempty"` // command line that applies Diff; empty when it was not written to a file

	Raw       string `json:"-"` // Diff in the bytes of the file, which need not be UTF-8: what tools apply
	Alone     bool   `json:"-"` // lint's patch of the statement would do what the summary advises against
	Else      *Fix   `json:"-"` // with a patch, to take where lint has none for the statement
	Remains   string `json:"-"` // what still grows once the graph is taken away, as part of the summary
	GraphFree bool   `json:"-"` // no graph hangs on what is kept: a patch that takes one away ends nothing
}

// Sentences joins what there is to say.
func Sentences(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), " ")
}

// Finding is one fault, static or seen at run time.
type Finding struct {
	Rule          string     `json:"rule"`
	Name          string     `json:"name"`
	Verdict       Verdict    `json:"verdict"`
	Memory        string     `json:"memory"`
	Confidence    Confidence `json:"confidence"`
	BytesPerStep  *int64     `json:"bytes_per_step,omitempty"`
	RetainedBytes *int64     `json:"retained_bytes,omitempty"`
	Count         *int64     `json:"count,omitempty"`      // tensors or elements held
	AsOfStep      *int64     `json:"as_of_step,omitempty"` // when RetainedBytes and Count were read: the step of the newest census
	Location      *Location  `json:"location,omitempty"`
	AllocatedAt   []Frame    `json:"allocated_at"`
	Calls         []Frame    `json:"calls"` // stack of the statement to change, innermost first
	Holder        *Holder    `json:"holder,omitempty"`
	Phase         string     `json:"phase,omitempty"`
	SameGrowthAs  *int       `json:"same_growth_as,omitempty"` // place in the report's findings of the one whose fix frees this memory too
	Why           string     `json:"why"`
	Fix           *Fix       `json:"fix,omitempty"`
}

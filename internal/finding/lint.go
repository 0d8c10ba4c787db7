package finding

// Lint is what the linter says of a set of files: the --json output of lint, schema 1.
type Lint struct {
	Schema   int       `json:"schema"`
	Tool     Tool      `json:"tool"`
	Files    int       `json:"files"` // looked at, the skipped ones included
	Findings []Static  `json:"findings"`
	Skipped  []Skipped `json:"skipped"`
	Notes    []string  `json:"notes"`
}

// Checked says how many files were looked at and could be read.
func (l Lint) Checked() int {
	n, last := l.Files, ""
	for _, s := range l.Skipped { // those of one file stand together
		if s.Whole && s.File != last {
			n, last = n-1, s.File
		}
	}
	return n
}

// Static is one fault found in source that never ran.
type Static struct {
	Rule       string     `json:"rule"`
	Name       string     `json:"name"`
	Title      string     `json:"title"`
	Confidence Confidence `json:"confidence"`
	Severity   string     `json:"severity"` // error, warning, note
	Location   Span       `json:"location"`
	Why        string     `json:"why"`
	Fix        *StaticFix `json:"fix,omitempty"`
	Fails      bool       `json:"-"` // at or above the --fail-on of its file
}

// Span is a place in a source file. Lines, columns and cells count from 1, columns in characters; the end is behind
// the last character. In a notebook the lines are those of the cell.
type Span struct {
	File      string   `json:"file"`
	Cell      int      `json:"cell,omitempty"`
	Line      int      `json:"line"`
	Column    int      `json:"column"`
	EndLine   int      `json:"end_line"`
	EndColumn int      `json:"end_column"`
	Code      string   `json:"code"` // the first line, trimmed
	Excerpt   *Excerpt `json:"-"`
}

// StaticFix is a change of the file that ends the fault.
type StaticFix struct {
	Summary string     `json:"summary"`
	Diff    string     `json:"diff,omitempty"`  // unified diff; empty where the summary is all that is known
	Safe    bool       `json:"safe"`            // what the training computes stays the same
	Edits   []TextEdit `json:"edits,omitempty"` // of the finding's own file; none where the diff is of another one

	Raw       string `json:"-"` // Diff in the bytes of the file
	CutsGraph bool   `json:"-"` // it takes the graph away from what is kept, and does nothing else

	Further *StaticFix `json:"further,omitempty"` // ends the growth that is left, on top; not safe
}

// TextEdit replaces a range of the file by Text.
type TextEdit struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	Text      string `json:"text"`
}

// Skipped is a file, or a part of one, that was not checked.
type Skipped struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
	Whole  bool   `json:"whole"` // nothing of it was checked
	Named  bool   `json:"-"`     // the user named this very file
}

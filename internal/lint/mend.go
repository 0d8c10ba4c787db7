package lint

import (
	"errors"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// mender looks at the edits that the rules offer for the findings of one file, which may change another one.
type mender struct {
	own      *source
	others   map[string]*source // by the name that is shown
	checkers map[*source]*patch.Checker
	diffs    map[*rule.Edit]string
}

func newMender(own *source, others map[string]*source) *mender {
	return &mender{own, others, map[*source]*patch.Checker{}, map[*rule.Edit]string{}}
}

// target is the source that an edit changes, nil where that cannot be changed: what is broken already cannot be told from
// what a fix breaks.
func (m *mender) target(e *rule.Edit) *source {
	if e == nil || len(e.Edits) == 0 {
		return nil
	}
	s := m.own
	if e.File != nil && e.File != s.tree {
		s = m.other(e.File)
	}
	if s == nil || s.cells != nil || s.tree.HasError {
		return nil
	}
	return s
}

// other is the source of another file. One that was not worth a check by itself was read when something called into it.
func (m *mender) other(f *pysyntax.File) *source {
	s := m.others[f.Path]
	if s != nil && s.tree == nil && s.offered != nil {
		s = &source{file: s.file, name: s.name, tree: f}
		m.others[f.Path] = s
	}
	if s == nil || s.tree != f {
		return nil
	}
	return s
}

// diff is the unified diff of an edit in the bytes of the file, empty where it cannot be applied.
func (m *mender) diff(e *rule.Edit) string {
	s := m.target(e)
	if s == nil {
		return ""
	}
	if text, known := m.diffs[e]; known {
		return text
	}
	if m.checkers[s] == nil {
		m.checkers[s] = patch.NewChecker(s.tree)
	}
	text, err := m.checkers[s].Diff(e.Edits)
	m.own.spent = m.own.spent || errors.Is(err, patch.ErrSpent)
	m.diffs[e] = text
	return text
}

// fix says an edit in the words of the report; without a diff the summary still says what to do.
func (m *mender) fix(e *rule.Edit) *finding.StaticFix {
	if e == nil {
		return nil
	}
	f := &finding.StaticFix{Summary: e.Summary, CutsGraph: e.Cuts, Raw: m.diff(e)}
	if f.Raw == "" {
		return f
	}
	f.Diff = patch.Readable(m.target(e).tree, f.Raw)
	f.Safe = e.Safe
	if m.target(e) != m.own {
		return f
	}
	for _, one := range e.Edits {
		line, column := position(m.own.tree, one.Start)
		endLine, endColumn := position(m.own.tree, one.End)
		f.Edits = append(f.Edits, finding.TextEdit{Line: line, Column: column, EndLine: endLine, EndColumn: endColumn, Text: one.Text})
	}
	return f
}

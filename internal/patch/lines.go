package patch

import (
	"errors"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// errShared says that a statement has no lines of its own.
var errShared = errors.New("the statement shares its line with other code")

// Behind returns the edits that put text right behind a statement, with its indentation. A tab in text stands for one
// step of indentation.
func Behind(f *pysyntax.File, statement pysyntax.Ref, text string) ([]Edit, error) {
	if definitionOrClause(f, statement) || !alone(f, statement) {
		return nil, errShared
	}
	_, last := f.Lines(statement)
	_, end := f.LineSpan(last)
	text = indented(f, statement, text)
	if end == 0 || f.Source[end-1] != '\n' && f.Source[end-1] != '\r' { // the file's last line has no end
		return []Edit{{end, end, "\n" + strings.TrimSuffix(text, "\n")}}, nil
	}
	return []Edit{{end, end, text}}, nil
}

// Before returns the edits that put text right in front of a statement, with its indentation.
func Before(f *pysyntax.File, statement pysyntax.Ref, text string) ([]Edit, error) {
	if definitionOrClause(f, statement) || !alone(f, statement) {
		return nil, errShared
	}
	start, _ := f.LineSpan(f.Line(f.Node(statement).Start))
	return []Edit{{start, start, indented(f, statement, text)}}, nil
}

// indented is text as lines that stand as far in as the statement.
func indented(f *pysyntax.File, statement pysyntax.Ref, text string) string {
	indent, _ := indentation(f, statement)
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(indent + strings.ReplaceAll(line, "\t", unit(f, statement)) + "\n")
	}
	return b.String()
}

// Drop returns the edits that leave a statement out, with the lines it stands on. The only one of its block becomes pass.
func Drop(f *pysyntax.File, statement pysyntax.Ref) ([]Edit, error) {
	if definitionOrClause(f, statement) || !alone(f, statement) {
		return nil, errShared
	}
	n := f.Node(statement)
	if only(f, statement) {
		return []Edit{{n.Start, n.End, "pass"}}, nil
	}
	first, last := f.Lines(statement)
	start, _ := f.LineSpan(first)
	_, end := f.LineSpan(last)
	return []Edit{{start, end, ""}}, nil
}

// only reports whether a statement is the only one of a block.
func only(f *pysyntax.File, statement pysyntax.Ref) bool {
	block := f.Parent(statement)
	if block == pysyntax.None {
		return false
	}
	for c := range f.Children(block) {
		if c != statement && f.Kind(c) != pysyntax.Comment {
			return false
		}
	}
	return true
}

// Replace returns the edit that puts text, of several lines maybe, in the place of a statement.
func Replace(f *pysyntax.File, statement pysyntax.Ref, text string) ([]Edit, error) {
	if !alone(f, statement) {
		return nil, errShared
	}
	n := f.Node(statement)
	return []Edit{{n.Start, n.End, strings.TrimSpace(indented(f, statement, text))}}, nil
}

// Around returns the edits that make a statement the head of a block, such as "with f(x):", of what follows it in its
// own block up to last.
func Around(f *pysyntax.File, statement, last pysyntax.Ref, head string) ([]Edit, error) {
	for r := statement; r != last; {
		if r = follower(f, r); r == pysyntax.None || !alone(f, r) || yields(f, r) {
			return nil, errShared
		}
	}
	if last == statement || !alone(f, statement) {
		return nil, errShared
	}
	n := f.Node(statement)
	edits := []Edit{{n.Start, n.End, head}}
	_, from := f.Lines(statement)
	_, to := f.Lines(last)
	kept, step := stringLines(f, statement, last), unit(f, statement)
	for line := from + 1; line <= to; line++ {
		if start, _ := f.LineSpan(line); !kept[line] && f.LineText(line) != "" {
			edits = append(edits, Edit{start, start, step})
		}
	}
	return edits, nil
}

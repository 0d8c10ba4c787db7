package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
	"github.com/torchleak/torchleak/internal/rule/rules"
	"github.com/torchleak/torchleak/internal/units"
)

// checked is what the rules say of one file.
type checked struct {
	findings []finding.Static
	fixes    []fixable
	notes    []string
}

// fixable is a finding whose edit can be applied.
type fixable struct {
	source *source // that has the finding
	target *source // that the edit changes
	rule   rule.Rule
	line   int
	edit   *rule.Edit
}

// mark is one finding of one rule.
type mark struct {
	rule.Mark
	rule rule.Rule
}

// checkFile lets the rules look at one file.
func checkFile(s *source, flow *pyflow.Module, opts Options, others map[string]*source) checked {
	var out checked
	suppressions, wrong := directives(s.tree)
	for _, w := range wrong {
		out.notes = append(out.notes, s.name+":"+w)
	}
	mend := newMender(s, others)
	for _, m := range marks(s, flow) {
		if suppressed(s.tree, suppressions, m.rule, m.At) {
			continue
		}
		f := s.finding(m, mend)
		f.Fails = fails(s.config.failOn, m.Severity)
		out.findings = append(out.findings, f)
		for _, e := range []*rule.Edit{m.Further, m.Fix} { // where they overlap, the first is applied: it goes further
			if target := mend.target(e); target != nil && mend.diff(e) != "" {
				out.fixes = append(out.fixes, fixable{s, target, m.rule, f.Location.Line, e})
			}
		}
	}
	if n := flow.Left; n > 0 {
		s.part(0, "gave up on "+units.Plural(n, "function")+", not checked to the end: following what the file does takes too many steps")
	}
	if s.spent {
		s.part(0, "gave up checking its fixes: some are not offered before others are applied")
	}
	if opts.WarnUnused {
		for _, u := range unused(suppressions) {
			out.notes = append(out.notes, s.name+":"+u)
		}
	}
	return out
}

// marks returns what the rules that hold for the file find, in the order of the source. One statement is said once by
// each rule.
func marks(s *source, flow *pyflow.Module) []mark {
	var found []mark
	set := s.config.rulesFor(s.path)
	for _, r := range rules.All {
		if r.Check == nil || !set[r.ID] {
			continue
		}
		seen := map[pysyntax.Ref]bool{}
		r.Check(&rule.Pass{Flow: flow, File: s.tree, Report: func(m rule.Mark) {
			if at := s.tree.Statement(m.At); !seen[at] {
				seen[at] = true
				found = append(found, mark{m, r})
			}
		}})
	}
	slices.SortStableFunc(found, func(a, b mark) int {
		return cmp.Or(cmp.Compare(s.tree.Node(a.At).Start, s.tree.Node(b.At).Start), cmp.Compare(a.rule.ID, b.rule.ID))
	})
	return found
}

// fails reports whether a finding of that severity is at or above the limit.
func fails(failOn string, severity rule.Severity) bool {
	switch failOn {
	case "never":
		return false
	case "any":
		return true
	}
	return severity != rule.Remark
}

// finding says a mark in the words of the report.
func (s *source) finding(m mark, mend *mender) finding.Static {
	f := finding.Static{Rule: m.rule.ID, Name: m.rule.Name, Title: m.rule.Title, Confidence: finding.Possible,
		Severity: string(m.Severity), Location: s.span(m.At), Why: m.Why, Fix: mend.fix(m.Fix)}
	further := mend.fix(m.Further)
	switch {
	case further == nil || further.Diff == "":
	case f.Fix == nil || f.Fix.Diff == "":
		f.Fix = further
	default:
		f.Fix.Further = further
	}
	return f
}

// span is the place of node; of a statement with a body, its head.
func (s *source) span(node pysyntax.Ref) finding.Span {
	t := s.tree
	n := t.Node(node)
	end := n.End
	if t.Kind(node).IsCompound() {
		for end = t.Head(node); end > n.Start+1 && isSpace(t.Source[end-1]); {
			end--
		}
		if _, last := t.LineSpan(t.Line(n.Start)); end > last {
			end = last
		}
	}
	line, column := position(t, n.Start)
	endLine, endColumn := position(t, end)
	number, at := s.place(line)
	return finding.Span{File: s.name, Cell: number, Line: at, Column: column, EndLine: at + endLine - line, EndColumn: endColumn,
		Code: s.code(line), Excerpt: s.excerpt(line, endLine)}
}

// around is how many lines are shown above a finding and below it.
const around = 2

// excerpt is the source around the lines, of the same cell.
func (s *source) excerpt(first, last int) *finding.Excerpt {
	from, to := max(1, first-around), min(s.tree.LineCount(), min(last, first+8)+around)
	number, _ := s.place(first)
	for from < first {
		if n, _ := s.place(from); n == number {
			break
		}
		from++
	}
	_, shownFrom := s.place(from)
	e := &finding.Excerpt{Line: shownFrom}
	for line := from; line <= to; line++ {
		if n, _ := s.place(line); n != number {
			break
		}
		start, end := s.tree.LineSpan(line)
		if start == end {
			break // behind the last line's end
		}
		e.Lines = append(e.Lines, s.line(start, end))
	}
	return e
}

// line is the text of a line as its author wrote it.
func (s *source) line(start, end uint32) string {
	text := s.tree.Source
	if s.cells != nil {
		text = s.original
	}
	return strings.ToValidUTF8(strings.TrimRight(string(text[start:end]), "\r\n"), "\ufffd")
}

// code is what a line says.
func (s *source) code(line int) string {
	if s.cells == nil {
		return s.tree.LineText(line)
	}
	start, end := s.tree.LineSpan(line)
	return strings.TrimSpace(s.line(start, end))
}

// position is the line and column of a byte, both from 1, columns in characters.
func position(f *pysyntax.File, offset uint32) (line, column int) {
	line = f.Line(offset)
	start, _ := f.LineSpan(line)
	return line, utf8.RuneCount(f.Source[start:offset]) + 1
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' }

// checkAll lets the rules look at all files, on all processors.
func checkAll(sources []*source, opts Options) []checked {
	module := index(sources)
	others := map[string]*source{}
	for _, s := range sources {
		others[s.name] = s
	}
	out := make([]checked, len(sources))
	each(len(sources), func(i int) int64 { return sources[i].weight() }, func(i int) {
		s := sources[i]
		if s.tree == nil {
			return
		}
		defer func() {
			if r := recover(); r != nil {
				out[i] = checked{}
				s.part(0, fmt.Sprintf("a check broke off: %v; please report it", r))
			}
		}()
		if m := module(s.tree); m != nil {
			out[i] = checkFile(s, m, opts, others)
		}
	})
	return out
}

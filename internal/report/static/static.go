// Package static writes what the linter found for people: each finding with its source, or one line each.
package static

import (
	"fmt"
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// Options say how a text looks.
type Options struct {
	Color bool
	Width int
	Lang  string
}

// Colours, as terminals have them.
const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	blue   = "\x1b[1;34m"
	reset  = "\x1b[0m"
)

var severityColor = map[string]string{"error": red, "warning": yellow, "note": blue}

type printer struct {
	Options
	say *phrase.Catalogue
	out strings.Builder
}

// Write writes each finding with its source and what to do, and a summary.
func Write(w io.Writer, l finding.Lint, o Options) error {
	p := &printer{Options: o, say: phrase.In(o.Lang)}
	for _, f := range l.Findings {
		p.head(f)
		p.source(f)
		p.help(f)
		p.out.WriteByte('\n')
	}
	p.summary(l)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// Concise writes one line a finding, and a summary.
func Concise(w io.Writer, l finding.Lint, o Options) error {
	p := &printer{Options: o, say: phrase.In(o.Lang)}
	for _, f := range l.Findings {
		p.head(f)
	}
	p.summary(l)
	_, err := io.WriteString(w, p.out.String())
	return err
}

// head is the line that editors read: path:line:column: rule message.
func (p *printer) head(f finding.Static) {
	fmt.Fprintf(&p.out, "%s: %s %s\n", p.paint(bold, Place(f.Location)),
		p.paint(severityColor[f.Severity], plain.Text(f.Rule+" "+f.Name)), plain.Text(p.say.Why(finding.Finding{Rule: f.Rule, Why: f.Why})))
}

// Place is a place as path:line:column; in a notebook path:cell N:line:column.
func Place(s finding.Span) string {
	path := plain.Text(s.File)
	if s.Cell > 0 {
		path += fmt.Sprintf(":cell %d", s.Cell)
	}
	return fmt.Sprintf("%s:%d:%d", path, s.Line, s.Column)
}

// source shows the lines around the finding and marks it.
func (p *printer) source(f finding.Static) {
	s, e := f.Location, f.Location.Excerpt
	if e == nil {
		return
	}
	shown := e.Lines
	for n := len(shown); n > 0 && strings.TrimSpace(shown[n-1]) == "" && e.Line+n-1 > s.EndLine; n-- {
		shown = shown[:n-1]
	}
	number := len(fmt.Sprint(e.Line + len(shown)))
	bar := func(label, text string) {
		fmt.Fprintln(&p.out, strings.TrimRight(p.paint(dim, fmt.Sprintf("%*s |", number, label))+" "+text, " "))
	}
	bar("", "")
	for i, line := range shown {
		at := e.Line + i
		bar(fmt.Sprint(at), p.cut(plain.Line(line), number+3))
		if at < s.Line || at > s.EndLine {
			continue
		}
		from, to := len(line)-len(strings.TrimLeft(line, " \t")), len([]rune(line))
		if at == s.Line {
			from = s.Column - 1
		}
		if at == s.EndLine {
			to = s.EndColumn - 1
		}
		if mark := p.mark(line, from, to, number+3); mark != "" {
			bar("", mark)
		}
	}
	bar("", "")
}

// mark underlines the characters from from to to of line. Tabs stay tabs, so that both line up.
func (p *printer) mark(line string, from, to, used int) string {
	var lead strings.Builder
	room := p.Width - used
	for i, r := range []rune(line) {
		if i >= from {
			break
		}
		if r == '\t' {
			lead.WriteByte('\t')
		} else {
			lead.WriteString(strings.Repeat(" ", plain.RuneColumns(r)))
		}
	}
	wide := 0
	for i, r := range []rune(line) {
		if i >= from && i < to {
			wide += plain.RuneColumns(r)
		}
	}
	if wide = min(wide, room-len(lead.String())); wide <= 0 {
		return ""
	}
	return lead.String() + p.paint(red, strings.Repeat("^", wide))
}

// cut shortens a line that is wider than the terminal.
func (p *printer) cut(line string, used int) string {
	room := p.Width - used
	wide := 0
	for i, r := range line {
		if wide += plain.RuneColumns(r); wide > room {
			return line[:i]
		}
	}
	return line
}

// help says what to do.
func (p *printer) help(f finding.Static) {
	if f.Fix == nil || f.Fix.Summary == "" {
		return
	}
	how := ""
	switch {
	case f.Fix.Diff != "" && f.Fix.Safe:
		how = " (--fix)"
	case f.Fix.Diff != "":
		how = " (--unsafe-fixes)"
	}
	fmt.Fprintf(&p.out, "  %s %s%s\n", p.paint(bold, p.say.Say("lint.help")), plain.Text(p.say.Text(f.Fix.Summary)), how)
	if further := f.Fix.Further; further != nil {
		fmt.Fprintf(&p.out, "  %s %s (--unsafe-fixes)\n", p.paint(bold, p.say.Say("lint.then")), plain.Text(p.say.Text(further.Summary)))
	}
}

func (p *printer) paint(color, text string) string {
	if !p.Color || color == "" {
		return text
	}
	return color + text + reset
}

// summary counts what was found.
func (p *printer) summary(l finding.Lint) {
	switch n := l.Checked(); {
	case len(l.Findings) > 0:
	case n == 0:
		p.out.WriteString(p.say.Say("lint.unchecked") + "\n")
		return
	default:
		p.out.WriteString(p.say.Plural(n, "lint.clean.one", "lint.clean") + "\n")
		return
	}
	notes, safe, unsafe := 0, 0, 0
	for _, f := range l.Findings {
		if f.Severity == "note" {
			notes++
		}
		if f.Fix != nil && f.Fix.Diff != "" {
			if f.Fix.Safe {
				safe++
			} else {
				unsafe++
			}
		}
	}
	what := p.say.Say("lint.no_pattern")
	if n := len(l.Findings) - notes; n > 0 {
		what = p.say.Plural(n, "lint.pattern", "lint.patterns")
	}
	if notes > 0 {
		what = p.say.Say("lint.and", "first", what, "second", p.say.Plural(notes, "lint.note", "lint.notes"))
	}
	text := p.say.Say("lint.found", "what", what)
	if how := p.fixable(safe, unsafe); how != "" {
		text = p.say.Say("lint.found.how", "what", what, "how", how)
	}
	p.out.WriteString(text + "\n")
}

// fixable says how many can be fixed by which flags.
func (p *printer) fixable(safe, unsafe int) string {
	var how []string
	if safe > 0 {
		how = append(how, p.say.Say("lint.safe", "count", units.Count(int64(safe))))
	}
	if unsafe > 0 {
		key := phrase.Key("lint.unsafe")
		if safe > 0 {
			key = "lint.unsafe.more"
		}
		how = append(how, p.say.Say(key, "count", units.Count(int64(unsafe))))
	}
	return p.say.List(how...)
}

// Statistics writes how often each rule was found, most frequent first.
func Statistics(w io.Writer, l finding.Lint) error {
	for _, c := range tally(l.Findings) {
		if _, err := fmt.Fprintf(w, "%5d  %s %s\n", c.n, c.rule, c.name); err != nil {
			return err
		}
	}
	return nil
}

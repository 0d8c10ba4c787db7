package text

import (
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// Colours, as terminals have them.
const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	blue   = "\x1b[34m"
	reset  = "\x1b[0m"
)

// verdictColor is how alarming a verdict is.
func verdictColor(v finding.Verdict) string {
	switch v {
	case finding.Leak, finding.Outside:
		return red
	case finding.Cycle, finding.Fragmentation, finding.Cache, finding.Capacity:
		return yellow
	case finding.Bounded, finding.Healthy:
		return green
	}
	return blue
}

func (p *printer) paint(color, text string) string {
	if !p.color || color == "" || text == "" {
		return text
	}
	return color + text + reset
}

func (p *printer) line(text string) {
	p.out.WriteString(strings.TrimRight(text, " "))
	p.out.WriteByte('\n')
}

// labelled writes text behind a label of the left column, wrapped.
func (p *printer) labelled(name, color, text string) {
	head := "  " + p.paint(color, name) + strings.Repeat(" ", max(label-plain.Columns(name), 1))
	p.hanging(head, strings.Repeat(" ", label+2), text)
}

// whole writes text that is copied, such as a command, behind a label: on one line, however long.
func (p *printer) whole(name, text string) {
	p.line("  " + p.paint(bold, name) + strings.Repeat(" ", max(label-plain.Columns(name), 1)) + text)
}

// hanging writes head and text, and what does not fit on further lines behind indent.
func (p *printer) hanging(head, indent, text string) {
	lines := wrap(text, p.width-plain.Columns(indent), p.width-plain.Columns(strip(head)))
	for i, line := range lines {
		if i > 0 {
			head = strings.Repeat(" ", plain.Columns(indent))
		}
		p.line(head + line)
	}
}

// strip takes our own colours out of text, to measure it.
func strip(text string) string {
	for _, code := range []string{bold, dim, red, green, yellow, blue, reset} {
		text = strings.ReplaceAll(text, code, "")
	}
	return text
}

// cut shortens text to at most room columns, ending it with an ellipsis.
func cut(text string, room int) string {
	if plain.Columns(text) <= room {
		return text
	}
	used := 0
	for i, r := range text {
		if used += plain.RuneColumns(r); used > room-1 {
			return strings.TrimRight(text[:i], " ") + "…"
		}
	}
	return text
}

// cutLeft shortens a path to at most room columns; its end tells more than its beginning.
func cutLeft(path string, room int) string {
	if plain.Columns(path) <= room {
		return path
	}
	for i := range path {
		if plain.Columns(path[i:]) < room {
			return "…" + path[i:]
		}
	}
	return "…"
}

// wrap breaks text into lines of at most room columns, the first of at most first. It breaks between
// words, and between wide characters, which need no space; a word longer than a line is cut in two.
func wrap(text string, room, first int) []string {
	room, first = max(room, 12), max(first, 12)
	var lines []string
	limit := first
	current, used := "", 0
	flush := func() {
		lines = append(lines, strings.TrimRight(current, " "))
		current, used, limit = "", 0, room
	}
	for _, piece := range pieces(text) {
		if used+plain.Columns(strings.TrimRight(piece, " ")) > limit && used > 0 {
			flush()
		}
		for plain.Columns(strings.TrimRight(piece, " ")) > limit {
			head := piece[:fit(piece, limit)]
			current, used = head, limit
			piece = piece[len(head):]
			flush()
		}
		current += piece
		used += plain.Columns(piece)
	}
	if current != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

// fit is how many bytes of text take at most room columns.
func fit(text string, room int) int {
	used := 0
	for i, r := range text {
		if used += plain.RuneColumns(r); used > room {
			return i
		}
	}
	return len(text)
}

// noStart are the marks that must not begin a line, noEnd those that must not end one.
const (
	noStart = "，。：；、）」》！？"
	noEnd   = "（「《"
)

// pieces cuts text where a line may end: behind spaces and around wide characters.
func pieces(text string) []string {
	var out []string
	start := 0
	runes := []rune(text)
	for i := 1; i < len(runes); i++ {
		before, after := runes[i-1], runes[i]
		breakable := before == ' ' && after != ' ' ||
			(plain.IsWide(before) || plain.IsWide(after)) && !strings.ContainsRune(noStart, after) && !strings.ContainsRune(noEnd, before)
		if breakable {
			out = append(out, string(runes[start:i]))
			start = i
		}
	}
	return append(out, string(runes[start:]))
}

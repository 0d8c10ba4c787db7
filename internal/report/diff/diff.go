// Package diff reads unified diffs, for those who show them and for the files that are made of them.
package diff

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind says what a line of a diff is.
type Kind string

// Kinds.
const (
	File    Kind = "file" // --- and +++
	Hunk    Kind = "hunk" // @@
	Context Kind = ""
	Added   Kind = "add"
	Removed Kind = "cut"
	Note    Kind = "note" // \ No newline at end of file, and what is no diff
)

// Line is one line of a diff, without its end.
type Line struct {
	Kind Kind
	Text string // with its sign
	Path string // the file it belongs to, as it is called before the change
	Old  int    // its number there; 0 where it has none
}

// Source is the line without its sign.
func (l Line) Source() string {
	if l.Text == "" { // an empty line of context whose blank was lost on the way
		return ""
	}
	return l.Text[1:]
}

// Lines cuts a diff into lines. The lengths in the heads of hunks decide what is a line of source: one that begins
// with "-- " looks like a file's name when it is taken out.
func Lines(text string) []Line {
	var out []Line
	path := ""
	no, old, added := 0, 0, 0 // the next line's number, and how many lines the hunk still has of both sides
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		next := Line{Kind: Note, Text: line, Path: path}
		sign := byte(' ')
		if line != "" {
			sign = line[0]
		}
		switch {
		case sign == '\\':
		case old+added > 0 && sign == '+':
			next.Kind = Added
			added--
		case old+added > 0 && (sign == '-' || sign == ' '):
			next.Kind, next.Old = Removed, no
			if sign == ' ' {
				next.Kind = Context
				added--
			}
			no++
			old--
		case strings.HasPrefix(line, "--- "):
			path = name(line, "a/")
			next.Kind, next.Path = File, path
		case strings.HasPrefix(line, "+++ "):
			next.Kind = File
		case strings.HasPrefix(line, "@@"):
			next.Kind = Hunk
			no, old, added = head(line)
		}
		out = append(out, next)
	}
	return out
}

// name is the path in a file's line, without the prefix that tools put before it, the quotes around it, or the date behind
// a tab.
func name(line, prefix string) string {
	path, _, _ := strings.Cut(line[len("--- "):], "\t")
	if plain, err := strconv.Unquote(path); err == nil {
		path = plain
	}
	return strings.TrimPrefix(path, prefix)
}

// head reads where a hunk begins, and how many lines it has of the old and the new file.
func head(line string) (no, old, added int) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0, 0, 0
	}
	no, old = span(strings.TrimPrefix(fields[1], "-"))
	_, added = span(strings.TrimPrefix(fields[2], "+"))
	return no, old, added
}

func span(text string) (first, count int) {
	if _, err := fmt.Sscanf(text, "%d,%d", &first, &count); err == nil {
		return first, count
	}
	if _, err := fmt.Sscanf(text, "%d", &first); err == nil {
		return first, 1
	}
	return 0, 0
}

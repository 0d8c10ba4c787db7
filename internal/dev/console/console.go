// Package console reads the ```console blocks of a document: commands behind `$ ` and what they print.
// A test runs them, so that the document stays true.
package console

import (
	"regexp"
	"strings"
)

// Command is one command of a block, and the output that the document shows for it.
type Command struct {
	Line   int // where it stands in the document, from 1
	Text   string
	Output []string
	// Skip is the reason why it is not run: what stands in a comment <!-- not run: … --> before the block.
	Skip string
}

var notRun = regexp.MustCompile(`^<!-- not run: (.+) -->$`)

// Commands returns the commands of all console blocks of a Markdown text. A command may go on behind
// a backslash at the end of its line.
func Commands(markdown string) []Command {
	var found []Command
	inside, skip := false, ""
	for i, line := range strings.Split(markdown, "\n") {
		switch {
		case !inside:
			inside = line == "```console"
			if m := notRun.FindStringSubmatch(line); m != nil {
				skip = m[1]
			} else if !inside && line != "" {
				skip = ""
			}
		case line == "```":
			inside, skip = false, ""
		case strings.HasPrefix(line, "$ "):
			found = append(found, Command{Line: i + 1, Text: line[2:], Skip: skip})
		case len(found) > 0:
			last := &found[len(found)-1]
			if strings.HasSuffix(last.Text, "\\") {
				last.Text += "\n" + line
			} else {
				last.Output = append(last.Output, line)
			}
		}
	}
	return found
}

// Mismatch returns the first expected line that the output does not have in its turn, or "". Output
// must show the expected lines in order and nothing else, but:
// a line … stands for any lines; an … in a line stands for any text; figures, times and curves differ
// from run to run, so a number stands for any number unless it is a line of a file or part of a name.
func Mismatch(expected []string, output string) string {
	got := strings.Split(strings.TrimRight(output, "\n"), "\n")
	gap := false
	for _, want := range trimBlank(expected) {
		if strings.TrimSpace(want) == "…" {
			gap = true
			continue
		}
		pattern := pattern(want)
		for gap && len(got) > 0 && !pattern.MatchString(got[0]) {
			got = got[1:]
		}
		if len(got) == 0 || !pattern.MatchString(got[0]) {
			return want
		}
		got, gap = got[1:], false
	}
	if !gap {
		for _, line := range got {
			if strings.TrimSpace(line) != "" {
				return "the end, and not: " + line
			}
		}
	}
	return ""
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// loose finds what may differ: a number with its unit, a run of a curve's blocks, the sign for any text.
// A number behind a colon, a letter or a dot is left as it is: train.py:57, TL101.
var loose = regexp.MustCompile(`[+-]?\b\d[\d,.]*( (B|KiB|MiB|GiB|s|ms|min|h|days?)\b)?|[▁▂▃▄▅▆▇█]+|…`)

func pattern(want string) *regexp.Regexp {
	var b strings.Builder
	want = strings.TrimSpace(want)
	if strings.HasPrefix(want, "torchleak: ") { // it may come behind a line that the program was stopped in
		b.WriteString(`^.*`)
	} else {
		b.WriteString(`^\s*`)
	}
	end := 0
	for _, at := range loose.FindAllStringIndex(want, -1) {
		text := want[at[0]:at[1]]
		if at[0] > 0 && strings.ContainsAny(want[at[0]-1:at[0]], ":.") && text != "…" {
			continue
		}
		b.WriteString(spaces(want[end:at[0]]))
		switch {
		case text == "…":
			b.WriteString(`.*`)
		case strings.ContainsAny(text, "▁▂▃▄▅▆▇█"):
			b.WriteString(`[▁▂▃▄▅▆▇█]+`)
		default:
			b.WriteString(`[+-]?\d[\d,.]*( (B|KiB|MiB|GiB|s|ms|min|h|days?)\b)?`)
		}
		end = at[1]
	}
	b.WriteString(spaces(want[end:]))
	b.WriteString(`\s*$`)
	return regexp.MustCompile(b.String())
}

var someSpace = regexp.MustCompile(`\s+`)

// spaces quotes text; columns are as wide as their figures, so any space stands for any other.
func spaces(text string) string {
	return someSpace.ReplaceAllString(regexp.QuoteMeta(text), `\s+`)
}

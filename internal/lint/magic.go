package lint

import (
	"bytes"
	"regexp"
	"strings"
)

var (
	// Cell magics whose body is Python of this notebook.
	pythonCell = regexp.MustCompile(`^%%(time|timeit|capture|prun|memit|mprun|python3?|debug|snakeviz|scalene|pyinstrument|filprofile|heat)\b`)
	// Line magics that run the rest of the line.
	runningMagic = regexp.MustCompile(`^%(time|timeit|prun|memit|mprun)[ \t]+`)
	// name = !command and name = %magic
	assignedMagic = regexp.MustCompile(`^[ \t]*[\w.\[\], \t]*[\w\])][ \t]*=[ \t]*[!%]`)
	help          = regexp.MustCompile(`^[ \t]*(\?\??[\w.*]+|[\w.*%]+\?\??)[ \t]*$`)
)

// maskMagics replaces what IPython reads and Python does not by an expression that means nothing, at equal length, so
// that every byte of the rest stays at its place.
func maskMagics(source []byte) []byte {
	out := bytes.Clone(source)
	if m := bytes.TrimLeft(out, " \t\r\n"); bytes.HasPrefix(m, []byte("%%")) && !pythonCell.Match(m) {
		space(out)
		return out
	}
	var state scanner
	magic := false // the line before was a magic that goes on
	for start := 0; start < len(out); {
		end := start + bytes.IndexByte(out[start:], '\n')
		if end < start {
			end = len(out)
		}
		line := bytes.TrimRight(out[start:end], "\r")
		switch {
		case magic:
			magic = bytes.HasSuffix(line, []byte(`\`))
			blank(line, "")
		case !state.open():
			magic = maskLine(line)
			fallthrough
		default:
			state.scan(line)
		}
		start = end + 1
	}
	return out
}

// space makes all of text spaces, but for its line ends.
func space(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// maskLine masks one line where it is a magic, and reports whether the next line goes on with it.
func maskLine(line []byte) (more bool) {
	body := bytes.TrimLeft(line, " \t")
	if len(body) == 0 {
		return false
	}
	switch m := runningMagic.Find(body); {
	case m != nil && !bytes.HasPrefix(body[len(m):], []byte("-")):
		blank(body[:len(m)], ";")
		return false
	case body[0] == '%' || body[0] == '!' || help.Match(line):
		more = bytes.HasSuffix(body, []byte(`\`))
		blank(body, "")
	case assignedMagic.Match(line):
		at := bytes.IndexByte(line, '=') + 1
		at += len(line[at:]) - len(bytes.TrimLeft(line[at:], " \t"))
		more = bytes.HasSuffix(line, []byte(`\`))
		blank(line[at:], "")
	}
	return more
}

// blank makes text the expression 0, closed by end.
func blank(text []byte, end string) {
	if len(text) == 0 {
		return
	}
	copy(text, "0"+strings.Repeat(" ", len(text)-1))
	copy(text[len(text)-len(end):], end)
}

// scanner knows whether a line begins inside a string or bracket of the lines before.
type scanner struct {
	quote string // the triple quote that is open
	depth int
	joins bool // the last line ended in a backslash
}

func (s *scanner) open() bool { return s.quote != "" || s.depth > 0 || s.joins }

func (s *scanner) scan(line []byte) {
	s.joins = false
	for i := 0; i < len(line); i++ {
		rest := string(line[i:min(i+3, len(line))])
		switch {
		case line[i] == '\\':
			s.joins = i+1 == len(line)
			i++
		case s.quote != "":
			if rest == s.quote {
				s.quote = ""
				i += 2
			}
		case rest == `"""` || rest == "'''":
			s.quote = rest
			i += 2
		case line[i] == '"' || line[i] == '\'':
			i += stringEnd(line[i:])
		case line[i] == '#':
			return
		case strings.IndexByte("([{", line[i]) >= 0:
			s.depth++
		case strings.IndexByte(")]}", line[i]) >= 0:
			s.depth = max(0, s.depth-1)
		}
	}
}

// stringEnd returns how far behind its opening quote a string of one line ends.
func stringEnd(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i
		}
	}
	return len(text) - 1
}

// Package plain makes texts from the target harmless to show: what would move a cursor, or hide or
// reorder text, is spelled out. It writes their JSON alike, too.
package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns text in one line: controls and invisible format characters are spelled out, line ends
// and tabs become spaces.
func Text(text string) string { return strings.ReplaceAll(Line(text), "\t", " ") }

// Line is Text for a line of source: it keeps its tabs.
func Line(text string) string {
	var out strings.Builder
	for i, r := range text {
		switch {
		case r == '\t':
			out.WriteByte('\t')
		case r == '\n' || r == '\u2028' || r == '\u2029':
			out.WriteByte(' ')
		case r == '\r':
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&out, `\x%02x`, text[i])
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&out, `\x%02x`, r)
		case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// Upper writes the first letter large, where it has one. A name that the text speaks of, as in "cuda:0: grows" or
// "model.py is gone", stays.
func Upper(text string) string {
	first, _, more := strings.Cut(text, " ")
	if more && (strings.HasSuffix(first, ":") || strings.ContainsAny(first, "./_(")) {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

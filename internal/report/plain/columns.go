package plain

import (
	"strings"
	"unicode"
)

// wide are the characters terminals draw in two columns: East Asian wide and fullwidth, and emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1}},
}

// Columns is how many columns text takes on a terminal.
func Columns(text string) int {
	n := 0
	for _, r := range text {
		n += RuneColumns(r)
	}
	return n
}

// Pad fills text with blanks up to so many columns.
func Pad(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-Columns(text)))
}

// RuneColumns is how many columns a character takes: two where it is wide, none where it sits on the one before.
func RuneColumns(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
		return 0
	case IsWide(r):
		return 2
	}
	return 1
}

// IsWide reports whether terminals draw a character in two columns.
func IsWide(r rune) bool { return unicode.Is(wide, r) }

// Table returns rows as lines of columns, two spaces apart and each as wide as what stands in it. All rows have as many
// cells as the first. Columns of which right says so are figures, flush right; spaces at the end of a line are left out.
func Table(rows [][]string, right func(column int) bool) []string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], Columns(cell))
		}
	}
	lines := make([]string, len(rows))
	for n, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = Pad(cell, widths[i])
			if right(i) {
				cells[i] = strings.Repeat(" ", widths[i]-Columns(cell)) + cell
			}
		}
		lines[n] = strings.TrimRight(strings.Join(cells, "  "), " ")
	}
	return lines
}

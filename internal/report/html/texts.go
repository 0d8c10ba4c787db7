package html

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/curve"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// prose is a text in parts; what stands between backticks is code.
type prose []part

type part struct {
	Text string
	Code bool
}

// newProse cuts text at its backticks. Where one has no partner, all stays as it is.
func newProse(text string) prose {
	text = plain.Text(text)
	pieces := strings.Split(text, "`")
	if text == "" || len(pieces)%2 == 0 {
		pieces = []string{text}
	}
	var out prose
	for i, piece := range pieces {
		if piece != "" {
			out = append(out, part{piece, i%2 == 1})
		}
	}
	return out
}

// code is a line of source made harmless; what is endless is cut.
func code(line string) string {
	line = plain.Line(line)
	if len(line) > maxLine {
		end := maxLine
		for !utf8.RuneStart(line[end]) {
			end--
		}
		line = line[:end] + "…"
	}
	return line
}

// judged is the series m is judged by, without warm-up where that leaves a curve.
func judged(m finding.Memory, warmup int64) []int64 {
	values := curve.Judged(m)
	skip := 0
	for skip < len(m.Steps) && m.Steps[skip] <= warmup {
		skip++
	}
	if skip+2 > len(values) {
		return values
	}
	return values[skip:]
}

// sparkPath is the path of a small curve in a box of 120 by 28.
func sparkPath(m finding.Memory, values []int64) string {
	const width, height, margin, points = 120.0, 28.0, 3.0, 80
	if len(values) < 2 {
		return ""
	}
	flat := curve.Still(m, values)
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	var out strings.Builder
	for n, i := range curve.Thin(values, points) {
		y := height / 2
		if !flat {
			y = height - margin - (float64(values[i])-float64(low))/(float64(high)-float64(low))*(height-2*margin)
		}
		command := 'L'
		if n == 0 {
			command = 'M'
		}
		fmt.Fprintf(&out, "%c%.1f %.1f", command, float64(i)/float64(len(values)-1)*width, y)
	}
	return out.String()
}

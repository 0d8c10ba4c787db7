package trials

import (
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/report/plain"
)

// Colours, as terminals have them.
const (
	bold  = "\x1b[1m"
	reset = "\x1b[0m"
)

var colors = map[Outcome]string{Good: "\x1b[32m", Bad: "\x1b[31m", Open: "\x1b[33m"}

// WriteText writes for people at a terminal, with colours where it is one that wants them.
func WriteText(w io.Writer, r Result, color bool) error {
	paint := func(code, text string) string {
		if !color || code == "" {
			return text
		}
		return code + text + reset
	}
	var out strings.Builder
	out.WriteString("\ntorchleak " + r.Name + ": " + paint(bold+colors[r.Outcome], plain.Text(r.Headline)) + "\n")
	for _, s := range r.Statements {
		out.WriteString("  " + plain.Text(s.Place) + "   " + plain.Text(s.Code) + "\n")
	}
	wide := r.widest()
	row := func(name, text string) {
		out.WriteString("  " + paint(bold, name) + strings.Repeat(" ", wide-plain.Columns(name)+2) + text + "\n")
	}
	for _, c := range r.Curves {
		row(c.Name, c.Bars+"  "+c.Amount)
	}
	for _, f := range r.Facts {
		row(f.Name, plain.Text(f.Value))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// widest is how many columns the widest name of a row takes.
func (r Result) widest() (columns int) {
	for _, c := range r.Curves {
		columns = max(columns, plain.Columns(c.Name))
	}
	for _, f := range r.Facts {
		columns = max(columns, plain.Columns(f.Name))
	}
	return columns
}

package lint

import (
	"strings"
	"testing"
	"time"
)

// Generated files nest without end or go on for ever: they are read in their time, or said to be too large.
func TestExtremes(t *testing.T) {
	head, tail := "import torch\n", "\ntorch.cuda.empty_cache()\n"
	indented := func(depth int) string {
		var b strings.Builder
		for i := range depth {
			b.WriteString(strings.Repeat(" ", i) + "if x:\n")
		}
		return b.String() + strings.Repeat(" ", depth) + "y = 1\n"
	}
	for name, text := range map[string]string{
		"brackets":        "x = " + strings.Repeat("[", 10000) + strings.Repeat("]", 10000),
		"calls":           "x = " + strings.Repeat("f(", 10000) + "1" + strings.Repeat(")", 10000),
		"chained":         "x = y" + strings.Repeat(".f(1)", 10000),
		"sum":             "x = 1" + strings.Repeat(" + a", 10000),
		"unclosed":        "x = " + strings.Repeat("(", 10000),
		"functions":       nested("def f():\n", 99),
		"blocks":          indented(99),
		"loops":           nested("for x in y:\n", 99),
		"many statements": strings.Repeat("history.append(loss)\n", 100000),
		"one long line":   "x = [" + strings.Repeat("1, ", 300000) + "]",
		"one long string": "x = '" + strings.Repeat("loss.backward() ", 100000) + "'",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			r, err := Run(stdin(head + text + tail))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range r.Report.Skipped {
				if !strings.HasPrefix(s.Reason, "syntax error") || name != "unclosed" {
					t.Errorf("%+v", s)
				}
			}
			if d := time.Since(start); d > 30*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

// nested puts a head into itself, each time one space further to the right.
func nested(head string, depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + head)
	}
	return b.String() + strings.Repeat(" ", depth) + "total += loss\n"
}

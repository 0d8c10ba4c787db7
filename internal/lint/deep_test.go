package lint

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/units"
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

// A file of many functions takes time in proportion, each of its findings has a fix, and what is beyond the bounds is
// said: the work is counted, so that the machine makes no difference.
func TestManyFunctions(t *testing.T) {
	many := func(n int) string {
		var b strings.Builder
		b.WriteString("import torch\n")
		for i := range n {
			fmt.Fprintf(&b, "def train%d(model, loader, opt):\n    total = 0\n    for x in loader:\n        loss = model(x).mean()\n"+
				"        opt.zero_grad()\n        loss.backward()\n        opt.step()\n        total += loss\n    return total\n\n", i)
		}
		return b.String()
	}
	checked := func(n int) (findings, fixes int, skipped []finding.Skipped) {
		r, err := Run(stdin(many(n)))
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Report.Findings), len(r.fixes), r.Report.Skipped
	}
	start := time.Now()
	if findings, fixes, skipped := checked(1000); findings != 1000 || fixes != 1000 || len(skipped) != 0 {
		t.Errorf("%d findings, %d fixes, %+v", findings, fixes, skipped)
	}
	if d := time.Since(start); d > 30*time.Second { // parsing the file again for each fix took more than two minutes
		t.Errorf("it took %v", d)
	}
	findings, fixes, skipped := checked(8000)
	if findings < 1000 || findings >= 8000 || fixes != findings {
		t.Errorf("%d findings, %d fixes", findings, fixes)
	}
	want := fmt.Sprintf("gave up on %s, not checked", units.Plural(8000-findings, "function"))
	if len(skipped) != 1 || skipped[0].Whole || !strings.HasPrefix(skipped[0].Reason, want) {
		t.Errorf("%+v, want %q", skipped, want)
	}
}

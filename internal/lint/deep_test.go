package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
		"evaluations":     strings.Repeat("net.eval()\n", 50000),
		"frozen parts":    "class A:\n  def __init__(self):\n" + strings.Repeat("    net.eval()\n", 50000),
		"choices":         strings.Repeat("x = d.log_prob(a)\n", 50000),
		"endless loops":   strings.Repeat("while True: x\n", 50000),
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

// TestFrameworkAround lints a training together with the framework that it calls: what lies behind a call may be too much
// to follow, and the training is checked as it is by itself.
func TestFrameworkAround(t *testing.T) {
	train := "from frame import Trainer\nfrom torch import nn, optim\n\ndef train(loader):\n    trainer = Trainer()\n    model = nn.Linear(3, 4)\n" +
		"    opt = optim.SGD(model.parameters(), 0.1)\n    model, opt, loader = trainer.prepare(model, opt, loader)\n    kept = []\n" +
		"    for x in loader:\n        y = model(x)\n        kept.append(y)\n        trainer.backward(y.mean())\n        opt.step()\n        opt.zero_grad()\n    return kept\n"
	var frame strings.Builder
	frame.WriteString("class Trainer:\n    def prepare(self, *args):\n        return self.m0(*args)\n\n    def backward(self, loss, **kwargs):\n" +
		"        self.m0(loss)\n        self.engine.scale(loss).backward(**kwargs)\n\n")
	const methods = 400 // each calls the next two, and has 30 statements of its own
	for i := range methods {
		fmt.Fprintf(&frame, "    def m%d(self, *args):\n        a = self.m%d(*args)\n        b = self.m%d(*args)\n", i, (i+1)%methods, (i+2)%methods)
		for range 30 {
			frame.WriteString("        a = self.pick(a, b) if self.state[a] else [b, a]\n")
		}
		frame.WriteString("        return a\n\n")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"train.py": train, "frame.py": frame.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Run(Options{Paths: []string{dir}, Isolated: true})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range r.Report.Findings {
		found = append(found, fmt.Sprint(filepath.Base(f.Location.File), ":", f.Location.Line, " ", f.Name))
	}
	if want := []string{"train.py:12 kept-output"}; !slices.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
	for _, s := range r.Report.Skipped {
		if filepath.Base(s.File) == "train.py" {
			t.Errorf("the training was not checked to the end: %s", s.Reason)
		}
	}
}

package rule

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

const (
	ofVariable = `import torch

def train(model, loader, optimizer):
    losses = []
    for x in loader:
        loss = model(x).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
`
	ofAttribute = `import collections

class Trainer:
    def __init__(self, model):
        self.model, self.losses = model, collections.defaultdict(list)

    def train(self, loader, optimizer):
        for x in loader:
            loss = self.model(x).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            self.losses["train"].append(loss)
`
)

// What a run and what lint propose for a statement is the same, and a number only where all who read it take one.
func TestLoosened(t *testing.T) {
	for _, test := range []struct{ source, reader, want string }{
		{ofVariable, "    print(sum(losses) / len(losses))", ".item()"},
		{ofVariable, "    mean = sum(losses) / len(losses)\n    print(f\"{mean:.4f}\")", ".item()"},
		{ofVariable, "    for v in losses:\n        print(float(v))", ".item()"},
		{ofVariable, "    plt.plot(losses)", ".item()"},
		{ofVariable, "    if losses and losses[-1] < 0.1:\n        print('done')", ".detach()"}, // `and` may yield the list
		{ofVariable, "    if losses:\n        print(np.mean(losses))", ".item()"},
		{ofVariable, "    print(f\"{losses[-1].item():.4f}\")", ".detach()"},
		{ofVariable, "    mean = sum(losses) / len(losses)\n    print(mean.item() - 1)", ".detach()"},
		{ofVariable, "    delta = losses[-1]\n    gap = delta - losses[-1]\n    print(gap.abs())", ".detach()"},
		{ofVariable, "    return torch.stack(losses[-50:]).mean()", ".detach()"},
		{ofVariable, "    print((losses[-1] < 1).item())", ".detach()"},
		{ofVariable, "    return losses", ".detach()"},
		{ofAttribute, "    def report(self):\n        print(float(self.losses['train'][-1]))", ".item()"},
		{ofAttribute, "    def report(self):\n        return {k: v[-1].detach().item() for k, v in self.losses.items()}", ".detach()"},
		{ofAttribute, "    def report(self):\n        print(float(self.losses['train'][-1]), self.losses['rate'].mean())", ".item()"},
		{ofAttribute, "", ".detach()"}, // who knows
	} {
		file := parsed(t, test.source+test.reader+"\n")
		line := strings.Count(test.source, "\n")
		if got := ofRun(t, file, line); !strings.HasSuffix(got, test.want+")") {
			t.Errorf("a run, read by %q: %s", test.reader, got)
		}
		if got := ofLint(file); got != test.want {
			t.Errorf("lint, read by %q: %s", test.reader, got)
		}
	}
}

// Whoever slices the newest off reads no others, by a number or by a variable that is the same where they are put in.
func TestNewest(t *testing.T) {
	for _, test := range []struct {
		source string
		newest int
		span   string
		whole  bool
	}{
		{"def f(xs, k):\n    m = []\n    for x in xs:\n        m.append(x)\n        print(m[-4:])\n", 4, "", false},
		{"def f(xs, k):\n    m = []\n    for x in xs:\n        m.append(x)\n        print(m[-k:] if m else 0)\n", 0, "k", false},
		{"def f(xs, k):\n    m = []\n    for x in xs:\n        m.append(x)\n        k = k + 1\n        print(m[-k:])\n", 0, "", true},
		{"N = 3\ndef f(xs):\n    m = []\n    for x in xs:\n        m.append(x)\n        print(m[-N:])\n", 0, "N", false},
		{"N = 3\ndef f(xs):\n    m = []\n    for x in xs:\n        m.append(x)\n        for N in x:\n            print(m[-N:])\n", 0, "", true},
		{"def f(xs, k):\n    m = []\n    for x in xs:\n        m.append(x)\n        if m:\n            print(m)\n", 0, "", true},
	} {
		file := parsed(t, test.source)
		function := firstFunction(file)
		reads, _ := readsOf(kept{file: file, path: "m", at: file.FirstChild(file.Body(function)), local: true, function: function}, nil)
		if reads.Newest != test.newest || reads.Span != test.span || reads.Whole != test.whole || !reads.Any {
			t.Errorf("%+v of\n%s", reads, test.source)
		}
	}
}

func parsed(t *testing.T, source string) *pysyntax.File {
	t.Helper()
	f, err := pysyntax.Parse("train.py", []byte(source))
	if err != nil || f.HasError {
		t.Fatal(err, source)
	}
	return f
}

// ofRun is the line as the fix of a run leaves it.
func ofRun(t *testing.T, f *pysyntax.File, line int) string {
	t.Helper()
	l := locate.New(func(string) ([]byte, error) { return f.Source, nil }, "/train")
	l.Consider("/train/train.py")
	place, ok := l.At([]finding.Frame{{File: "/train/train.py", Line: line, Function: "train"}})
	if !ok {
		t.Fatalf("nothing at line %d", line)
	}
	fix := Loosened(&Case{Place: place, Sources: l.Files(), Memory: finding.Memory{Name: "host"}, TensorsOnly: true,
		Holder: &evidence.Holder{Kind: "container", Path: "losses", Elements: "Tensor"}, Group: &evidence.Group{GradFn: "MeanBackward0"}}, "words")
	for _, text := range strings.Split(fix.Diff, "\n") {
		if strings.HasPrefix(text, "+ ") {
			return text
		}
	}
	return fix.Diff
}

// ofLint is what lint puts behind the loss.
func ofLint(f *pysyntax.File) (text string) {
	x := pyflow.NewIndex()
	x.Add(f)
	p := &Pass{Flow: x.Module(f), File: f}
	for fn, s := range p.Kept("kept-loss") {
		if fix, _ := Loosen(p, fn, s, "words"); fix != nil {
			text = fix.Edits[0].Text
		}
	}
	return text
}

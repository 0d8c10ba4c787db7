package ctxattribute

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

const function = `import torch

class Solve(torch.autograd.Function):
    @staticmethod
    def forward(ctx, step, x):
        ctx.step = step
        ctx.save_for_backward(x)
        return step(x)

    @staticmethod
    def backward(ctx, grad):
        return None, grad

`

func TestCallback(t *testing.T) {
	const object = "class Problem:\n    def step(self, x):\n        return x.tanh()\n\n    def solve(self, x):\n        "
	const closure = "def solve(layer, x):\n    box = {}\n    def step(x):\n        box[\"x\"] = 1\n        return layer(x)\n    "
	for _, test := range []struct{ source, want string }{
		{object + "self.y = Solve.apply(self.step, x)\n        return self.y\n", "output = Solve.apply(self.step, x)|self.y = output.detach()|return output"},
		{closure + "box['y'] = Solve.apply(step, x)\n    return box['y']\n", "output = Solve.apply(step, x)|box['y'] = output.detach()|return output"},
		{object + "self.y = Solve.apply(self.step, x)\n        return self.y\n\ndef loss(p):\n    return p.y.sum()\n", "found"}, // needs the graph
		{closure + "box['y'] = Solve.apply(step, x)\n    return box\n", "found"},
		{object + "self.y = Solve.apply(self.step, x)\n", "found"}, // nobody in sight is handed the output
		{object + "self.y = Solve.apply(self.step, x)\n        y, self.y = self.y, self.y.detach()\n        return y\n", ""},
		{object + "return Solve.apply(self.step, x)\n", ""},
		{object + "self.y = Solve.apply(torch.tanh, x)\n        return self.y\n", ""},
		{strings.Replace(closure, `box["x"] = 1`, "pass", 1) + "box['y'] = Solve.apply(step, x)\n    return box['y']\n", ""},
	} {
		f, err := pysyntax.Parse("solve.py", []byte(function+test.source))
		if err != nil || f.HasError {
			t.Fatal(err, test.source)
		}
		x := pyflow.NewIndex()
		x.Add(f)
		got := ""
		check(&rule.Pass{Flow: x.Module(f), File: f, Report: func(m rule.Mark) {
			got = "found"
			if p, err := patch.Apply(f, m.Fix.Edits); err == nil {
				var added []string
				for _, line := range strings.Split(p.Diff, "\n") {
					if strings.HasPrefix(line, "+ ") {
						added = append(added, strings.TrimSpace(line[1:]))
					}
				}
				got = strings.Join(added, "|")
			}
		}})
		if got != test.want {
			t.Errorf("got %q, want %q for\n%s", got, test.want, test.source)
		}
	}
}

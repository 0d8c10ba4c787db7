package pyflow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Ways in which a value comes to be made of itself, or a container to hold itself, in variables a, b and c.
var endless = map[string]string{
	"appended":     "a = []\nb = [a]\na.append(b)\na.append(a)\nc = a",
	"keyed":        "a = {}\na['x'] = a\na[i] = a\nb = a['x']\nc = a[i][i]",
	"default":      "a = {}\nb = a.setdefault('x', a)\nc = {}\na.setdefault(i, c)\nc.setdefault(i, a)",
	"extended":     "a = []\na.extend(a)\na += a\nb = a[1:]\nb.extend(b + a)\nc = b",
	"updated":      "a = {}\na.update(a)\na.update(x=a)\nb = dict(a)\nc = {**a}",
	"attributes":   "class Box: pass\na = Box()\na.me = a\na.all = [a]\nb = a.me.all\nc = b[0].me",
	"part":         "a = model(x)\nb = a\nc = a\nfor _ in x:\n    a = a[0]\n    b = b[i].cpu()\n    c = (c, b)",
	"moved":        "a = x\nb = x\nc = x\nfor _ in x:\n    a = a.cuda()\n    b = b.to(a)\n    c = b\n    b = c",
	"computed":     "a = x\nb = [x]\nc = x\nfor _ in x:\n    a = a + b[0]\n    b[0] = a\n    b.append(b)\n    c = c[0] + a",
	"counted":      "a = 0\nb = {}\nc = x\nfor k in x:\n    a = a + 1\n    b[a] = b\n    b = b[a]\n    c = enumerate(c)",
	"unpacked":     "a = [x]\na.append(a)\nb, c = a, a\nfor _ in x:\n    b, c = c, b\n    a, b = b",
	"comprehended": "a = [x]\nb = x\nc = x\nfor _ in x:\n    a = [a for a in a]\n    b = {k: b for k in b}\n    c = list(map(lambda y: c, c))",
	"recursive":    "def a(y=[]):\n    y.append(a)\n    return a(y)\nb = a(a)\nc = a([b])",
	"copied":       "import copy\na = [x]\nb = {}\nc = x\nfor _ in x:\n    a = copy.deepcopy([a])\n    b = b or a\n    c = c if b else a\n    a.append(c)",
}

// What is done with such a value: each leads into another walk.
const used = `
g = torch.autograd.grad(model(x), %[1]s)
g = torch.autograd.grad(model(x), %[1]s, create_graph=True)
y = torch.stack(%[1]s) + %[1]s + model(%[1]s)[0] + %[1]s[0].mean()
self.kept.append(%[1]s)
self.last = %[1]s
self.table[%[1]s] = %[1]s
self.total = self.total + %[1]s
self.total += loss_of(%[1]s, y)
for z in %[1]s:
    self.kept.append(z)
    z.register_forward_hook(lambda *all: %[1]s)
h = %[1]s.register_hook(print)
h.remove()
torch.autograd.backward(%[1]s)
%[1]s.backward()
y.backward()
(y + %[1]s).backward()
nn.MSELoss()(%[1]s, %[1]s).backward()
opt.step(lambda: %[1]s)
return %[1]s`

// Containers and values that hold themselves end every walk, and say nothing of the next function.
func TestEndless(t *testing.T) {
	for name, made := range endless {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("import torch\nfrom torch import nn\n\nclass Trainer:\n")
			for _, v := range []string{"a", "b", "c"} {
				text := made + "\n" + "for i, x in enumerate(loader):" + indented(made+fmt.Sprintf(used[:strings.LastIndex(used, "\n")], v), 1) + fmt.Sprintf("\nreturn %s", v)
				b.WriteString("    def train_" + v + "(self, model, loader, opt, loss_of, x, i):" + indented(text, 2) + "\n\n")
			}
			b.WriteString("def after(model, loader, opt):\n    kept = []\n    for x in loader:\n        loss = model(x).mean()\n        loss.backward()\n        opt.step()\n        kept.append(loss)\n    return kept\n")
			f, err := pysyntax.Parse("train.py", []byte(b.String()))
			if err != nil || f.HasError {
				t.Fatalf("%v, has an error: %v\n%s", err, f.HasError, b.String())
			}
			m := NewIndex().Module(f)
			last := m.Functions[len(m.Functions)-1]
			if last.Name != "after" || len(last.Stores) != 1 || !last.Stores[0].What.Has(Graph|Loss) {
				t.Errorf("%+v", last)
			}
		})
	}
}

func indented(text string, depth int) string {
	return "\n" + strings.Repeat("    ", depth) + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat("    ", depth))
}

// The conditions around a statement are of its own file: what it leads to in another one is not looked up there.
func TestGuardsOfAnotherFile(t *testing.T) {
	x := NewIndex()
	parsed := func(name, text string) *pysyntax.File {
		f, err := pysyntax.Parse(name, []byte(text))
		if err != nil || f.HasError {
			t.Fatal(name, err)
		}
		x.Add(f)
		return f
	}
	parsed("other.py", "import torch\ntable = {}\ntable['x'] = {}\nkept = other = []\ndef hook(m, i, o): kept.append(o)\nclass Box:\n    all = []\n")
	f := parsed("train.py", "import torch\nfrom other import table, kept, hook, Box\n"+strings.Repeat("# a comment that makes this file the longer one\n", 100)+`
def train(model, loader, opt):
    for x in loader:
        loss = model(x).mean()
        loss.backward()
        opt.step()
        if len(kept) < 10 and not table:
            kept.append(loss)
            table['x'] = loss
            Box.all.append(loss)
            model.register_forward_hook(hook)
`)
	if m := x.Module(f); len(m.Functions) != 2 {
		t.Errorf("%+v", m.Functions)
	}
}

package pyflow_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// FuzzModule feeds the engine whatever parses: it must come back, soon and without a panic, and what it says must
// name nodes of the file.
func FuzzModule(f *testing.F) {
	for _, pattern := range []string{"../../leaks/*/*.py", "../pysyntax/testdata/*.py"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, p := range paths {
			if source, err := os.ReadFile(p); err == nil {
				f.Add(source)
			}
		}
	}
	for _, s := range hard {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		file, err := pysyntax.Parse("fuzz.py", source)
		if err != nil {
			return
		}
		start := time.Now()
		m := pyflow.NewIndex().Module(file)
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("it took %v", d)
		}
		for _, fn := range m.Functions {
			for _, s := range fn.Stores {
				for _, r := range append([]pysyntax.Ref{s.At, s.Value, s.Term, s.Made}, s.Shown...) {
					if int(r) >= file.Len() {
						t.Errorf("node %d of %d", r, file.Len())
					}
				}
			}
			for _, c := range fn.Calls {
				if int(c.Node) >= file.Len() || file.Kind(c.Node) != pysyntax.Call {
					t.Errorf("call at %s", file.Kind(c.Node))
				}
			}
		}
	})
}

// hard are sources that lead in circles.
var hard = []string{
	"x = x\nx.append(x)\nx[x] = x\nx += x\n",
	"def f(a=f(f)):\n    return f(f(a))\nf(f)(f)\n",
	"class A(A):\n    x = A()\n    def __init__(self):\n        self.a = A()\n    def __call__(self, *a, **k):\n        return self(*a, **k)\nA()()\n",
	"a = [a for a in a for a in a if a]\nb = {b: b for b in b}\n",
	"def f():\n    yield f()\n    yield from f()\n    del f, f[0], f.x\n    global f\n    nonlocal f\nfor f in f(): f = f\n",
	"while True:\n  while True:\n    while True:\n      while True:\n        while True:\n          x = g(x); y = h(x, y); l.append((x, y, l))\n",
	"import a as b, b.a\nfrom . import a\nfrom .a import *\nfrom .. import c as d\na.b.c(d)\n",
	"m.register_forward_hook(lambda *a: m.register_forward_hook(lambda *a: s.append(a)))\n",
	"import functools\nf = functools.partial(functools.partial, f)\nf(f)\nl.register_forward_hook(f)\n",
	"match x:\n    case {'a': [b, *c]}:\n        x = b\n    case _:\n        return\n",
	"try:\n    pass\nexcept* (A, B) as e:\n    l.append(e)\nelse:\n    pass\nfinally:\n    l.clear()\n",
	"with a as b, (c) as d, e:\n    l.append(b.backward(d))\n",
	"(x := y).append(x := x)\nlambda x=x: (yield x)\n",
	"x.loss.backward(retain_graph=True, *a, **k)\nx.step(lambda: x.step(x))\n",
}

func TestHard(t *testing.T) {
	for _, s := range hard {
		file, err := pysyntax.Parse("hard.py", []byte(s))
		if err != nil {
			t.Fatal(err)
		}
		if m := pyflow.NewIndex().Module(file); len(m.Functions) == 0 {
			t.Errorf("nothing is known of %q", s)
		}
	}
}

// What stands in one line a thousand times is gone through within the bounds.
func TestManyStatements(t *testing.T) {
	source := "import torch\nclass M(torch.nn.Module):\n    def forward(self, x):\n"
	for range 3000 {
		source += "        if x.any():\n            x = self.a(x, self.b(x))\n            self.c.append(x)\n        else:\n            x = x + x * x\n"
	}
	file, err := pysyntax.Parse("many.py", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	pyflow.NewIndex().Module(file)
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
}

// Files are looked at side by side: what one finds out must not reach another.
func TestSideBySide(t *testing.T) {
	paths, err := filepath.Glob("../../leaks/*/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatal("no files", err)
	}
	more, err := filepath.Glob("../lint/corpus/testdata/*/*.py")
	if err != nil || len(more) == 0 {
		t.Fatal("no files", err)
	}
	paths = append(paths, more...)
	x := pyflow.NewIndex()
	var files []*pysyntax.File
	for _, p := range paths {
		f, err := pysyntax.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		x.Add(f)
	}
	alone := make([]int, len(files))
	for i, f := range files {
		alone[i] = stores(x.Module(f))
	}
	var wg sync.WaitGroup
	for i, f := range files {
		wg.Go(func() {
			if n := stores(x.Module(f)); n != alone[i] {
				t.Errorf("%s: %d stores, %d when looked at alone", f.Path, n, alone[i])
			}
		})
	}
	wg.Wait()
}

func stores(m *pyflow.Module) int {
	n := 0
	for _, f := range m.Functions {
		n += len(f.Stores)
	}
	return n
}

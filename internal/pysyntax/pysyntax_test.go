package pysyntax

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGrammar fails when the grammar has a kind or field that this package has no word for.
func TestGrammar(t *testing.T) {
	g := load()
	for id := range g.language.NodeKindCount() {
		id := uint16(id)
		if g.language.NodeKindIsNamed(id) && g.language.NodeKindIsVisible(id) && g.kinds[id] == Other {
			t.Errorf("kind %q is unknown", g.language.NodeKindForId(id))
		}
	}
	for id := uint16(1); uint32(id) <= g.language.FieldCount(); id++ {
		if g.fields[id] == NoField {
			t.Errorf("field %q is unknown", g.language.FieldNameForId(id))
		}
	}
}

func mustParse(t *testing.T, source string) *File {
	t.Helper()
	f, err := Parse("t.py", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	checkTree(t, f)
	return f
}

// checkTree checks what the doc of Node promises.
func checkTree(t *testing.T, f *File) {
	t.Helper()
	for r := Ref(0); int(r) < f.Len(); r++ {
		n := f.Node(r)
		if n.Start > n.End || int(n.End) > len(f.Source) || n.After <= r || int(n.After) > f.Len() {
			t.Fatalf("node %d is %+v in a file of %d nodes and %d bytes", r, n, f.Len(), len(f.Source))
		}
		if r == None {
			continue
		}
		p := f.Node(n.Parent)
		if n.Parent >= r || n.After > p.After || n.Start < p.Start || n.End > p.End {
			t.Fatalf("node %d %+v stands outside its parent %+v", r, n, p)
		}
	}
}

func TestStatementsAt(t *testing.T) {
	files, err := filepath.Glob("testdata/statements/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f, err := ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			checkTree(t, f)
			var got, want []string
			for line := 1; line <= f.LineCount(); line++ {
				text := f.LineText(line)
				mark := strings.LastIndex(text, "#:")
				if mark < 0 {
					continue
				}
				want = append(want, fmt.Sprintf("%d: %s", line, strings.TrimSpace(text[mark+2:])))
				var kinds []string
				for _, r := range f.StatementsAt(line) {
					first, _ := f.Lines(r)
					kinds = append(kinds, fmt.Sprintf("%s %d", f.Kind(r), first-line))
				}
				got = append(got, fmt.Sprintf("%d: %s", line, strings.Join(kinds, ", ")))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSources(t *testing.T) {
	for _, c := range []struct{ name, source, code string }{
		{"plain", "feats.append(x)\n", "feats.append(x)"},
		{"no end of line", "feats.append(x)", "feats.append(x)"},
		{"byte order mark", "\ufefffeats.append(x)\n", "feats.append(x)"},
		{"windows", "import a\r\nfeats.append(x)\r\n", "feats.append(x)"},
		{"old macintosh", "import a\rfeats.append(x)\r", "feats.append(x)"},
		{"tabs", "def f():\n\tif a:\n\t\tfeats.append(x)\n", "feats.append(x)"},
		{"latin-1", "# -*- coding: latin-1 -*-\nfeats.append('gr\xfc\xdfe')\n", "feats.append('grüße')"},
		{"latin-1 name", "# coding=iso-8859-1\nfeats.append(gr\xfc\xdfe)\n", "feats.append(grüße)"},
		{"unknown bytes", "feats.append('\xff')\n", "feats.append('\ufffd')"},
		{"utf-8 name", "feats.append(größe)\n", "feats.append(größe)"},
		{"form feed", "\fimport a\n\ffeats.append(x)\n", "feats.append(x)"},
		{"continued", "feats. \\\n  append(x)\n", "feats. \\\n  append(x)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, c.source)
			if f.HasError {
				t.Error("it has a syntax error")
			}
			var code string
			for r := range f.Walk(None) {
				if f.Kind(r) == Call {
					code = f.Text(r)
				}
			}
			if code != c.code {
				t.Errorf("the call is %q, want %q", code, c.code)
			}
		})
	}
}

func TestErrorsAreLocal(t *testing.T) {
	f := mustParse(t, "def f[T=int](x):\n    return x\n\nfeats.append(x)\ny = = 3\nlast.append(z)\n")
	if !f.HasError {
		t.Error("no error was seen")
	}
	for _, line := range []int{4, 6} {
		if s := f.StatementsAt(line); len(s) != 1 || f.Kind(s[0]) != ExpressionStatement {
			t.Errorf("line %d: %v", line, s)
		}
	}
}

func TestBounds(t *testing.T) {
	if _, err := Parse("big.py", make([]byte, MaxSize+1)); err == nil || !strings.Contains(err.Error(), "larger than 4 MiB") {
		t.Errorf("too large a file: %v", err)
	}
	big := filepath.Join(t.TempDir(), "big.py")
	if err := os.WriteFile(big, make([]byte, MaxSize+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ParseFile(big); err == nil || !strings.Contains(err.Error(), "larger than 4 MiB") {
		t.Errorf("too large a file: %v", err)
	}
	if _, err := Parse("utf16.py", []byte("i\x00m\x00p\x00")); err == nil || !strings.Contains(err.Error(), "null bytes") {
		t.Errorf("UTF-16: %v", err)
	}
	const deep = 20000
	f := mustParse(t, "x = "+strings.Repeat("(", deep)+"1"+strings.Repeat(")", deep)+"\n")
	if f.Len() < deep {
		t.Errorf("%d nodes for %d brackets", f.Len(), deep)
	}
	var ladder strings.Builder
	for i := range 300 {
		fmt.Fprintf(&ladder, "%sif a:\n", strings.Repeat(" ", i))
	}
	mustParse(t, ladder.String()+strings.Repeat(" ", 300)+"pass\n")
}

func TestEnclosing(t *testing.T) {
	f := mustParse(t, `
class Model:
    kept = []
    @cache(key=lambda s: mark0)
    def forward(self, x, d=mark1):
        def inner():
            return mark2
        return [mark3 for _ in x]
f = lambda: mark4
mark5
`)
	want := map[string]string{
		"mark0": "<lambda>", "mark1": "", "mark2": "inner", "mark3": "forward of Model", "mark4": "<lambda>", "mark5": "",
	}
	got := map[string]string{}
	for r := range f.Walk(None) {
		if name := f.Text(r); f.Kind(r) == Identifier && strings.HasPrefix(name, "mark") {
			got[name] = ""
			if fn := f.Function(r); fn != None {
				got[name] = f.Name(fn)
				if c := f.Class(fn); c != None {
					got[name] += " of " + f.Name(c)
				}
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("\ufeffclass A:\r\n\tdef f(self):\r\n\t\tself.a += [x]; yield y\r\n"))
	f.Add([]byte("match x:\n case [a, *_] if a: l.append(a)\n case _: pass\n"))
	f.Add([]byte("x = f'{a!r:{w}}' \\\n + \xff\n@d\nasync def g(): await z\n"))
	f.Add([]byte("((((((\n]]]]\n\tif"))
	paths, _ := filepath.Glob("testdata/statements/*.py")
	for _, path := range paths {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 1<<16 {
			return
		}
		file, err := Parse("fuzz.py", source)
		if err != nil {
			return
		}
		checkTree(t, file)
		for line := range min(file.LineCount(), 200) + 2 {
			for _, r := range file.StatementsAt(line) {
				file.Text(r)
				file.Function(r)
			}
			file.LineText(line)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	source := []byte(strings.Repeat("def f(self, x):\n    for i in range(10):\n        self.out.append(g(x, k=i)[0].detach())\n", 1000))
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if _, err := Parse("b.py", source); err != nil {
			b.Fatal(err)
		}
	}
}

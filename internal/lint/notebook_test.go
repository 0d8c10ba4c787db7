package lint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// notebook makes a notebook of code cells; one that begins with "#md" is a text cell.
func notebookOf(cells ...string) []byte {
	var all []map[string]any
	for _, c := range cells {
		kind := "code"
		if strings.HasPrefix(c, "#md") {
			kind = "markdown"
		}
		all = append(all, map[string]any{"cell_type": kind, "source": strings.SplitAfter(c, "\n")})
	}
	text, _ := json.Marshal(map[string]any{"cells": all, "nbformat": 4, "metadata": map[string]any{}})
	return text
}

func TestNotebook(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	conf := `os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"`
	write("a.ipynb", notebookOf("import os, torch\n%matplotlib inline", "#md text", "!pip install x\nif True:\n    %time "+conf, "for x in\n", conf))
	write("three.ipynb", []byte(`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"code","input":"import os, torch\n`+strings.ReplaceAll(conf, `"`, `\"`)+`"}]}]}`))
	write("r.ipynb", []byte(`{"cells":[],"metadata":{"language_info":{"name":"R"}}}`))
	write("broken.ipynb", []byte(`{"cells":[`))
	write("list.ipynb", []byte(`[]`))
	write("null.ipynb", []byte(`null`))
	write("number.ipynb", []byte(`{"cells":[{"cell_type":"code","source":1}]}`))
	write("two.ipynb", notebookOf("x = 1", "import torch\nprint 'x'"))
	_, r := lint(t, dir, Options{})
	got := []string{}
	for _, f := range r.Report.Findings {
		got = append(got, fmt.Sprintf("%s cell %d:%d:%d %s %v", f.Location.File, f.Location.Cell, f.Location.Line, f.Location.Column, f.Rule, f.Location.Excerpt.Lines))
	}
	for _, s := range r.Report.Skipped {
		got = append(got, fmt.Sprintf("%s:%d %v: %s", s.File, s.Line, s.Whole, s.Reason))
	}
	want(t, got,
		"a.ipynb cell 3:3:11 TL305 [!pip install x if True:     %time "+conf+"]",
		"a.ipynb cell 5:1:1 TL305 ["+conf+"]",
		"three.ipynb cell 1:2:1 TL305 [import os, torch "+conf+"]",
		"a.ipynb:1 false: syntax error in cell 4, which was not checked",
		"broken.ipynb:0 true: it is no notebook: unexpected end of JSON input",
		"list.ipynb:0 true: it is no notebook: it holds one array",
		"null.ipynb:0 true: it is no notebook: it has no cells",
		"number.ipynb:0 true: it is no notebook: its \"cells.source\" is of the type number",
		"r.ipynb:0 true: it is a notebook in R",
		"two.ipynb:2 true: it is Python 2: cell 2 has a statement that Python 3 does not know",
	)
}

func TestMagics(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"line magic", "%matplotlib inline\nx = 1\n", "0                 \nx = 1\n"},
		{"shell", "!ls -l\n", "0     \n"},
		{"shell over lines", "!pip install \\\n  torch\nx = 1\n", "0             \n0      \nx = 1\n"},
		{"indented", "if x:\n    !ls\n", "if x:\n    0  \n"},
		{"runs the rest", "%time y = f()\n", "0    ;y = f()\n"},
		{"assigned", "files = !ls\nx = %sql select\n", "files = 0  \nx = 0          \n"},
		{"help", "torch.nn?\n?x\nx??\n", "0        \n0 \n0  \n"},
		{"cell of another language", "%%bash\necho a\n", "      \n      \n"},
		{"timed cell", "%%time\nx = f()\n", "0     \nx = f()\n"},
		{"modulo", "x = (7\n  % 3)\ny = a % b\n", "x = (7\n  % 3)\ny = a % b\n"},
		{"in a string", "x = '''\n%time\n!ls\n'''\n", "x = '''\n%time\n!ls\n'''\n"},
		{"joined line", "x = 7 \\\n  % 3\n", "x = 7 \\\n  % 3\n"},
		{"comparison", "x != y\nprint(a, '!b')\n", "x != y\nprint(a, '!b')\n"},
	} {
		if got := string(maskMagics([]byte(c.text))); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Masking keeps every byte at its place, and what is Python stays Python.
func FuzzMagics(f *testing.F) {
	for _, seed := range []string{"%time x\n", "!ls\n", "x = (\n%y\n)\n", "'''\n!x", "%%bash\nx", "a = !b \\\nc", "x?", "if x:\n  %y\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		masked := maskMagics(text)
		if len(masked) != len(text) || !bytes.Equal(keepLineEnds(masked), keepLineEnds(text)) {
			t.Fatalf("%q became %q", text, masked)
		}
		before, err := pysyntax.Parse("m.py", text)
		if err != nil || before.HasError {
			return
		}
		if after, err := pysyntax.Parse("m.py", masked); err != nil || after.HasError {
			t.Errorf("%q parses, %q does not", text, masked)
		}
	})
}

func keepLineEnds(text []byte) []byte {
	kept := bytes.Repeat([]byte{'x'}, len(text))
	for i, c := range text {
		if c == '\n' {
			kept[i] = c
		}
	}
	return kept
}

package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// leaking has a safe fix in lines 9 and 12, and one that is not in line 6.
const leaking = `import torch
from torch import nn

def train(model, loader, history, sums):
    for x in loader:
        model.zero_grad(set_to_none=False)
        loss = model(x).mean()
        loss.backward()
        history.append(loss)  # plotted
    for x in loader:
        loss = model(x).mean(); loss.backward()
        sums.append(loss)
`

func fixed(t *testing.T, opts Options, unsafe bool) *Fixed {
	t.Helper()
	f, err := Fix(opts, unsafe)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func stdin(text string) Options {
	return Options{Paths: []string{"-"}, Stdin: []byte(text), StdinName: "m.py"}
}

// However a file is written, only the fixed places change in it.
func TestFixKeeps(t *testing.T) {
	want := strings.NewReplacer("history.append(loss)", "history.append(loss.detach())", "sums.append(loss)", "sums.append(loss.detach())").Replace(leaking)
	for _, c := range []struct {
		name   string
		change func(string) string
	}{
		{"plain", func(s string) string { return s }},
		{"byte order mark", func(s string) string { return "\ufeff" + s }},
		{"Windows line ends", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
		{"both", func(s string) string { return "\ufeff" + strings.ReplaceAll(s, "\n", "\r\n") }},
		{"tabs", func(s string) string { return strings.ReplaceAll(s, "    ", "\t") }},
		{"no line end at the end", func(s string) string { return strings.TrimSuffix(s, "\n") }},
		{"Latin-1", func(s string) string {
			return "# coding: latin-1\n# caf\xe9\n" + strings.ReplaceAll(s, "plotted", "tr\xe8s")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fixed(t, stdin(c.change(leaking)), false)
			if len(f.Files) != 1 || f.Files[0].Fixes != 2 || len(f.Failed) > 0 {
				t.Fatalf("%d files, not fixed: %v", len(f.Files), f.Failed)
			}
			if got := string(f.Files[0].After); got != c.change(want) {
				t.Errorf("got %q", got)
			}
			if again := fixed(t, stdin(string(f.Files[0].After)), false); len(again.Files) > 0 {
				t.Errorf("fixing twice changes it:\n%s", again.Files[0].Diff)
			}
		})
	}
}

func TestFixUnsafe(t *testing.T) {
	f := fixed(t, stdin(leaking), true)
	if len(f.Files) != 1 || f.Files[0].Fixes != 3 || !strings.Contains(string(f.Files[0].After), "set_to_none=True") {
		t.Fatalf("%+v", f.Files)
	}
	for _, left := range f.Left.Report.Findings {
		if left.Name == "kept-loss" || left.Name == "zero-grad-set-to-none-false" {
			t.Errorf("line %d: %s is left", left.Location.Line, left.Name)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "m.py"), filepath.Join(dir, "link.py")
	if err := os.WriteFile(path, []byte(leaking), 0o741); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o741); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("m.py", link); err != nil {
		t.Fatal(err)
	}
	f := fixed(t, Options{Dir: dir, Paths: []string{"link.py"}}, false).Files[0]
	if err := f.Write(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != 0o741 {
		t.Errorf("the mode is %v %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link became %v %v", info.Mode(), err)
	}
	if err := f.Write(); err != nil {
		t.Errorf("writing what has been written by another name: %v", err)
	}
	if err := os.WriteFile(path, []byte("x = 1\n"), 0o741); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(); err == nil || !strings.Contains(err.Error(), "changed by somebody else") {
		t.Errorf("writing over what somebody changed: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}

// What its owner has protected from writing is not replaced, though its folder may be written.
func TestWriteProtected(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	path := filepath.Join(t.TempDir(), "m.py")
	if err := os.WriteFile(path, []byte(leaking), 0o400); err != nil {
		t.Fatal(err)
	}
	f := fixed(t, Options{Paths: []string{path}}, false).Files[0]
	if err := f.Write(); err == nil || !strings.Contains(err.Error(), "it is write-protected: permission denied") {
		t.Errorf("got %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != leaking {
		t.Errorf("it was changed: %v", err)
	}
}

// Whatever is fixed, what parsed before parses afterwards, and fixing again changes nothing.
func FuzzFix(f *testing.F) {
	f.Add(leaking)
	for _, pattern := range []string{"../rule/rules/*/*.md", "corpus/testdata/*/*.py"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for i, path := range paths {
			if filepath.Ext(path) == ".py" && i%5 != 0 {
				continue // a part of the corpus is enough to begin with
			}
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if filepath.Ext(path) == ".py" {
				f.Add(string(text))
				continue
			}
			for _, block := range strings.Split(string(text), "```py\n")[1:] {
				code, _, _ := strings.Cut(block, "```")
				f.Add(code)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		before, err := pysyntax.Parse("m.py", []byte(text))
		if err != nil || before.HasError || len(text) > 1<<14 {
			return
		}
		first := fixed(t, stdin(text), true)
		for _, why := range first.Failed {
			t.Errorf("%s\n%s", why, text)
		}
		if len(first.Files) == 0 {
			return
		}
		after, err := pysyntax.Parse("m.py", first.Files[0].After)
		if err != nil || after.HasError {
			t.Fatalf("the fixed source does not parse: %v\n%s", err, first.Files[0].Diff)
		}
		if again := fixed(t, stdin(string(first.Files[0].After)), true); len(again.Files) > 0 {
			t.Errorf("fixing twice changes it:\n%s\n%s", first.Files[0].Diff, again.Files[0].Diff)
		}
	})
}

package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// bad is a source with one finding, TL305 on line 2.
const bad = "import os, torch\nos.environ[\"PYTORCH_CUDA_ALLOC_CONF\"] = \"max_split_size_mb:64\"\n"

// tree writes the files of an archive and returns their folder. A file whose text is BAD gets the source with a
// finding.
func tree(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(f.Data), "BAD\n", bad)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// lint runs over paths below dir and returns the findings as "file:line rule".
func lint(t *testing.T, dir string, opts Options) (found []string, r *Result) {
	t.Helper()
	opts.Dir = dir
	if len(opts.Paths) == 0 {
		opts.Paths = []string{"."}
	}
	r, err := Run(opts)
	if err != nil {
		t.Fatal(err)
	}
	found = []string{}
	for _, f := range r.Report.Findings {
		found = append(found, fmt.Sprintf("%s:%d %s", f.Location.File, f.Location.Line, f.Rule))
	}
	return found, r
}

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if want == nil {
		want = []string{}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestDiscover(t *testing.T) {
	dir := tree(t, `
-- a.py --
BAD
-- deep/er/b.py --
BAD
-- notes.txt --
BAD
-- .hidden/c.py --
BAD
-- build/c.py --
BAD
-- node_modules/c.py --
BAD
-- lib/site-packages/c.py --
BAD
-- x.egg-info/c.py --
BAD
-- legacy/old.py --
BAD
`)
	found, _ := lint(t, dir, Options{})
	want(t, found, "a.py:2 TL305", "deep/er/b.py:2 TL305", "legacy/old.py:2 TL305")
	found, _ = lint(t, dir, Options{ExtendExclude: []string{"legacy", "deep/**/*.py"}})
	want(t, found, "a.py:2 TL305")
	found, _ = lint(t, dir, Options{Exclude: []string{"[ad]*"}})
	want(t, found, "build/c.py:2 TL305", "legacy/old.py:2 TL305", "lib/site-packages/c.py:2 TL305", "node_modules/c.py:2 TL305", "x.egg-info/c.py:2 TL305")

	t.Run("named", func(t *testing.T) {
		found, _ := lint(t, dir, Options{Paths: []string{"build", "build/c.py", "notes.txt"}})
		want(t, found, "build/c.py:2 TL305", "notes.txt:2 TL305")
		found, _ = lint(t, dir, Options{Paths: []string{"build/c.py", "a.py"}, ForceExclude: true})
		want(t, found, "a.py:2 TL305")
	})
	t.Run("absent", func(t *testing.T) {
		if _, err := Run(Options{Dir: dir, Paths: []string{"absent.py"}}); err == nil || err.Error() != "there is no absent.py" {
			t.Errorf("got %v", err)
		}
	})
}

func TestGitignore(t *testing.T) {
	dir := tree(t, `
-- .git/HEAD --
ref
-- .gitignore --
# made
/out
*.gen.py
!keep.gen.py
logs/
a/**/z.py
-- out/a.py --
BAD
-- deep/out/a.py --
BAD
-- x.gen.py --
BAD
-- keep.gen.py --
BAD
-- logs/a.py --
BAD
-- a/b/c/z.py --
BAD
-- inner/.gitignore --
!x.gen.py
-- inner/x.gen.py --
BAD
-- venv2/.gitignore --
*
-- venv2/a.py --
BAD
`)
	found, _ := lint(t, dir, Options{})
	want(t, found, "deep/out/a.py:2 TL305", "inner/x.gen.py:2 TL305", "keep.gen.py:2 TL305")
	found, _ = lint(t, dir, Options{Paths: []string{"out", "venv2/a.py"}}) // named: wanted all the same
	want(t, found, "out/a.py:2 TL305", "venv2/a.py:2 TL305")
}

func TestOddFiles(t *testing.T) {
	dir := tree(t, "-- good.py --\nBAD\n-- empty.py --\n-- sub/x.py --\nBAD\n")
	for _, err := range []error{
		os.Symlink("loop.py", filepath.Join(dir, "loop.py")),
		os.Symlink(".", filepath.Join(dir, "around")),
		os.Symlink("absent", filepath.Join(dir, "broken.py")),
		os.Symlink("good.py", filepath.Join(dir, "link.py")),
		syscall.Mkfifo(filepath.Join(dir, "pipe.py"), 0o600),
		os.Mkdir(filepath.Join(dir, "folder.py"), 0o700),
		os.WriteFile(filepath.Join(dir, "large.py"), []byte(strings.Repeat("import torch\n", 5<<20/13)), 0o600),
		os.WriteFile(filepath.Join(dir, "null.py"), []byte("import torch\x00\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "utf16.py"), []byte("\xff\xfei\x00m\x00"), 0o600),
		os.WriteFile(filepath.Join(dir, "bytes.py"), []byte("import os, torch # caf\xe9\n"+bad), 0o600),
		os.WriteFile(filepath.Join(dir, "latin.py"), []byte("# coding: latin-1\n# caf\xe9\n"+bad), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	found, r := lint(t, dir, Options{})
	want(t, found, "bytes.py:3 TL305", "good.py:2 TL305", "latin.py:4 TL305", "link.py:2 TL305", "sub/x.py:2 TL305")
	skipped := []string{}
	for _, s := range r.Report.Skipped {
		skipped = append(skipped, fmt.Sprintf("%s %v: %s", s.File, s.Whole, s.Reason))
	}
	want(t, skipped,
		"broken.py true: it cannot be read: no such file or directory",
		"bytes.py false: it is not UTF-8 and declares no encoding, so Python would not read it; it was checked byte by byte",
		"large.py true: it is larger than 4 MiB",
		"loop.py true: it cannot be read: too many levels of symbolic links",
		"null.py true: it holds null bytes, so it is no Python source in an 8-bit encoding",
		"pipe.py true: it is no regular file",
		"utf16.py true: it holds null bytes, so it is no Python source in an 8-bit encoding",
	)
}

func TestSyntax(t *testing.T) {
	dir := tree(t, `
-- broken.py --
import os, torch
def f(:
    pass
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:64"
-- two.py --
import torch
print "loss", loss.backward()
-- three.py --
import torch
print ("loss", 3)
print("a") if True else print("b")
exec ("1")
`)
	found, r := lint(t, dir, Options{})
	want(t, found, "broken.py:4 TL305")
	skipped := []string{}
	for _, s := range r.Report.Skipped {
		skipped = append(skipped, fmt.Sprintf("%s:%d %v: %s", s.File, s.Line, s.Whole, s.Reason))
	}
	want(t, skipped, "broken.py:2 false: syntax error; what could be read of the rest was checked",
		"two.py:2 true: it is Python 2: line 2 has a statement that Python 3 does not know")
}

func TestStdin(t *testing.T) {
	found, _ := lint(t, t.TempDir(), Options{Paths: []string{"-"}, Stdin: []byte(bad), StdinName: "pkg/mod.py"})
	want(t, found, "pkg/mod.py:2 TL305")
}

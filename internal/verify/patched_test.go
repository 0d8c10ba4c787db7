package verify

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPatched makes diffs of two texts, and the second text of the first and the diff.
func TestPatched(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"a line":             {"a\nb\nc\n", "a\nB\nc\n"},
		"first and last":     {"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n", "A\nb\nc\nd\ne\nf\ng\nh\ni\nJ\n"},
		"added":              {"a\nb\n", "x\na\nb\ny\n"},
		"taken out":          {"a\nb\nc\n", "a\nc\n"},
		"carriage returns":   {"a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"},
		"two kinds of lines": {"a\r\nb\nc\r\n", "a\r\nb\nC\nd\r\n"},
		"looks like a head":  {"a\n-- b\nc\n", "a\n++ b\nc\n"},
		"no end of line":     {"a\nb", "A\nb"},
		"byte order mark":    {"\ufeffa\nb\n", "\ufeffa\nB\n"},
		"tabs":               {"if a:\n\tb\n", "if a:\n\tB\n"},
		"Latin-1":            {"# coding: latin-1\n# caf\xe9\na\n", "# coding: latin-1\n# caf\xe9\nA # tr\xe8s\n"},
	} {
		f, err := pysyntax.Parse("x.py", []byte(c.before))
		if err != nil {
			t.Fatal(err)
		}
		text := patch.Unified(f, []byte(strings.TrimPrefix(c.after, "\ufeff")))
		dir := lay(t, map[string]string{"x.py": c.before})
		files, err := Patched([]byte(text), dir)
		if err != nil || len(files) != 1 || string(files[0].After) != c.after || string(files[0].Before) != c.before {
			t.Errorf("%s: %q, %v, want %q of\n%s", name, files, err, c.after, text)
		}
		if name == "two kinds of lines" {
			continue
		}
		for _, sent := range []string{strings.ReplaceAll(text, "\r\n", "\n"), strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")} {
			if files, err := Patched([]byte(sent), dir); err != nil || string(files[0].After) != c.after {
				t.Errorf("%s, with other ends of line: %q, %v, want %q", name, files, err, c.after)
			}
		}
		if _, err := Patched([]byte(text), lay(t, map[string]string{"x.py": "other\n"})); !errors.Is(err, ErrApart) {
			t.Errorf("%s: applied to another file: %v", name, err)
		}
	}
}

const (
	hunk  = "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
	heads = "--- a/x.py\n+++ b/x.py\n"
)

// What patches call their files: with a letter before it or without, by an absolute path, in a folder that is called as
// the letter is, quoted, in a mail, with dates.
func TestPatchedNames(t *testing.T) {
	dir := lay(t, map[string]string{"x.py": "a\nb\nc\n", "a/y.py": "a\nb\nc\n", "my x.py": "a\nb\nc\n", "café.py": "a\nb\nc\n"})
	if err := os.Symlink("x.py", filepath.Join(dir, "link.py")); err != nil {
		t.Fatal(err)
	}
	for text, path := range map[string]string{
		heads + hunk:                  "x.py",
		"--- x.py\n+++ x.py\n" + hunk: "x.py",
		"--- x.py.orig\t2026-11-30\n+++ x.py\t2026\n" + hunk:                                   "x.py",
		"--- a/y.py\n+++ b/y.py\n" + hunk:                                                      "", // there is no y.py, and no b/y.py
		"--- a/a/y.py\n+++ b/a/y.py\n" + hunk:                                                  "a/y.py",
		"diff --git a/a/y.py b/a/y.py\nindex 1..2 100644\n--- a/a/y.py\n+++ b/a/y.py\n" + hunk: "a/y.py",
		"--- a/my x.py\t\n+++ b/my x.py\t\n" + hunk:                                            "my x.py",
		"--- a/link.py\n+++ b/link.py\n" + hunk:                                                "link.py",
		"diff --git \"a/caf\\303\\251.py\" \"b/caf\\303\\251.py\"\n--- \"a/caf\\303\\251.py\"\n+++ \"b/caf\\303\\251.py\"\n" + hunk: "café.py",
		"--- " + dir + "/x.py\n+++ " + dir + "/x.py\n" + hunk:                                                                       "x.py",
		"From 1\nSubject: x\n\n---\n x.py | 2 +-\n\ndiff --git a/x.py b/x.py\n" + heads + hunk + "-- \n2.39.5\n\n":                  "x.py",
	} {
		files, err := Patched([]byte(text), dir)
		switch {
		case path == "":
			if !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%q: %v, want that it is not there", text, err)
			}
		case err != nil || len(files) != 1 || files[0].Path != filepath.Join(dir, path) || string(files[0].After) != "a\nB\nc\n":
			t.Errorf("%q: %q, %v, want %s", text, files, err, path)
		}
	}
}

// A patch that cannot be tried as a whole is refused before any run: the training as it is would be compared with itself.
func TestPatchedRefuses(t *testing.T) {
	dir := lay(t, map[string]string{"x.py": "a\nb\nc\n", "good.py": "def f():\n    return 1\n", "x.bin": "\x00"})
	for _, name := range []string{"link.py", "loop.py"} {
		target := map[string]string{"link.py": "x.py", "loop.py": "loop.py"}[name]
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, text string
		want       error
	}{
		{"empty", "", ErrNoDiff},
		{"prose", "take the append out\n", ErrNoDiff},
		{"no hunk", heads, ErrNoDiff},
		{"a hunk without figures", heads + "@@ here @@\n a\n-b\n+B\n c\n", ErrNoDiff},
		{"a hunk cut off", heads + "@@ -1,3 +1,3 @@\n a\n-b\n", ErrNoDiff},
		{"a part that is none", heads + hunk + "--- a/good.py\n+++ b/good.py\n", ErrNoDiff},
		{"a part that is none before", "--- a/good.py\n+++ b/good.py\n@@ x @@\n" + heads + hunk, ErrNoDiff},
		{"another tree", strings.ReplaceAll(heads, "x.py", "src/x.py") + hunk, os.ErrNotExist},
		{"other text", heads + "@@ -1,3 +1,3 @@\n a\n-d\n+D\n c\n", ErrApart},
		{"another line", heads + "@@ -2,3 +2,3 @@\n a\n-b\n+B\n c\n", ErrApart},
		{"nothing", heads + "@@ -1,3 +1,3 @@\n a\n-b\n+b\n c\n", ErrNoChange},
		{"a new file", "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,1 @@\n+a\n", ErrKind},
		{"a file taken out", "--- a/x.py\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-a\n-b\n-c\n", ErrKind},
		{"another name", "diff --git a/x.py b/y.py\nsimilarity index 100%\nrename from x.py\nrename to y.py\n", ErrKind},
		{"a mode", "diff --git a/x.py b/x.py\nold mode 100644\nnew mode 100755\n", ErrKind},
		{"binary", "diff --git a/x.bin b/x.bin\nindex 1..2 100644\nBinary files a/x.bin and b/x.bin differ\n", ErrKind},
		{"binary too", heads + hunk + "diff --git a/x.bin b/x.bin\nindex 1..2 100644\nBinary files a/x.bin and b/x.bin differ\n", ErrKind},
		{"twice", heads + hunk + heads + "@@ -3,1 +3,1 @@\n-c\n+C\n", ErrKind},
		{"twice by a link", heads + hunk + strings.ReplaceAll(heads, "x.py", "link.py") + hunk, ErrKind},
		{"a folder", "--- a/.\n+++ b/.\n" + hunk, ErrKind},
		{"a device", "--- /dev/zero\n+++ /dev/zero\n" + hunk, ErrKind},
		{"what is no Python", "--- a/good.py\n+++ b/good.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return (1\n", ErrBroken},
	} {
		if files, err := Patched([]byte(c.text), dir); !errors.Is(err, c.want) {
			t.Errorf("%s: %q, %v; want %v", c.name, files, err, c.want)
		}
	}
	if files, err := Patched([]byte(strings.ReplaceAll(heads, "x.py", "loop.py")+hunk), dir); err == nil {
		t.Errorf("a loop of links: %q", files)
	}
}

// A patch of what another one has made: what both change is one file, and both files are there.
func TestOnto(t *testing.T) {
	dir := lay(t, map[string]string{"x.py": "a\nb\nc\n", "y.py": "a\nb\nc\n"})
	first, err := Patched([]byte("--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,4 @@\n a\n b\n+b2\n c\n"), dir)
	if err != nil {
		t.Fatal(err)
	}
	const further = "--- a/x.py\n+++ b/x.py\n@@ -2,3 +2,3 @@\n b\n-b2\n+B2\n c\n" + "--- a/y.py\n+++ b/y.py\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
	both, err := Onto(first, []byte(further), dir)
	if err != nil || len(both) != 2 || string(both[0].Before) != "a\nb\nc\n" || string(both[0].After) != "a\nb\nB2\nc\n" || string(both[1].After) != "a\nB\nc\n" {
		t.Errorf("%q, %v", both, err)
	}
	if string(first[0].After) != "a\nb\nb2\nc\n" {
		t.Errorf("the first change became %q", first[0].After)
	}
	if _, err := Patched([]byte(further), dir); !errors.Is(err, ErrApart) {
		t.Errorf("without the first: %v", err)
	}
}

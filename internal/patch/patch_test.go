package patch

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
)

var patches = map[string]func(locate.Place, string) (Patch, error){
	"WrapValue":        WrapValue,
	"WrapGuarded":      WrapGuarded,
	"WrapStatementsIn": WrapStatementsIn,
	"AddDecorator":     AddDecorator,
	"RemoveKeyword":    RemoveKeyword,
}

// here is the place of the statement marked "# here".
func here(t *testing.T, source []byte) locate.Place {
	t.Helper()
	before, _, found := bytes.Cut(source, []byte("# here"))
	if !found {
		t.Fatal("no statement is marked")
	}
	line := bytes.Count(before, []byte("\n")) + 1
	l := locate.New(func(string) ([]byte, error) { return source, nil }, "/p")
	p, ok := l.At([]finding.Frame{{File: "/p/train.py", Line: line}})
	if !ok || !p.Readable() {
		t.Fatalf("no statement at line %d: %v", line, l.Warnings())
	}
	return p
}

// TestPatches reads archives whose comment is a function and its argument. They hold the source, and the source
// wanted or the error wanted. Files that end in .crlf get Windows line ends.
func TestPatches(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no test data", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name, argument, _ := strings.Cut(strings.TrimSpace(string(a.Comment)), " ")
			check(t, patches[name], argument, a)
		})
	}
}

func check(t *testing.T, do func(locate.Place, string) (Patch, error), argument string, a *txtar.Archive) {
	source, want := a.Files[0].Data, a.Files[1].Data
	if strings.HasSuffix(a.Files[0].Name, ".crlf") {
		source, want = windows(source), windows(want)
	}
	if strings.HasSuffix(a.Files[0].Name, ".open") { // the last line has no end
		source, want = bytes.TrimSuffix(source, []byte("\n")), bytes.TrimSuffix(want, []byte("\n"))
	}
	p, err := do(here(t, source), argument)
	if a.Files[1].Name == "error" {
		if err == nil {
			t.Fatalf("it gave\n%s", p.Source)
		}
		if d := cmp.Diff(strings.TrimSpace(string(want)), err.Error()); d != "" {
			t.Error(d)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(p.Source)); d != "" {
		t.Error(d)
	}
	applies(t, source, p)
	if again, err := do(here(t, p.Source), argument); !errors.Is(err, ErrUnchanged) {
		t.Errorf("fixing twice: %v\n%s", err, again.Diff)
	}
}

func windows(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }

// applies checks the diff with git, the tool that users will feed it to.
func applies(t *testing.T, source []byte, p Patch) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "train.py")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("git", "apply", "--unsafe-paths", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(p.Diff)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s%s", err, out, p.Diff)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(p.Source), string(got)); d != "" {
		t.Errorf("the diff gives another file: %s\n%s", d, p.Diff)
	}
}

func TestDiff(t *testing.T) {
	source := []byte("a = 1\nb = 2\nc = 3\nd = 4\nkept.append(x)  # here\nf = 6\n")
	p, err := WrapValue(here(t, source), ".detach()")
	if err != nil {
		t.Fatal(err)
	}
	want := `--- a/train.py
+++ b/train.py
@@ -2,5 +2,5 @@
 b = 2
 c = 3
 d = 4
-kept.append(x)  # here
+kept.append(x.detach())  # here
 f = 6
`
	if d := cmp.Diff(want, p.Diff); d != "" {
		t.Error(d)
	}
}

func TestUnreadable(t *testing.T) {
	for name, do := range patches {
		if _, err := do(locate.Place{}, "x"); err == nil || errors.Is(err, ErrUnchanged) {
			t.Errorf("%s of a place without source: %v", name, err)
		}
	}
}

func TestByteOrderMarkStays(t *testing.T) {
	p, err := WrapValue(here(t, []byte("\ufeffkept.append(x)  # here\n")), ".item()")
	if err != nil {
		t.Fatal(err)
	}
	if want := "\ufeffkept.append(x.item())  # here\n"; string(p.Source) != want {
		t.Errorf("%q, want %q", p.Source, want)
	}
}

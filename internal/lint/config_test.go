package lint

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestConfig(t *testing.T) {
	for _, c := range []struct{ name, toml, want string }{
		{"none", "[project]\nname = 'x'\n[tool.black]\nodd = 1", "a.py old/b.py"},
		{"select", "[tool.torchleak.lint]\nselect = ['TL1']", ""},
		{"by name", "[tool.torchleak.lint]\nselect = ['allocator-conf-against-leak']", "a.py old/b.py"},
		{"ignore", "[tool.torchleak.lint]\nignore = ['TL305']", ""},
		{"exclude", "[tool.torchleak.lint]\nextend-exclude = ['old']", "a.py"},
		{"exclude instead", "[tool.torchleak.lint]\nexclude = ['a.py']", "build/c.py old/b.py"},
		{"per file", "[tool.torchleak.lint.per-file-ignores]\n'old/*' = ['TL3']", "a.py"},
		{"per file by name", "[tool.torchleak.lint.per-file-ignores]\n'a.py' = ['ALL']", "old/b.py"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tree(t, "-- pyproject.toml --\n"+c.toml+"\n-- a.py --\nBAD\n-- old/b.py --\nBAD\n-- build/c.py --\nBAD\n")
			found, _ := lint(t, dir, Options{})
			for i, f := range found {
				found[i], _, _ = strings.Cut(f, ":")
			}
			want(t, []string{strings.Join(found, " ")}, c.want)
			if found, _ := lint(t, dir, Options{Isolated: true}); len(found) != 2 {
				t.Errorf("isolated, %v is found", found)
			}
		})
	}
}

func TestConfigNearest(t *testing.T) {
	dir := tree(t, `
-- pyproject.toml --
[tool.torchleak.lint]
ignore = ["TL305"]
fail-on = "any"
-- a.py --
BAD
-- pkg/pyproject.toml --
[tool.torchleak.lint]
fail-on = "never"
-- pkg/b.py --
BAD
-- other/pyproject.toml --
[tool.black]
-- other/c.py --
BAD
-- strict.toml --
[tool.torchleak.lint]
fail-on = "any"
`)
	found, r := lint(t, dir, Options{})
	want(t, found, "pkg/b.py:2 TL305")
	if r.Report.Findings[0].Fails {
		t.Error("it fails though the nearest configuration says never")
	}
	found, _ = lint(t, dir, Options{Select: []string{"TL305"}, Ignore: []string{"TL101"}})
	want(t, found, "pkg/b.py:2 TL305") // ignore of the file still holds for the others
	found, r = lint(t, dir, Options{Config: "strict.toml"})
	want(t, found, "a.py:2 TL305", "other/c.py:2 TL305", "pkg/b.py:2 TL305")
	if !r.Report.Findings[0].Fails {
		t.Error("it does not fail though the configuration named says any")
	}
}

func TestConfigErrors(t *testing.T) {
	for _, c := range []struct{ toml, want string }{
		{"[tool.torchleak.lint]\nselct = ['TL1']", `pyproject.toml:2: unknown key "lint.selct"`},
		{"[tool.torchleak]\n[tool.torchleak.lnt]", `pyproject.toml:2: unknown key "lnt"`},
		{"[tool.torchleak.lint]\n\nselect = ['TL1', 'TL999']", `pyproject.toml:3: there is no rule "TL999"`},
		{"[tool.torchleak.lint]\nfail-on = 'sometimes'", `pyproject.toml:2: fail-on is "sometimes"`},
		{"[tool.torchleak.lint]\nselect = 3", `pyproject.toml:2: tool.torchleak.lint.select is of the wrong type; [tool.torchleak.lint] takes select`},
		{"[[tool.torchleak.lint]]\nselect = ['TL1']", `pyproject.toml:1: tool.torchleak.lint is of the wrong type`},
		{"tool = 3", `pyproject.toml:1: tool is of the wrong type`},
		{"[tool.torchleak.lint]\nselect = ['TL1'", `pyproject.toml:`},
		{"[tool.torchleak.lint]\nextend-exclude = ['[a']", `pyproject.toml: the pattern "[a" opens a set`},
		{"[tool.torchleak.lint.per-file-ignores]\n'[]' = ['ALL']", `pyproject.toml: the pattern "[]" opens a set`},
		{"[tool.torchleak.lint.per-file-ignores]\n'x' = ['nothing']", `pyproject.toml:2: there is no rule "nothing"`},
	} {
		dir := tree(t, "-- pyproject.toml --\n"+c.toml+"\n-- a.py --\nBAD\n")
		_, err := Run(Options{Dir: dir, Paths: []string{"a.py"}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.toml, err, c.want)
		}
	}
	if _, err := Run(Options{Dir: t.TempDir(), Paths: []string{"."}, Exclude: []string{"[[]", `\[a`, "["}}); err == nil || !strings.Contains(err.Error(), `--exclude: the pattern "[" opens`) {
		t.Errorf("a set that does not end: %v", err)
	}
	if _, err := Run(Options{Dir: t.TempDir(), Paths: []string{"."}, Select: []string{"TL9"}}); err == nil || !strings.Contains(err.Error(), `--select: there is no rule "TL9"`) {
		t.Errorf("got %v", err)
	}
	dir := tree(t, "-- c.toml --\n[x]\n")
	for _, config := range []string{"c.toml", "absent.toml"} {
		if _, err := Run(Options{Dir: dir, Paths: []string{"."}, Config: config}); err == nil || !strings.Contains(err.Error(), config) {
			t.Errorf("%s: got %v", config, err)
		}
	}
}

// A pyproject.toml that is a pipe is refused, not waited for.
func TestConfigPipe(t *testing.T) {
	dir := tree(t, "-- a.py --\nBAD\n")
	if err := syscall.Mkfifo(filepath.Join(dir, "pyproject.toml"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(Options{Dir: dir, Paths: []string{"."}}); err == nil || !strings.Contains(err.Error(), "pyproject.toml: it is no regular file") {
		t.Errorf("got %v", err)
	}
}

// Of a folder that cannot be searched the configuration cannot be looked for; it is left out like any that cannot be read.
func TestConfigInClosedFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := tree(t, "-- a.py --\nBAD\n-- closed/b.py --\nBAD\n")
	closed := filepath.Join(dir, "closed")
	if err := os.Chmod(closed, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(closed, 0o700) })
	found, r := lint(t, dir, Options{})
	want(t, found, "a.py:2 TL305")
	if len(r.Report.Skipped) != 1 || r.Report.Skipped[0].File != "closed" || r.Report.Skipped[0].Named {
		t.Errorf("left out: %v", r.Report.Skipped)
	}
	if _, r = lint(t, dir, Options{Paths: []string{"closed"}}); len(r.Report.Skipped) != 1 || !r.Report.Skipped[0].Named {
		t.Errorf("named, left out: %v", r.Report.Skipped)
	}
}

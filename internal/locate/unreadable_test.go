package locate

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

// TestUnreadable checks that a statement whose source cannot be had is still named, and why its text is missing.
func TestUnreadable(t *testing.T) {
	for _, c := range []struct {
		name, path, source string
		err                error
		warning            string
	}{
		{"gone", "train.py", "", fs.ErrNotExist, "train.py is gone"},
		{"in an archive", "lib.zip/train.py", "", fs.ErrNotExist, "lib.zip/train.py is inside an archive"},
		{"no permission", "train.py", "", fs.ErrPermission, "reading train.py: permission denied"},
		{"not 8-bit", "train.py", "i\x00m\x00", nil, "null bytes"},
		{"too large", "train.py", strings.Repeat("#\n", 3<<20), nil, "larger than 4 MiB"},
		{"changed", "train.py", "import torch\n", nil, "no statement at line 7"},
		{"interactive", "<stdin>", "", errors.New("never asked for"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := project + "/" + c.path
			want := finding.Location{File: c.path, Line: 7, EndLine: 7}
			if strings.HasPrefix(c.path, "<") {
				path = c.path
			}
			l := New(func(p string) ([]byte, error) {
				if p == path {
					return []byte(c.source), c.err
				}
				return nil, fs.ErrNotExist
			}, project)
			frames := []finding.Frame{{File: path, Line: 7, Function: "train"}}
			h := evidence.Holder{Kind: "container", Path: "__main__.kept", Type: "list"}
			h.Scope = evidence.Scope{Kind: "global", Name: "kept", File: path}
			h.Writes = []evidence.Write{{Frames: frames, Count: 2}, {Frames: frames, Count: 1}, {}}
			places := l.Writes(h)
			if len(places) != 1 || places[0].Readable() || !places[0].Seen || places[0].Function != "train" {
				t.Fatalf("%+v", places)
			}
			if d := cmp.Diff(want, places[0].Location); d != "" {
				t.Error(d)
			}
			p, ok := l.At(frames)
			if d := cmp.Diff(want, p.Location); !ok || d != "" {
				t.Error(ok, d)
			}
			if _, ok := l.Evaluation(p); ok || l.Origin(p) != nil {
				t.Error("something was read from no source")
			}
			if got := l.Warnings(); len(got) > 1 || len(got) == 0 != (c.warning == "") || len(got) == 1 && !strings.Contains(got[0], c.warning) {
				t.Errorf("warnings %q, want %q", got, c.warning)
			}
		})
	}
}

func TestNothingSeen(t *testing.T) {
	l := New(func(string) ([]byte, error) { return nil, fs.ErrNotExist }, project)
	if p, ok := l.At(nil); ok {
		t.Errorf("a place without frames: %+v", p)
	}
	for _, kind := range []string{"container", "hooks", "slot", "cache", "exception", "cycle", "optimizer", "registry", "native", "unheard of"} {
		if p := l.Writes(evidence.Holder{Kind: kind}); len(p) != 0 {
			t.Errorf("%s: %+v", kind, p)
		}
	}
}

// TestOldSyntax checks that a file with parts that do not parse is used as far as it parses.
func TestOldSyntax(t *testing.T) {
	source := "kept = []\nx = = 1\nfor y in z:\n    kept.append(y)\n"
	l := New(func(path string) ([]byte, error) {
		if path == project+"/old.py" {
			return []byte(source), nil
		}
		return nil, fs.ErrNotExist
	}, project)
	h := evidence.Holder{Kind: "container", Type: "list"}
	h.Scope = evidence.Scope{Kind: "global", Name: "kept", File: project + "/old.py"}
	p := l.Writes(h)
	if len(p) != 1 || p[0].Location.Line != 4 {
		t.Errorf("%+v", p)
	}
	if w := l.Warnings(); len(w) != 1 || !strings.Contains(w[0], "do not parse") {
		t.Errorf("%q", w)
	}
}

func TestPaths(t *testing.T) {
	l := New(nil, project)
	for path, want := range map[string]bool{
		project + "/train.py": true,
		"/opt/shared/code.py": true,
		project + "/.venv/lib/python3.11/site-packages/a/b.py": false,
		"/usr/lib/python3/dist-packages/torch/nn/module.py":    false,
		"/usr/lib/python3.11/collections/__init__.py":          false,
		"<frozen importlib._bootstrap>":                        false,
		"":                                                     false,
	} {
		if got := l.user(path); got != want {
			t.Errorf("user(%q) = %v", path, got)
		}
	}
	inside := New(nil, "/opt/conda/lib/python3.11/site-packages/mine")
	if !inside.user("/opt/conda/lib/python3.11/site-packages/mine/train.py") {
		t.Error("code below the working directory is the user's wherever that lies")
	}
	if got := l.short("/home/ada/projects/a.py"); got != "/home/ada/projects/a.py" {
		t.Errorf("a sibling folder was shortened to %s", got)
	}
}

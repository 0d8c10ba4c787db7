package locate

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

// TestAsked reads archives whose comment is a holder and a question about it, and whose sources mark the answer with
// "# want"; no mark, no answer.
func TestAsked(t *testing.T) {
	archives(t, "asked", func(t *testing.T, a *txtar.Archive) {
		var in struct {
			evidence.Holder
			Ask      string
			Consider []string
			Most     int64 // entries of what is emptied
			Indexed  bool  // kept under the index asked for
			Passing  bool  // … until the iteration ends
		}
		if err := json.Unmarshal(a.Comment, &in); err != nil {
			t.Fatal(err)
		}
		l, files := load(a)
		l.Consider(append(in.Consider, in.Scope.File)...)
		ask, name, _ := strings.Cut(in.Ask, " ")
		var found Place
		ok := false
		switch ask {
		case "closes":
			if places := l.Closes(in.Holder); len(places) > 0 {
				found, ok = places[0], true
			}
		case "escape":
			found, ok = l.Escape(in.Holder)
		case "hidden":
			found, ok = l.Hidden(in.Holder)
		case "hoards":
			found, ok = l.Hoards(in.Holder)
		case "keeps":
			if kept := l.Keeps(in.Scope.Class, in.Scope.File); len(kept) > 0 {
				found, ok = kept[0].Place, true
				if kept[0].Holder.Path != in.Path || kept[0].Indexed != in.Indexed || kept[0].Passing != in.Passing {
					t.Errorf("held by %s, indexed %v, passing %v, want %s, %v, %v",
						kept[0].Holder.Path, kept[0].Indexed, kept[0].Passing, in.Path, in.Indexed, in.Passing)
				}
			}
		case "shares":
			kept, shared := l.Shares(in.Scope.Class, in.Scope.File)
			if found, ok = kept.Place, shared; kept.Holder.Path != in.Path {
				t.Errorf("held by %s, want %s", kept.Holder.Path, in.Path)
			}
		case "freezes":
			found, ok = l.Freezes()
		case "leaves":
			found.Location, ok = l.Leaves()
		case "region":
			found, ok = l.Region(name)
		case "periodic":
			found, ok = l.Periodic(4)
		case "starts":
			found, ok = l.Starts(in.Holder)
		case "empties":
			var at Emptying
			at, ok = l.Empties(in.Holder)
			found.Location = at.Location
			if at.Most != in.Most {
				t.Errorf("at most %d entries, want %d", at.Most, in.Most)
			}
		case "consumed":
			if got, want := l.Consumed(in.Holder), len(marked(files, "want")) > 0; got != want {
				t.Errorf("consumed: %v, want %v", got, want)
			}
			return
		default:
			t.Fatalf("nobody answers %q", in.Ask)
		}
		var got []string
		if ok {
			got = append(got, fmt.Sprintf("%s:%d: ", found.Location.File, found.Location.Line))
		}
		if d := cmp.Diff(marked(files, "want"), got); d != "" {
			t.Error(d)
		}
	})
}

func TestExcerpt(t *testing.T) {
	source := "import torch\n\n\ndef f(kept):\n    for i in range(3):\n        kept.append(\n            i)\n"
	l := New(func(string) ([]byte, error) { return []byte(source), nil }, "")
	l.Consider("a.py")
	p, _ := l.At([]finding.Frame{{File: "a.py", Line: 6, Function: "f"}})
	want := &finding.Excerpt{Line: 3, Lines: []string{
		"", "def f(kept):", "    for i in range(3):", "        kept.append(", "            i)",
	}}
	if d := cmp.Diff(want, p.Excerpt()); d != "" {
		t.Error(d)
	}
	if e := (Place{}).Excerpt(); e != nil {
		t.Error(e)
	}
}

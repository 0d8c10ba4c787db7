package rule

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// A bound is never lower than what is read in sight.
func TestAtLeast(t *testing.T) {
	for _, test := range []struct{ reader, want string }{
		{"print(losses[-25:])", "25"},
		{"print(np.concatenate(losses)[-1600:].mean())", "1600"}, // an entry has a row at least
		{"print(np.concatenate(losses, 1)[-1600:].mean())", "8"}, // these are no rows of entries
		{"print(np.concatenate(losses).mean())", "8"},            // all: nobody says how many
		{"print(list(losses)[-25:], np.stack(losses))", "25"},
	} {
		file := parsed(t, ofVariable+"    "+test.reader+"\n")
		reads, _ := readsOf(kept{file: file, path: "losses", local: true, function: firstFunction(file)}, nil)
		if got := reads.atLeast(FewEntries); got != test.want {
			t.Errorf("read by %q: %s, not %s", test.reader, got, test.want)
		}
	}
	if got := (Reads{Span: "self.window", Newest: 1}).atLeast(FewEntries); got != "max(self.window, 8)" {
		t.Error(got)
	}
}

func firstFunction(f *pysyntax.File) pysyntax.Ref {
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) == pysyntax.FunctionDefinition {
			return r
		}
	}
	return pysyntax.None
}

// What is part of a variable of the script is read by nobody out of sight.
func TestPartOfScript(t *testing.T) {
	for _, test := range []struct {
		path, variable string
		want           bool
	}{
		{"__main__.trainer.losses", "trainer", true},
		{"__main__.trainer.losses", "other", false}, // made in another file
		{"lib.trainer.losses", "trainer", false},    // a module that anybody may import
	} {
		file := parsed(t, strings.Replace(ofAttribute, "[\"train\"]", "", 1)+"\n"+test.variable+" = Trainer(None)\n")
		c := &Case{Place: locate.Place{File: file}, Holder: &evidence.Holder{Path: test.path}}
		if got := c.ofScript(); got != test.want {
			t.Errorf("%s beside %s: %v", test.path, test.variable, got)
		}
	}
}

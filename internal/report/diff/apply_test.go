package diff_test

import (
	"errors"
	"testing"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/report/diff"
)

// TestApply makes diffs of two texts, and the second text of the first and the diff.
func TestApply(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"a line":            {"a\nb\nc\n", "a\nB\nc\n"},
		"first and last":    {"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n", "A\nb\nc\nd\ne\nf\ng\nh\ni\nJ\n"},
		"added":             {"a\nb\n", "x\na\nb\ny\n"},
		"taken out":         {"a\nb\nc\n", "a\nc\n"},
		"carriage returns":  {"a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"},
		"looks like a head": {"a\n-- b\nc\n", "a\n++ b\nc\n"},
		"no end of line":    {"a\nb", "A\nb"},
	} {
		f, err := pysyntax.Parse("x.py", []byte(c.before))
		if err != nil {
			t.Fatal(err)
		}
		text := patch.Unified(f, []byte(c.after))
		got, err := diff.Apply(text, "x.py", []byte(c.before))
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %q, %v, want %q of\n%s", name, got, err, c.after, text)
		}
		if _, err := diff.Apply(text, "x.py", []byte("other\n")); !errors.Is(err, diff.ErrApart) {
			t.Errorf("%s: applied to another file: %v", name, err)
		}
	}
}

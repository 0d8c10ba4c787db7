package patch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// A checker says what Apply says, of every edit that a text can take. It may refuse more only where what is left of a
// statement makes one with the statement behind it.
func TestCheckerSaysWhatApplySays(t *testing.T) {
	for _, text := range []string{
		"import torch\n\n@torch.no_grad()\ndef f(x):\n    return (x,\n1)\nclass A:\n    x = 1; y = 2\nz = '''\nq = 1\n'''; w = 3\nif z:\n    w = 4\nelse:\n    w = 5\n",
		"# head\r\nx = 1\r\ndef f():\r\n    pass",
	} {
		f, err := pysyntax.Parse("train.py", []byte(text))
		if err != nil || f.HasError {
			t.Fatal(err)
		}
		c := NewChecker(f)
		for start := range len(text) {
			for _, length := range []int{0, 1, 7, 40} {
				for _, put := range []string{"", "import os\n", "    pass\n", "(", "x = 1", "else:\n    pass\n"} {
					edits := []Edit{{uint32(start), uint32(min(start+length, len(text))), put}}
					if start%3 == 0 && start > 0 {
						edits = append(edits, Edit{0, 0, "import json\n"})
					}
					c.left = 1 << 20
					diff, err := c.Diff(edits)
					p, want := Apply(f, slices.Clone(edits))
					if merges := length == 40 && err != nil && want == nil; merges {
						continue
					}
					if fmt.Sprint(err) != fmt.Sprint(want) || diff != p.Diff {
						t.Fatalf("%+v:\n%v\n%s\nApply:\n%v\n%s", edits, err, diff, want, p.Raw)
					}
				}
			}
		}
	}
}

// What a file's fixes may cost is bounded where all of it is one statement.
func TestCheckerEnds(t *testing.T) {
	text := "class A:\n" + strings.Repeat("    def f(self): pass\n", 50000)
	f, err := pysyntax.Parse("train.py", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c := NewChecker(f)
	for n := 0; ; n++ {
		at := uint32(len("class A:\n"))
		if _, err := c.Diff([]Edit{{at, at, "    x = 1\n"}}); errors.Is(err, ErrSpent) && n > 1 {
			return
		} else if err != nil || n > 20 {
			t.Fatalf("after %d: %v", n, err)
		}
	}
}

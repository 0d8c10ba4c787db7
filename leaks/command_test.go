package leaks

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Cases run in folders of their own: what is named from here must be found from there.
func TestParseNamesPythonsFromAnywhere(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse("score", "docs/accuracy.md", []string{"--python", "python3", "--python", "venv/bin/python", "--python", "/opt/bin/python"})
	want := []string{"python3", filepath.Join(here, "venv/bin/python"), "/opt/bin/python"}
	if err != nil || !slices.Equal(c.Pythons, want) || c.Python != want[2] {
		t.Errorf("%v, %v; want %v", c.Pythons, err, want)
	}
}

func TestTail(t *testing.T) {
	for said, want := range map[string]string{
		"": "", "one\n": "one", "first\nlast\n": "last",
		"torchleak: memory does not grow\n           Give it more steps.\n": "torchleak: memory does not grow",
		"  File \"x.py\", line 1\nValueError: no\n":                         "ValueError: no",
		"  only\n": "only",
	} {
		if got := Tail(said); got != want {
			t.Errorf("of %q it is %q, want %q", said, got, want)
		}
	}
}

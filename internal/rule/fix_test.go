package rule

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
)

func TestWrappable(t *testing.T) {
	for value, want := range map[string]bool{
		"loss":                 true,
		"output[0]":            true,
		"f(a, b)":              true,
		"(loss * n)":           true,
		"self.model(x, y=[1])": true,
		"":                     false,
		"{'loss': loss}":       false,
		"[a, b]":               false,
		"a, b":                 false,
		"(a, b)":               false,
		`"text"`:               false,
		"lambda m: m":          false,
	} {
		if got := Wrappable(value); got != want {
			t.Errorf("Wrappable(%q) = %v", value, got)
		}
	}
}

func TestNothingIsWrappedForAPackage(t *testing.T) {
	for file, want := range map[string]bool{
		"/opt/venv/lib/python3.11/site-packages/trainer/loop.py": true,
		"/usr/lib/python3/dist-packages/trainer/loop.py":         true,
		"/home/ada/train.py": false,
	} {
		c := Case{Holder: &evidence.Holder{Scope: evidence.Scope{Kind: "local", Name: "outputs", File: file}}}
		if got := c.keptByPackage(); got != want {
			t.Errorf("%s: %v", file, got)
		}
		c.Holder.Scope.Kind = "attribute"
		if c.keptByPackage() {
			t.Errorf("%s: an attribute may be written by the user", file)
		}
	}
}

// What a backward pass reads keeps its graph until then: a list is emptied, a name for one tensor has nothing to empty.
func TestWrapConsumed(t *testing.T) {
	for kind, want := range map[string]string{"container": ".clear()", "slot": ".detach()"} {
		c := &Case{Consumed: true, Holder: &evidence.Holder{Kind: kind, Path: "main() local kept"}}
		fix := WrapStored(c, "Keep it without its graph.", ".item()", true)
		if !strings.Contains(fix.Summary, want) || !fix.Alone || fix.Diff != "" {
			t.Errorf("%s: %+v", kind, fix)
		}
	}
}

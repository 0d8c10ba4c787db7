package rule

import "testing"

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

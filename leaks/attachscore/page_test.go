package main

import (
	"slices"
	"testing"
)

// A run renews the section of its Python, and leaves those of others.
func TestSections(t *testing.T) {
	old, other := "\n## Python 3.8.1, torch 1.13, by gdb\n\nold\n", "\n## Python 3.14.8, torch 2.15, by remote\n\nother\n"
	made := "\n## Python 3.8.1, torch 2.4, by gdb\n\nnew\n"
	if got := sections([]byte("# Accuracy\n\nhead\n"+old+other), made); !slices.Equal(got, []string{other, made}) {
		t.Errorf("got %q", got)
	}
	if got := sections(nil, made); !slices.Equal(got, []string{made}) {
		t.Errorf("of no page: got %q", got)
	}
}

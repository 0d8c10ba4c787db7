package diagnose

import (
	"strings"
	"testing"
)

// Of a long path the beginning and the last name are shown; one that has no names to leave out stays.
func TestShortPath(t *testing.T) {
	long := "__main__.search.root" + strings.Repeat(".children[0]", 40) + ".state"
	for path, want := range map[string]string{
		"__main__.log.kept":                 "__main__.log.kept",
		long:                                "__main__.search.root.children[0].children[0].children[0].…state",
		"d" + strings.Repeat("['key']", 40): "d" + strings.Repeat("['key']", 40),
	} {
		if got := shortPath(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

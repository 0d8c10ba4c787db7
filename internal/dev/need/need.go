// Package need says what becomes of a test whose machine lacks something.
package need

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Lacks ends a test whose machine lacks what is named: it is skipped, or fails where TORCHLEAK_REQUIRE, a list with
// commas, names that.
func Lacks(t testing.TB, name, why string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("TORCHLEAK_REQUIRE"), ","), name) {
		t.Fatalf("%s, and TORCHLEAK_REQUIRE asks for %s", why, name)
	}
	t.Skip(why)
}

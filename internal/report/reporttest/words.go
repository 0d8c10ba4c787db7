package reporttest

import (
	"regexp"
	"testing"

	"github.com/torchleak/torchleak/internal/report/phrase"
)

var said = regexp.MustCompile(`say\("([a-z._]+)"`)

// Words fails the test unless the words handed to a page's script are those that it asks for, no more and no fewer, and a
// language knows each. computed are those whose names the script puts together.
func Words(t *testing.T, script string, words []phrase.Key, computed ...string) {
	t.Helper()
	asked := map[string]bool{}
	for _, key := range computed {
		asked[key] = true
	}
	for _, found := range said.FindAllStringSubmatch(script, -1) {
		asked[found[1]] = true
	}
	for _, key := range words {
		if !asked[string(key)] {
			t.Errorf("the script does not say %s", key)
		}
		delete(asked, string(key))
		if phrase.In("en").Say(key) == string(key) {
			t.Errorf("no language knows %s", key)
		}
	}
	for key := range asked {
		t.Errorf("the script says %s, which the page does not give it", key)
	}
}

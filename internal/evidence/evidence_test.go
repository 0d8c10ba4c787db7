package evidence_test

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/evidence"
)

func read(t *testing.T, text string) *evidence.Evidence {
	t.Helper()
	e, err := evidence.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestOldFilesSayItInNotes(t *testing.T) {
	old := read(t, `{"evidence": 1, "period": 5, "phases": [{"phase": "rest", "bytes": 1}], "notes": [
		"the search from the program's names ran out of time", "evidence is incomplete: KeyError: 3"]}`)
	if !old.Truncated || old.Failed != "KeyError: 3" || old.WatchSteps != 5 {
		t.Errorf("truncated %v, failed %q, %d steps watched", old.Truncated, old.Failed, old.WatchSteps)
	}
	if failed := read(t, `{"evidence": 1, "notes": ["gathering evidence failed: OSError: full"]}`).Failed; failed != "OSError: full" {
		t.Errorf("failed %q", failed)
	}
}

func TestFieldsSpeakForThemselves(t *testing.T) {
	e := read(t, `{"evidence": 1, "period": 5, "failed": "", "search_truncated": false, "watch_steps": 7,
		"phases": [{"phase": "rest", "bytes": 1}], "notes": ["the user's own search ran out of time"]}`)
	if e.Truncated || e.Failed != "" || e.WatchSteps != 7 {
		t.Errorf("truncated %v, failed %q, %d steps watched", e.Truncated, e.Failed, e.WatchSteps)
	}
	if e := read(t, `{"evidence": 1, "failed": "OSError", "search_truncated": true}`); !e.Truncated || e.Failed != "OSError" || e.WatchSteps != 0 {
		t.Errorf("truncated %v, failed %q, %d steps watched", e.Truncated, e.Failed, e.WatchSteps)
	}
}

func TestOtherVersionsAndNoJSON(t *testing.T) {
	for _, text := range []string{`{"evidence": 2}`, `{"evidence": 1`, ``} {
		if _, err := evidence.Read(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

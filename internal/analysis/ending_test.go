package analysis

import (
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
)

// A signal is told by its name, or by its number where it has none.
func TestKilledBy(t *testing.T) {
	for name, want := range map[string]string{"SIGKILL": "SIGKILL", "": "signal 35"} {
		p := New(recording.Hello{}, Options{})
		p.Ended(recording.End{Signal: 35, Name: name, Status: 163})
		if end := p.ending(recording.Run{}); end == nil || end.How != finding.Killed || end.Signal != want {
			t.Errorf("named %q: %+v", name, end)
		}
	}
}

package analysis

import (
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
)

// Of the programs of one process the last is reported, and says where the one before it ended.
func TestCollectionOfReplacedPrograms(t *testing.T) {
	var c Collection
	for i, pid := range []int{7, 8, 7} {
		r := finding.Report{}
		r.Steps.Seen = int64(10 * (i + 1))
		c.Add(recording.Hello{PID: pid}, r)
	}
	if len(c.Reports) != 2 || c.Reports[0].Steps.Seen != 30 || c.Reports[1].Steps.Seen != 20 {
		t.Fatalf("%+v", c.Reports)
	}
	if notes := c.Reports[0].Notes; len(notes) != 1 || !strings.Contains(notes[0], "after step 10,") {
		t.Errorf("notes %q", notes)
	}
	if notes := c.Reports[1].Notes; len(notes) != 0 {
		t.Errorf("notes of another process: %q", notes)
	}
}

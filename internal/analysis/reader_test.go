package analysis

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/recording/recordingtest"
)

// A reader that has seen a recording grow says what one says that reads the whole, and reads the beginning once.
func TestReader(t *testing.T) {
	path, now := t.TempDir(), time.Now()
	training, err := recordingtest.New(path, 4242, 0, now)
	if err == nil {
		err = recordingtest.Start(path, nil, now)
	}
	if err != nil {
		t.Fatal(err)
	}
	training.Growth = 1 << 20
	dir := recording.Dir{Path: path}
	r := Read(dir)
	defer r.Close()
	for range 5 {
		now = now.Add(time.Second)
		if err := training.Steps(40, now); err != nil {
			t.Fatal(err)
		}
		got, warnings := r.Reports(finding.Tool{})
		whole, _ := Recording(dir, finding.Tool{})
		if len(warnings) > 0 || len(got) != 1 || got[0].Steps.Seen != training.Step {
			t.Fatalf("after %d steps: %+v, %v", training.Step, got, warnings)
		}
		if diff := cmp.Diff(whole, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("after %d steps:\n%s", training.Step, diff)
		}
	}
	// What was read is not read again: without the first half one that begins anew says something else.
	before, _ := r.Reports(finding.Tool{})
	flightFile, err := os.OpenFile(filepath.Join(path, "4242-1.flight"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := flightFile.WriteAt(make([]byte, 100*flight.RecordSize), flight.HeaderSize); err != nil {
		t.Fatal(err)
	}
	flightFile.Close()
	after, _ := r.Reports(finding.Tool{})
	anew, _ := Recording(dir, finding.Tool{})
	if diff := cmp.Diff(before, after, cmpopts.EquateEmpty()); diff != "" {
		t.Error("it has read the beginning again:\n" + diff)
	}
	if cmp.Equal(before, anew, cmpopts.EquateEmpty()) {
		t.Error("the beginning says nothing: this test proves nothing")
	}
}

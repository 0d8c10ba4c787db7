package analysis

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
)

func TestNoteOnHeap(t *testing.T) {
	for source, want := range map[string]string{
		"mallinfo2":                    "",
		"none: the heap is jemalloc's": "the host heap cannot be read (the heap is jemalloc's)",
	} {
		got := strings.Join(New(recording.Hello{HeapSource: source}, Options{}).notes(), "\n")
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%s: notes %q", source, got)
		}
	}
}

// A ring of 64 that has seen 100 records holds the last 64: those before were never read.
func TestNoteOnLostRecords(t *testing.T) {
	dir := record(t)
	for written, want := range map[uint64]bool{steps: false, 100: true} {
		patch(t, dir, 32, string(binary.LittleEndian.AppendUint64(nil, written)))
		reports, _ := Recording(recording.Dir{Path: dir}, finding.Tool{})
		if len(reports) != 1 {
			t.Fatalf("%d reports", len(reports))
		}
		notes := strings.Join(reports[0].Notes, "\n")
		if said := strings.Contains(notes, "records lost"); said != want {
			t.Errorf("%d written: notes %q", written, notes)
		}
	}
}

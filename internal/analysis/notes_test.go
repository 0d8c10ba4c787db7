package analysis

import (
	"encoding/binary"
	"slices"
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

// An answer without a file could not be written; one error is no errors.
func TestNotesOnTheProbe(t *testing.T) {
	for _, c := range []struct {
		errors, answered, file string
		want                   []string
	}{
		{"\x00", "\x00", "", nil},
		{"\x01", "\x00", "", []string{"the probe met an error of its own"}},
		{"\x02", "\x01", "", []string{"the probe could not write the evidence", "the probe met 2 errors of its own"}},
		{"\x00", "\x01", "{", nil}, // there is one: that it is broken is a warning
	} {
		dir := record(t)
		patch(t, dir, 88, c.errors+"\x00\x00\x00"+c.answered)
		if c.file != "" {
			write(t, dir, evidenceFile, c.file)
		}
		reports, _ := Recording(recording.Dir{Path: dir}, finding.Tool{})
		if len(reports) != 1 {
			t.Fatalf("%d reports", len(reports))
		}
		notes := slices.DeleteFunc(reports[0].Notes, func(n string) bool { return !strings.HasPrefix(n, "the probe") })
		if len(notes) != len(c.want) {
			t.Fatalf("notes %q, want %q", notes, c.want)
		}
		for i, want := range c.want {
			if !strings.HasPrefix(notes[i], want) {
				t.Errorf("note %q, want %q", notes[i], want)
			}
		}
	}
}

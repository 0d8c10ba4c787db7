package residence

import (
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// TestLives adds up the lives of real snapshots: their highest level is the peak, and what lives at the end is what the
// segments show in use.
func TestLives(t *testing.T) {
	paths, err := filepath.Glob("../snapshot/testdata/*.pickle.gz")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no snapshots: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			s, err := snapshot.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			summaries, err := Summarize(s, "end")
			if err != nil {
				t.Fatal(err)
			}
			for i, d := range s.Devices {
				changes := make([]int64, d.To-d.From+1)
				var level, peak, atEnd int64
				for _, l := range Lives(s, d) {
					if l.Died == d.To {
						atEnd += int64(l.Size)
					} else {
						changes[l.Died-d.From] -= int64(l.Size)
					}
					if l.Born < 0 {
						level += int64(l.Size)
					} else {
						changes[l.Born-d.From] += int64(l.Size)
					}
				}
				for _, c := range changes {
					level += c
					peak = max(peak, level)
				}
				if level != atEnd || atEnd != summaries[i].Active {
					t.Errorf("device %d: %d at the end by changes, %d by lives, %d in use", d.Index, level, atEnd, summaries[i].Active)
				}
				// Blocks that live on have their true size, up to 1 MiB more than was asked for.
				if want := summaries[i].PeakAllocated; summaries[i].Events > 0 && (peak < want*99/100 || peak > want*101/100) {
					t.Errorf("device %d: the peak is %d, want %d", d.Index, peak, want)
				}
			}
		})
	}
}

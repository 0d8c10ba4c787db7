package residence

import (
	"bytes"
	"testing"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// FuzzSummarize reads anything that passes for a snapshot, shows it, compares it with itself and cuts it.
func FuzzSummarize(f *testing.F) {
	for _, name := range []string{"val", "varlen_expandable"} {
		s := open(f, name)
		if err := Cut(s, "0", "30"); err != nil {
			f.Fatal(err)
		}
		var seed bytes.Buffer
		if err := s.Write(&seed, 4); err != nil {
			f.Fatal(err)
		}
		f.Add(seed.Bytes(), uint16(10))
	}
	f.Fuzz(func(t *testing.T, data []byte, event uint16) {
		s, err := snapshot.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, at := range []string{"end", "peak", "last", "step:1", itoa(int(event))} {
			all, err := Summarize(s, at)
			if _, other := Draw(s, at); (err == nil) != (other == nil) {
				t.Errorf("at %s it can be shown or drawn, not both: %v, %v", at, err, other)
			}
			for i := range all {
				if err == nil && (all[i].Active < all[i].Allocated || all[i].Free.Largest > all[i].Free.Bytes) && all[i].Reserved < 1<<62 {
					t.Errorf("at %s %+v", at, all[i])
				}
			}
		}
		d, err := Compare(2, func(int) (*snapshot.Snapshot, error) { return s, nil }, "end")
		for _, c := range d.Sites {
			if err == nil && (c.Bytes != 0 || c.Count != 0) {
				t.Errorf("it differs from itself by %+v", c)
			}
		}
		if err := Cut(s, "0", itoa(int(event))); err == nil {
			var out bytes.Buffer
			if err := s.Write(&out, 2); err != nil {
				t.Fatal(err)
			}
			if _, err := snapshot.Read(&out); err != nil {
				t.Fatalf("a part of it cannot be read: %v", err)
			}
		}
	})
}

package recording

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
)

func write(t *testing.T, limit, n int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "1-1.samples")
	w, err := NewSampleWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	w.limit = limit
	for i := 1; i <= n; i++ {
		raw := make([]byte, flight.RecordSize)
		flight.Encode(raw, uint64(i), i%2, &memory.Sample{Step: int64((i + 1) / 2)})
		if err := w.Add(flight.Record{Number: uint64(i), Raw: raw}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSamplesStayBounded(t *testing.T) {
	const limit, n = 1000, 100_000
	path := write(t, limit, n)
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64((limit + 1) * flight.RecordSize); st.Size() > most {
		t.Errorf("%d bytes for %d samples, more than %d", st.Size(), n, most)
	}
	var steps []int64
	var r samplesReader
	err = r.next(path, []string{"host", "cuda:0"}, func(rec flight.Record) { steps = append(steps, rec.Sample.Step) })
	if err != nil || r.last != n {
		t.Fatalf("last %d, %v", r.last, err)
	}
	// The recent past is whole: the last 200 records are 100 steps of two memories.
	for i, step := range steps[len(steps)-200:] {
		if want := int64(n/2 - 99 + i/2); step != want {
			t.Fatalf("record %d from the end: step %d, want %d", 200-i, step, want)
		}
	}
	if steps[0] > 2 {
		t.Errorf("the beginning was lost: first step %d", steps[0])
	}
}

func TestSamplesTornEnd(t *testing.T) {
	path := write(t, 1000, 10)
	if err := os.Truncate(path, flight.RecordSize*6+50); err != nil {
		t.Fatal(err)
	}
	n := 0
	var r samplesReader
	if err := r.next(path, []string{"host", "cuda:0"}, func(flight.Record) { n++ }); err != nil || n != 5 || r.last != 5 {
		t.Fatalf("%d samples, last %d, %v", n, r.last, err)
	}
}

// What is read as it grows is what is read at the end, also when the file is thinned in between.
func TestSamplesAsTheyCome(t *testing.T) {
	path := filepath.Join(t.TempDir(), "1-1.samples")
	w, err := NewSampleWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	w.limit = 100
	var r samplesReader
	next := uint64(1)
	for i := uint64(1); i <= 1000; i++ {
		raw := make([]byte, flight.RecordSize)
		flight.Encode(raw, i, 0, &memory.Sample{Step: int64(i)})
		if err := w.Add(flight.Record{Number: i, Raw: raw}); err != nil {
			t.Fatal(err)
		}
		if i%7 != 0 {
			continue
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := r.next(path, []string{"host"}, func(rec flight.Record) {
			if rec.Number != next {
				t.Fatalf("record %d, want %d", rec.Number, next)
			}
			next++
		}); err != nil {
			t.Fatal(err)
		}
		if next != i+1 {
			t.Fatalf("read up to %d of %d", next-1, i)
		}
	}
}

// A file whose head is not all written yet is one that is being made; one with another head is none of ours.
func TestSamplesBegin(t *testing.T) {
	whole, err := os.ReadFile(write(t, 100, 4))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "2-1.samples")
	var r samplesReader
	records := 0
	for _, size := range []int{0, 1, len(samplesMagic), flight.RecordSize - 1, len(whole)} {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.next(path, []string{"host", "cuda:0"}, func(flight.Record) { records++ }); err != nil || (records == 4) != (size == len(whole)) {
			t.Errorf("%d bytes: %d records, %v", size, records, err)
		}
	}
	for _, other := range []string{"x", "{\"hello\": 1}"} {
		if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := (&samplesReader{}).next(path, nil, func(flight.Record) {}); err == nil {
			t.Errorf("%q passes for samples", other)
		}
	}
}

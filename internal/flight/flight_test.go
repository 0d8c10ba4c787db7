package flight

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/torchleak/torchleak/internal/memory"
)

// ring builds a recorder file in memory holding records first..last of a ring of the given capacity.
func ring(capacity, last int) []byte {
	b := make([]byte, HeaderSize+capacity*RecordSize)
	le := binary.LittleEndian
	copy(b, magic)
	le.PutUint32(b[8:], version)
	le.PutUint32(b[12:], HeaderSize)
	le.PutUint32(b[16:], RecordSize)
	le.PutUint32(b[offCapacity:], uint32(capacity))
	le.PutUint32(b[offMemories:], 2)
	copy(b[offTable:], "host")
	copy(b[offTable+tableEntry:], "cuda:0")
	for n := 1; n <= last; n++ {
		s := memory.Sample{Step: int64(n), Nanos: int64(n) * 1000}
		s.V[0] = int64(n) * 512
		Encode(b[HeaderSize+(n-1)%capacity*RecordSize:], uint64(n), n%2, &s)
	}
	le.PutUint64(b[offWritten:], uint64(last))
	return b
}

func open(t *testing.T, b []byte) *Recorder {
	t.Helper()
	path := filepath.Join(t.TempDir(), "1-1.flight")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func drain(t *testing.T, r *Recorder) []memory.Sample {
	t.Helper()
	var got []memory.Sample
	if _, err := r.Drain(func(rec Record) { got = append(got, rec.Sample) }); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestDrain(t *testing.T) {
	r := open(t, ring(8, 5))
	got := drain(t, r)
	if len(got) != 5 || got[4].Step != 5 || got[4].Memory != "cuda:0" || got[3].Memory != "host" || got[4].V[0] != 2560 {
		t.Fatalf("got %+v", got)
	}
	if again := drain(t, r); len(again) != 0 {
		t.Fatalf("read twice: %+v", again)
	}
}

func TestDrainOvertaken(t *testing.T) {
	r := open(t, ring(8, 21)) // records 14 to 21 are left, 1 to 13 were overwritten
	got := drain(t, r)
	if len(got) != 8 || got[0].Step != 14 || got[7].Step != 21 || r.Lost() != 13 {
		t.Fatalf("lost %d, got %+v", r.Lost(), got)
	}
}

func TestDrainTorn(t *testing.T) {
	b := ring(8, 6)
	b[HeaderSize+3*RecordSize+40] ^= 1 // record 4
	r := open(t, b)
	got := drain(t, r)
	if len(got) != 5 || r.Lost() != 1 || got[3].Step != 5 {
		t.Fatalf("lost %d, got %+v", r.Lost(), got)
	}
}

func TestDrainCutShort(t *testing.T) {
	b := ring(8, 8)
	r := open(t, b[:HeaderSize+3*RecordSize+17])
	if got := drain(t, r); len(got) != 3 || r.Lost() != 5 {
		t.Fatalf("lost %d, got %+v", r.Lost(), got)
	}
}

func TestHeaderErrors(t *testing.T) {
	good := ring(8, 1)
	for name, change := range map[string]func([]byte) []byte{
		"empty":    func([]byte) []byte { return nil },
		"short":    func(b []byte) []byte { return b[:100] },
		"magic":    func(b []byte) []byte { b[0] = 'X'; return b },
		"version":  func(b []byte) []byte { b[8] = 9; return b },
		"capacity": func(b []byte) []byte { copy(b[offCapacity:], "\xff\xff\xff\xff"); return b },
		"memories": func(b []byte) []byte { b[offMemories] = 31; return b },
	} {
		if _, err := ReadHeader(bytes.NewReader(change(bytes.Clone(good)))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRequest(t *testing.T) {
	r := open(t, ring(8, 1))
	if err := r.Request(3, 1, 10, 300); err != nil {
		t.Fatal(err)
	}
	var b [24]byte
	if _, err := r.file.ReadAt(b[:], offRequest); err != nil {
		t.Fatal(err)
	}
	want := []uint32{3, 1, 1, 10, 300, uint32(os.Getpid())}
	for i, w := range want {
		if g := binary.LittleEndian.Uint32(b[4*i:]); g != w {
			t.Errorf("word %d: got %d, want %d", i, g, w)
		}
	}
}

func FuzzDrain(f *testing.F) {
	f.Add(ring(4, 3))
	f.Add(ring(4, 9))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			return
		}
		defer r.Close()
		h, _ := r.Header()
		n := 0
		_, _ = r.Drain(func(Record) { n++ })
		if n > int(h.Capacity) {
			t.Fatalf("%d records from a ring of %d", n, h.Capacity)
		}
	})
}

package snapshot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/torchleak/torchleak/internal/pickle"
	"github.com/torchleak/torchleak/internal/pytorch"
)

// pickled has Python pickle an expression.
func pickled(t testing.TB, expression string) []byte {
	t.Helper()
	out, err := exec.Command(pytorch.Find(t)[0].Path, "-c", "import pickle, sys, os, array\nsys.stdout.buffer.write(pickle.dumps("+expression+", protocol=4))").Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// entryOf is a snapshot with one trace entry.
const entryOf = `{"segments": [], "device_traces": [[%]]}`

// TestOdd reads snapshots that are odd and not wrong.
func TestOdd(t *testing.T) {
	for name, c := range map[string]struct {
		entry string
		want  Entry
		note  string
	}{
		"an action of another device": {`{"action": "workspace_snapshot", "addr": 1024, "size": 5, "stream": 0}`,
			Entry{Kind: Other, Addr: 1024, Size: 5}, "workspace_snapshot"},
		"too large":        {`{"action": "alloc", "addr": 1024, "size": 2**62 + 1, "stream": 0}`, Entry{Kind: Other, Addr: 1024, Size: 1<<62 + 1}, "can be"},
		"below zero":       {`{"action": "alloc", "addr": 1024, "size": -5, "stream": 0}`, Entry{Kind: Other, Addr: 1024}, "can be"},
		"without address":  {`{"action": "alloc", "size": 5, "stream": 0}`, Entry{Kind: Other, Size: 5}, "can be"},
		"without frames":   {`{"action": "alloc", "addr": 1024, "size": 5, "stream": 0}`, Entry{Addr: 1024, Size: 5}, ""},
		"no frames":        {`{"action": "alloc", "addr": 1024, "size": 5, "stream": 0, "frames": []}`, Entry{Addr: 1024, Size: 5, Stack: NoFrames}, ""},
		"64 bits":          {`{"action": "alloc", "addr": 2**64-512, "size": 5, "stream": 0}`, Entry{Addr: 1<<64 - 512, Size: 5}, ""},
		"4 GiB and a time": {`{"action": "alloc", "addr": 512, "size": 2**32-1, "stream": 0, "time_us": 7}`, Entry{Addr: 512, Size: 1<<32 - 1, Time: 7}, ""},
		"keys of the future": {`{"action": "alloc", "addr": 512, "size": 5, "stream": 0, "more": [1, {"a": (None, 1.5, "x", b"y")}], 7: True}`,
			Entry{Addr: 512, Size: 5}, ""},
		"numbers of the future": {`{"action": "alloc", "addr": 512, "size": 5, "stream": 0, "a": 2**64, "b": -2**64, "c": 2**80, "d": -2**500, "e": 2**2040}`,
			Entry{Addr: 512, Size: 5}, ""},
		"a size of more than 64 bits": {`{"action": "alloc", "addr": 512, "size": 2**70, "stream": 0}`, Entry{Kind: Other, Addr: 512}, "can be"},
	} {
		s, err := Read(bytes.NewReader(pickled(t, strings.Replace(entryOf, "%", c.entry, 1))))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := s.Trace.At(0)
		if got.Place = 0; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if notes := strings.Join(s.Notes, " "); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: the notes are %q", name, notes)
		}
	}
}

// segmentOf is a segment, and what follows it in a list; entry is an entry of a trace.
const (
	segmentOf = `{"device": 0, "address": 1024, "total_size": 1024, "stream": 0, "segment_type": "small", "blocks": [{"size": 512, "state": "inactive"}]}`
	entry     = `{"action": "alloc", "addr": 1024, "size": 5, "stream": 0}`
)

// TestSomethingElse reads what has the keys of a snapshot and other things under them.
func TestSomethingElse(t *testing.T) {
	for name, c := range map[string]struct {
		segments, traces  string
		held, devices     int // how many are read
		missing, complete string
	}{
		"a whole":             {"[S]", "[[E], []]", 1, 1, "", ""},
		"of nothing":          {"[]", "[[], []]", 0, 0, "of no device", ""},
		"a segment":           {"[S]", "[]", 1, 1, "There is no trace", ""},
		"devices in the way":  {"[]", "[[], [], [E]]", 0, 1, "", ""},
		"traces of numbers":   {"[S]", "[1, 2]", 1, 1, "device_traces holds something else", "no trace"},
		"numbers in traces":   {"[S]", "[[1, 2]]", 1, 1, "device_traces holds something else", "no trace"},
		"a trace of a text":   {"[S]", "'x'", 1, 1, "device_traces holds something else", "no trace"},
		"no list of traces":   {"[S]", "[E]", 1, 1, "device_traces holds something else", "no trace"},
		"traces too deep":     {"[S]", "[[[E]]]", 1, 1, "device_traces holds something else", "no trace"},
		"segments for traces": {"[S]", "[S]", 1, 1, "device_traces holds something else", "no trace"},
		"segments too deep":   {"[[S]]", "[[E]]", 0, 1, "segments holds something else", "no device"},
		"segments of lists":   {"[[], []]", "[[E]]", 0, 1, "segments holds something else", "no device"},
		"segments of None":    {"None", "[[E]]", 0, 1, "segments holds something else", "no device"},
		"segments of entries": {"[E]", "[[E]]", 0, 1, "segments holds something else", "no device"},
	} {
		text := strings.NewReplacer("S", segmentOf, "E", entry).Replace(`{"segments": ` + c.segments + `, "device_traces": ` + c.traces + `}`)
		s, err := Read(bytes.NewReader(pickled(t, text)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		notes := strings.Join(s.Notes, " ")
		if len(s.Segments) != c.held || len(s.Devices) != c.devices || !strings.Contains(notes, c.missing) || c.missing == "" && notes != "" {
			t.Errorf("%s: %d segments, %d devices, notes %q", name, len(s.Segments), len(s.Devices), notes)
		}
		if c.complete != "" && strings.Contains(notes, c.complete) {
			t.Errorf("%s: what was left out counts as absent: %q", name, notes)
		}
	}
}

// TestNoSegments reads a trace alone.
func TestNoSegments(t *testing.T) {
	s, err := Read(bytes.NewReader(pickled(t, `{"device_traces": [[`+entry+`]]}`)))
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(s.Notes, " "); len(s.Devices) != 1 || notes != "There are no segments: what was in use in the end, and what was reserved, is not known." {
		t.Errorf("%d devices, notes %q", len(s.Devices), notes)
	}
}

// TestOutside reads a block that is larger than its segment.
func TestOutside(t *testing.T) {
	s, err := Read(bytes.NewReader(pickled(t, `{"segments": [`+strings.Replace(segmentOf, "512", "2048", 1)+`]}`)))
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(s.Notes, " "); !strings.Contains(notes, "do not lie within their segment: 1.") {
		t.Errorf("the notes are %q", notes)
	}
}

// TestTimesFarApart has entries days before and behind their neighbours.
func TestTimesFarApart(t *testing.T) {
	s, err := Read(bytes.NewReader(pickled(t, `{"device_traces": [[{"action": "alloc", "addr": 512, "size": 5, "stream": 0, "time_us": x} for x in (10**15, 1, 2*10**15, 0, 10**15+1)]]}`)))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{1e15, 1, 2e15, 0, 1e15 + 1} {
		if got := s.Trace.At(i).Time; got != want {
			t.Errorf("entry %d: time %d, want %d", i, got, want)
		}
	}
}

// TestBad reads what is no snapshot.
func TestBad(t *testing.T) {
	good := pickled(t, strings.Replace(entryOf, "%", `{"action": "alloc", "addr": 1024, "size": 5, "stream": 0}`, 1))
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":          {nil, "empty, at byte 0"},
		"something else": {pickled(t, `{"a": [1, 2, 3]}`), "none of a memory snapshot"},
		"a text":         {[]byte("epoch,loss\n1,0.5\n"), "not a pickle of protocol 2 to 5, at byte 0"},
		"JSON":           {[]byte(`{"segments": []}`), "it may be JSON"},
		"torch.save":     {[]byte("PK\x03\x04rest of the archive"), "torch.save"},
		"code":           {pickled(t, `type("X", (), {"__reduce__": lambda self: (os.system, ("true",))})()`), `opcode STACK_GLOBAL ("posix.system") would run code`},
		"code within": {pickled(t, `{"segments": [], "device_traces": [[{"action": type("X", (), {"__reduce__": lambda self: (os.system, ("true",))})()}]]}`),
			`("posix.system") would run code`},
		"an object":            {pickled(t, `array.array("i", [1])`), "would run code"},
		"recursive":            {pickled(t, `(lambda l: (l.append(l), l)[1])([])`), "holds itself"},
		"recursive snap":       {pickled(t, `(lambda d: (d["segments"].append(d), d)[1])({"segments": []})`), "holds itself"},
		"the rest is gone":     {good[:len(good)-9], "the pickle ends in the middle, at byte"},
		"a number too long":    {pickled(t, `{"a": 2**(1<<24)}`), "a number of 2097153 bytes"},
		"an entry twice":       {pickled(t, `(lambda e: {"device_traces": [[e, e]]})({"action": "alloc", "addr": 1, "size": 1, "stream": 0})`), "referred to"},
		"numbers for segments": {pickled(t, `{"segments": [1, 2], "device_traces": []}`), "segments holds something else"},
		"both something else":  {pickled(t, `{"segments": 3, "device_traces": "x"}`), "segments and device_traces holds something else"},
		"mixed segments":       {pickled(t, `{"segments": [`+segmentOf+`, 3]}`), "different things are mixed"},
		"mixed traces":         {pickled(t, `{"device_traces": [[`+entry+`], [1]]}`), "different things are mixed"},
		"blocks of numbers":    {pickled(t, `{"segments": [`+strings.Replace(segmentOf, `[{`, `[1, {`, 1)+`]}`), "no list of blocks"},
		"a device below zero":  {pickled(t, `{"segments": [`+strings.Replace(segmentOf, `"device": 0`, `"device": -1`, 1)+`]}`), "no device that can be"},
		"more than 64 bits":    {pickled(t, `{"segments": [`+strings.Repeat(strings.Replace(segmentOf, "512", "2**61", 1)+",", 3)+`]}`), "a block without a size that can be"},
		"beyond all addresses": {pickled(t, `{"segments": [`+strings.Replace(segmentOf, `"address": 1024`, `"address": 2**64-512`, 1)+`]}`), "a segment without a size that can be"},
		"protocol 9":           {[]byte("\x80\x09}."), "pickle protocol 9 is not known"},
		"length":               {append([]byte("\x80\x04\x8d"), binary.LittleEndian.AppendUint64(nil, 1<<62)...), "a text of 4611686018427387904 bytes"},
		"length beyond":        {append([]byte("\x80\x04X"), 0xff, 0xff, 0xff, 0x03, 'a'), "ends in the middle"},
		"deep":                 {bytes.Repeat([]byte("](("), 2000), "not a pickle"},
	} {
		_, err := openBytes(t, c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	var syntax *pickle.SyntaxError
	if _, err := Read(bytes.NewReader(good[:len(good)-9])); !errors.As(err, &syntax) || !syntax.Truncated || syntax.Offset != int64(len(good)-9) {
		t.Errorf("cut short: %+v", err)
	}
	for n := range good {
		if _, err := Read(bytes.NewReader(good[:n])); err == nil {
			t.Fatalf("the first %d bytes of %d pass for the whole", n, len(good))
		}
	}
}

func openBytes(t *testing.T, b []byte) (*Snapshot, error) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return Open(path)
}

// TestCompressed reads a snapshot in each form, whole and cut short.
func TestCompressed(t *testing.T) {
	good := pickled(t, strings.Replace(entryOf, "%", `{"action": "alloc", "addr": 1024, "size": 5, "stream": 0}`, 1))
	for name, pack := range map[string]func(io.Writer) (io.WriteCloser, error){
		"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		"xz":   func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	} {
		var packed bytes.Buffer
		w, err := pack(&packed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(good); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err := openBytes(t, packed.Bytes()); err != nil || s.Trace.Len() != 1 {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := openBytes(t, packed.Bytes()[:packed.Len()/2]); !errors.Is(err, ErrPacking) {
			t.Errorf("%s: half of it gives %v", name, err)
		}
	}
}

// TestHostileWindow reads an xz file whose header asks for a window of 4 GiB.
func TestHostileWindow(t *testing.T) {
	var packed bytes.Buffer
	w, err := xz.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Repeat([]byte("]"), 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b := packed.Bytes()
	// The .xz file format, 3.1: the block's header follows the 12 bytes of the stream's; flags without sizes, one filter.
	header := b[12 : 12+4*(int(b[12])+1)]
	if header[1] != 0 || header[2] != 0x21 {
		t.Fatalf("the header is % x", header)
	}
	header[4] = 40 // 4 GiB - 1
	binary.LittleEndian.PutUint32(header[len(header)-4:], crc32.ChecksumIEEE(header[:len(header)-4]))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := openBytes(t, b); !errors.Is(err, ErrPacking) {
		t.Errorf("it gives %v", err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 2*maxWindow {
		t.Errorf("took %d bytes", took)
	}
}

// TestHostileMemory reads pickles that are small and would be large.
func TestHostileMemory(t *testing.T) {
	const limit = 256 << 20
	for name, data := range map[string][]byte{
		"lists of lists":   append([]byte("\x80\x04"), bytes.Repeat([]byte("]"), 8<<20)...),
		"marks":            append([]byte("\x80\x04"), bytes.Repeat([]byte("("), 8<<20)...),
		"numbers ahead":    []byte("\x80\x02]r\xff\xff\xff\xff."),
		"a claim of bytes": append([]byte("\x80\x04B"), 0xff, 0xff, 0xff, 0xff),
		// Each list holds the one before twice: 2^40 of them in Python's eyes.
		"billion laughs": append([]byte("\x80\x04]\x94"), bytes.Repeat([]byte("](h\x00h\x00e\x94"), 40)...),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Read(bytes.NewReader(data)); err == nil {
			t.Errorf("%s: no error", name)
		}
		runtime.ReadMemStats(&after)
		if grew := after.TotalAlloc - before.TotalAlloc; grew > limit {
			t.Errorf("%s: took %d bytes", name, grew)
		}
	}
}

// FuzzRead reads anything.
func FuzzRead(f *testing.F) {
	f.Add([]byte("\x80\x04}\x94(\x8c\x08segments\x94]\x94\x8c\x0ddevice_traces\x94]\x94]\x94}\x94(\x8c\x06action\x94\x8c\x05alloc\x94\x8c\x04addr\x94K\x00\x8c\x04size\x94K\x05ua" + "au."))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := s.Write(&out, 4); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&out)
		if err != nil {
			t.Fatalf("what was written anew cannot be read: %v", err)
		}
		if len(again.Segments) != len(s.Segments) || len(again.Blocks) != written(s) {
			t.Fatalf("%d segments, %d blocks; again %d and %d", len(s.Segments), written(s), len(again.Segments), len(again.Blocks))
		}
	})
}

// written is how many blocks belong to segments.
func written(s *Snapshot) (n int) {
	for _, seg := range s.Segments {
		n += seg.Last - seg.First
	}
	return n
}

package snapshot

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// future is a snapshot in which everything has keys that are not known.
const future = `(lambda more: {**more, "segments": [{"device": 0, "address": 512, "total_size": 1024, "stream": 0, "segment_type": "large", **more,
	"blocks": [{"address": 512, "size": 1024, "requested_size": 7, "state": "active_allocated", "frames": [], **more}], "frames": []}],
	"device_traces": [[{"action": "alloc", "addr": 512, "size": 5 + i, "stream": 0, "frames": [{"filename": "a.py", "name": "f", "line": 3, **more}], **more, "thread": i} for i in (0, 1, 1)]],
	"allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "max_split_size": -1, "garbage_collection_threshold": 0.5, "expandable_segments": True, **more},
	"external_annotations": [{"stage": "END", "name": "x", "device": 0, "time_us": 4, **more}],
})({"a text": "/home/x/y.py", "a number": 2**40, "below zero": -3, "far below zero": -2**40, "a fraction": 0.25, "a truth": False, "none": None, "a list": [1], "bytes": b"x"})`

// compare has Python print the unknown keys of everything in a snapshot.
const compare = `
import pickle, sys
with open(sys.argv[1], "rb") as f:
    s = pickle.load(f)
names = ("a text", "a number", "below zero", "far below zero", "a fraction", "a truth", "none", "a list", "bytes", "thread")
def show(d):
    print([(n, d[n]) for n in names if n in d])
entries = s["device_traces"][0]
for d in (s, s["segments"][0], s["segments"][0]["blocks"][0], *entries, entries[0]["frames"][0], s["allocator_settings"], s["external_annotations"][0]):
    show(d)
`

func shown(t *testing.T, s *Snapshot, protocol int) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Write(&out, protocol); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "out.pickle")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(pytorch.Find(t)[0].Path, "-c", compare, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return string(text)
}

// TestUnknownKeys: what is written anew still says what is not known here; only lists and bytes are left out, by name.
func TestUnknownKeys(t *testing.T) {
	s, err := Read(bytes.NewReader(pickled(t, future)))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.LeftOut, []string{"a list", "bytes"}) {
		t.Errorf("left out: %q", s.LeftOut)
	}
	const more = "('a text', '/home/x/y.py'), ('a number', 1099511627776), ('below zero', -3), ('far below zero', -1099511627776), ('a fraction', 0.25), ('a truth', False), ('none', None)"
	var want strings.Builder
	for _, thread := range []string{"", "", "", ", ('thread', 0)", ", ('thread', 1)", ", ('thread', 1)", "", "", ""} {
		fmt.Fprintf(&want, "[%s%s]\n", more, thread)
	}
	for _, protocol := range []int{2, 4, 5} {
		if got := shown(t, s, protocol); got != want.String() {
			t.Errorf("protocol %d:\n%s\nwant\n%s", protocol, got, want.String())
		}
	}
	s.ForgetTexts()
	if got := shown(t, s, 4); strings.Contains(got, "/home") || !strings.Contains(got, "a fraction") {
		t.Errorf("without texts:\n%s", got)
	}
}

// TestTooManyUnknown: sets that are all different are left out from a number on, and it is said.
func TestTooManyUnknown(t *testing.T) {
	x := newExtras()
	set := []extra{{key: 1}}
	for i := range maxExtras + 10 {
		set[0].value.N = uint64(i)
		if n, ok := x.number(set); ok != (i < maxExtras-1) || ok && int(n) != i+1 {
			t.Fatalf("set %d is %d, %v", i, n, ok)
		}
	}
	set[0].value.N = 5
	if n, ok := x.number(set); n != 6 || !ok {
		t.Errorf("one that is known is %d, %v", n, ok)
	}
}

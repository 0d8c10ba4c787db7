package snapshot

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/torchleak/torchleak/internal/pytorch"
)

// fixtures are snapshots of a small language model's training on a GPU; oom is the end of one that ran out of memory,
// whose ring had lost the beginning.
var fixtures = []string{"none", "hook", "val", "varlen_expandable", "cpp", "oom"}

func fixture(name string) string { return filepath.Join("testdata", name+".pickle.gz") }

// oracle has Python's own unpickler read what we read.
func oracle(t testing.TB, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(pytorch.Find(t)[0].Path, append([]string{"testdata/oracle.py"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("oracle.py %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// content is what oracle.py show prints of the decoder's part.
type content struct {
	Entries  int            `json:"entries"`
	Digest   string         `json:"digest"`
	Kinds    map[string]int `json:"kinds"`
	Blocks   int            `json:"blocks"`
	Segments int            `json:"segments"`
}

func contentOf(s *Snapshot) content {
	c := content{Entries: s.Trace.Len(), Kinds: map[string]int{}, Blocks: len(s.Blocks), Segments: len(s.Segments)}
	digest := md5.New()
	for i := range s.Trace.Len() {
		e := s.Trace.At(i)
		c.Kinds[e.Kind.String()]++
		var frames []string
		for _, f := range s.Stacks.Frames(e.Stack) {
			frames = append(frames, fmt.Sprintf("%s:%d:%s", f.File, f.Line, f.Function))
		}
		fmt.Fprintf(digest, "%s %d %d %d %d %s\n", e.Kind, e.Addr, e.Size, s.Trace.Lanes[e.LaneID].Stream, e.Time, strings.Join(frames, ";"))
	}
	c.Digest = hex.EncodeToString(digest.Sum(nil))
	return c
}

func open(t testing.TB, path string) *Snapshot {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return s
}

// TestAgainstPython compares every entry with what Python reads.
func TestAgainstPython(t *testing.T) {
	for _, name := range fixtures {
		t.Run(name, func(t *testing.T) {
			var want content
			if err := json.Unmarshal(oracle(t, "show", fixture(name)), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, contentOf(open(t, fixture(name)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestProtocolsAndLayouts reads one snapshot under all protocols and in layouts of old releases, as Python writes them.
func TestProtocolsAndLayouts(t *testing.T) {
	dir := t.TempDir()
	oracle(t, "rewrite", fixture("val"), dir)
	want := open(t, fixture("val"))
	for _, name := range []string{"protocol2", "protocol3", "protocol4", "protocol5", "optimized"} {
		got := open(t, filepath.Join(dir, name+".pickle"))
		if diff := cmp.Diff(contentOf(want), contentOf(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(want.Settings, got.Settings); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(want.Blocks, got.Blocks); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	// The history of a block says what its own keys say in newer releases.
	used := func(s *Snapshot) (blocks []Block) {
		for _, b := range s.Blocks {
			if b.State != Inactive {
				stack := s.Stacks.Frames(b.Stack)
				b.Stack = uint32(len(stack))
				blocks = append(blocks, b)
			}
		}
		return blocks
	}
	for _, name := range []string{"old", "list"} {
		got := open(t, filepath.Join(dir, name+".pickle"))
		if diff := cmp.Diff(used(want), used(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for i := range got.Trace.Len() {
			if e, w := got.Trace.At(i), want.Trace.At(i); e.Time != 0 || e.Addr != w.Addr || e.Size != w.Size || e.Kind != w.Kind {
				t.Fatalf("%s: entry %d is %+v, want %+v", name, i, e, w)
			}
		}
	}
	if got := open(t, filepath.Join(dir, "list.pickle")); len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "no trace") {
		t.Errorf("without a trace the notes are %q", got.Notes)
	}
}

// TestWrite writes snapshots anew; Python must read the same from them.
func TestWrite(t *testing.T) {
	for name, protocol := range map[string]int{"varlen_expandable": 2, "cpp": 4, "oom": 5} {
		path := filepath.Join(t.TempDir(), "out.pickle")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := open(t, fixture(name)).Write(f, protocol); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(string(oracle(t, "same", fixture(name), path))); got != "same" {
			t.Errorf("%s: %s", name, got)
		}
		if b, _ := os.ReadFile(path); b[1] != byte(protocol) {
			t.Errorf("%s: protocol %d, want %d", name, b[1], protocol)
		}
	}
}

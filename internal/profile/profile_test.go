package profile

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
	"github.com/torchleak/torchleak/internal/recording"
)

// python is what the sample is made with: any will do.
var python string

// left returns the directory of a process whose profile differs from the sample's in some keys, given as JSON.
func left(t *testing.T, changed string) recording.Dir {
	t.Helper()
	if python == "" {
		python = pytorch.Interpreters(t)[0].Path
	}
	dir := recording.Dir{Path: t.TempDir()}
	out, err := exec.Command(python, "testdata/history.py", dir.Path, changed).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// The sample's memory: 4096 and 1024 are there; addmm makes 2048 and takes 1000, rounded 1024, for itself; relu makes 2048,
// the first goes; backward begins with 4, rounded 512, and 1024 that were older go; the gradient has 4096; 3000, rounded 3072,
// come from outside of operators: 4096 + 2048 + 512 + 4096 + 3072 are there at last, which is the most.
func TestHistory(t *testing.T) {
	profiles, warnings := Read(left(t, "{}"))
	if len(warnings) > 0 || len(profiles) != 1 || len(profiles[0].Memories) != 1 {
		t.Fatalf("%v: %+v", warnings, profiles)
	}
	p := &profiles[0]
	m := &p.Memories[0]
	if !m.History || m.Peak != 13824 || len(m.Steps) != 1 || m.Steps[0] != 13824 {
		t.Errorf("peak %d, steps %v", m.Peak, m.Steps)
	}
	want := []struct {
		bytes    int64
		op       int
		category Category
	}{
		{4096, -1, Parameter}, {1024, -1, Other}, {2048, 0, Temporary}, {1024, 0, Temporary}, {2048, 1, Activation},
		{512, 2, Temporary}, {4096, 3, Gradient}, {3072, -1, Temporary},
	}
	if len(m.Blocks) != len(want) {
		t.Fatalf("%d blocks: %+v", len(m.Blocks), m.Blocks)
	}
	for i, w := range want {
		if b := m.Blocks[i]; b.Bytes != w.bytes || b.Op != w.op || b.Category != w.category {
			t.Errorf("block %d is %+v, want %+v", i, b, w)
		}
	}
	rows := p.Rows(m)
	if r := rows[0]; r.Bytes != 4096 {
		t.Errorf("the first row is %+v", r)
	}
	for _, r := range rows {
		if r.Operator == "aten::mm" && (r.Of != "aten::addmm" || r.Site.File != "/u/net.py" || r.Module != "Net") {
			t.Errorf("backward is laid at %+v", r.Origin)
		}
	}
	var levels []int64
	var level int64
	for _, c := range m.Changes {
		level += c.Bytes
		levels = append(levels, level)
	}
	// The older ones first.
	for i, w := range []int64{4096, 5120, 7168, 8192, 7168, 9216, 7168, 7680, 6656, 10752, 13824} {
		if levels[i] != w {
			t.Fatalf("levels %v", levels)
		}
	}
	found := p.Removables(m)
	// Without what backward begins with the peak is 512 lower; what came from outside of operators is nobody's to remove.
	if len(found) != 1 || found[0].Operator != "aten::ones_like" || found[0].Saves != 512 {
		t.Errorf("removable: %+v", found)
	}
}

func TestDamaged(t *testing.T) {
	for name, c := range map[string]struct{ changed, said string }{
		"another format":        {`{"profile": 2}`, "format 2"},
		"an operator too many":  {`{"operators": ["aten::addmm"]}`, "damaged"},
		"steps that go back":    {`{"step_ends": [3, 1]}`, "damaged"},
		"steps beyond the end":  {`{"step_ends": [5]}`, "damaged"},
		"columns of two sizes":  {`{"events": {"op": [0], "storage": [], "bytes": []}}`, "damaged"},
		"an owner of nothing":   {`{"owned": [[9, "parameter", ""]]}`, "damaged"},
		"a frame that is none":  {`{"frames": [7]}`, "cannot unmarshal"},
		"a stack of no frames":  {`{"stacks": [[0, 5], [1]]}`, "damaged"},
		"a size below zero":     {`{"events": {"op": [0], "storage": [0], "bytes": [-1]}}`, "damaged"},
		"a history that is not": {`{"memories": [{"name": "cuda:0", "snapshot": "../../none.pickle"}]}`, "the allocator's history none.pickle"},
	} {
		t.Run(name, func(t *testing.T) {
			_, warnings := Read(left(t, c.changed))
			if len(warnings) != 1 || !strings.Contains(warnings[0].Error(), c.said) {
				t.Errorf("warnings %v, want one that says %q", warnings, c.said)
			}
		})
	}
}

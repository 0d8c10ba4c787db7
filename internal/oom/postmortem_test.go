package oom

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

// forward is what the probe leaves of a training that a CUDA device refused 3 GiB, of 2 that it may use.
const forward = `{
 "oom": 1, "memory": "cuda:0", "seen": "allocator", "fatal": false, "count": 2, "step": 7, "type": "", "text": "", "during": "",
 "requested": 1073741824, "limit": 2147483648, "free": 140000000000, "allocated": 1717986918, "reserved": 1800000000,
 "frames": [{"file": "/w/train.py", "line": 20, "function": "forward"}],
 "categories": [{"category": "parameter", "bytes": 400000000, "count": 16}, {"category": "activation", "bytes": 900000000, "count": 8}],
 "tensors": [{"category": "activation", "shape": [4096, 1024], "dtype": "float32", "bytes": 134217728, "count": 8,
   "names": [{"name": "h", "function": "forward", "file": "/w/train.py", "line": 20}]}],
 "saved": {"nodes": 17, "bytes": 1000000000, "hidden": 100000000},
 "modules": [{"module": "layers.*", "type": "Block", "bytes": 950000000, "count": 8}],
 "notes": ["one note"]
}`

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "1-2.oom.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, text string) *Left {
	t.Helper()
	l, err := ReadLeft(written(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func has(sentences []string, part string) bool {
	return slices.ContainsFunc(sentences, func(s string) bool { return strings.Contains(s, part) })
}

func TestPostMortem(t *testing.T) {
	n := func(x int64) *int64 { return &x }
	flat := &finding.Memory{Name: "cuda:0", Verdict: finding.Healthy}
	p := PostMortem(read(t, forward), flat, nil)
	// 1,800,000,000 reserved + 1,073,741,824 asked - 2,147,483,648 allowed; 1,717,986,918 - 900,000,000 - 400,000,000 -
	// 100,000,000 that only graphs hold are in no tensor.
	if p.Verdict != finding.Capacity || *p.MissingBytes != 726258176 || *p.LimitBytes != 2147483648 || p.Fatal || p.Count != 2 {
		t.Errorf("%+v", p)
	}
	if last := p.Alive[len(p.Alive)-1]; last.Category != "unseen" || last.Bytes != 317986918 || last.Count != nil {
		t.Errorf("%+v", p.Alive)
	}
	if p.Largest[0].Name != "h" || p.Largest[0].At.Line != 20 {
		t.Errorf("%+v", p.Largest)
	}
	// 726,258,176 of 1,000,000,000 bytes of activations.
	if !has(p.Why, "nothing grew") || !has(p.Next, "a batch smaller by 73 %") || !has(p.Next, "Checkpointing the 8 modules layers.* (Block)") || !has(p.Unknown, "one note") {
		t.Errorf("%q %q %q", p.Why, p.Next, p.Unknown)
	}
	if has(p.Next, "torchleak run") || has(p.Unknown, "a leak and a step") {
		t.Errorf("who is watched is sent to be watched: %q", p.Next)
	}

	leaks := &finding.Memory{Name: "cuda:0", Verdict: finding.Leak, BytesPerStep: n(2 << 20), FirstBytes: n(1 << 30), LastBytes: n(3 << 29)}
	if p := PostMortem(read(t, forward), leaks, nil); p.Verdict != finding.Leak || len(p.Next) != 1 || !has(p.Why, "by 2.00 MiB per step, by 512.00 MiB in all") {
		t.Errorf("%s %q %q", p.Verdict, p.Why, p.Next)
	}
	if p := PostMortem(read(t, forward), nil, nil); !has(p.Unknown, "too few to tell") {
		t.Errorf("%q", p.Unknown)
	}
	for want, s := range map[string]*Simulated{
		"it would not have run out of memory":   {7, []Setting{{"expandable_segments:True", true, 0}}},
		"would have been smaller by 512.00 MiB": {7, []Setting{{"expandable_segments:True", false, 512 << 20}}},
	} {
		if p := PostMortem(read(t, forward), flat, s); !has(p.Next, want) {
			t.Errorf("%q, want %q", p.Next, want)
		}
		if p := PostMortem(read(t, forward), leaks, s); has(p.Next, "expandable") {
			t.Errorf("a setting against a leak: %q", p.Next)
		}
	}
	if p := PostMortem(read(t, forward), flat, &Simulated{Tried: 7}); !has(p.Why, "none of 7 other settings") {
		t.Errorf("%q", p.Why)
	}
}

// The exception's text says more than the allocator: the device's own size, for one.
func TestTextAndFigures(t *testing.T) {
	text := strings.Replace(forward, `"text": ""`, `"text": "CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 139.80 GiB of which 130.39 GiB is free. 2.00 GiB allowed; Of the allocated memory 1.60 GiB is allocated by PyTorch, and 78.00 MiB is reserved by PyTorch but unallocated."`, 1)
	m := read(t, text).Message()
	if *m.Allocated != 1717986918 || *m.Unallocated != 1800000000-1717986918 || *m.Capacity < 139<<30 || *m.Allowed != 2<<30 {
		t.Errorf("%+v", m)
	}
	host := strings.NewReplacer(`"cuda:0"`, `"host"`, `"text": ""`, `"text": "DefaultCPUAllocator: can't allocate memory: you tried to allocate 1073741824 bytes."`).Replace(forward)
	if j := Judge(read(t, host).Message()); j.Verdict != finding.Capacity || !has(j.Why, "2.00 GiB of address space (`ulimit -v`), and 1.68 GiB were in use") {
		t.Errorf("%+v", j)
	}
}

func TestBadLeft(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON": "{", "another version": `{"oom": 2, "memory": "host"}`, "of nothing": `{"oom": 1}`, "a list": `[]`, "empty": "",
		"a number of the wrong kind": `{"oom": 1, "memory": "host", "step": "x"}`,
	} {
		if _, err := ReadLeft(written(t, text)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, err := ReadLeft(t.TempDir()); err == nil {
		t.Error("a folder is read")
	}
}

func FuzzLeft(f *testing.F) {
	f.Add([]byte(forward))
	f.Add([]byte(`{"oom":1,"memory":"cuda:0","requested":-1,"limit":9223372036854775807,"reserved":9223372036854775807,"allocated":-9223372036854775808,` +
		`"categories":[{"category":"x","bytes":9223372036854775807}],"saved":{"hidden":-5},"modules":[{"bytes":-1,"count":2}]}`))
	path := filepath.Join(f.TempDir(), "left.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := ReadLeft(path)
		if err != nil {
			return
		}
		p := PostMortem(l, nil, nil)
		for _, n := range []*int64{p.RequestedBytes, p.LimitBytes, p.FreeBytes, p.AllocatedBytes, p.ReservedBytes, p.MissingBytes} {
			if n != nil && *n < 0 {
				t.Errorf("a negative figure: %+v", p)
			}
		}
		for _, a := range p.Alive {
			if a.Bytes < 0 {
				t.Errorf("%+v", a)
			}
		}
	})
}

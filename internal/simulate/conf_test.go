package simulate

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/pytorch"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		conf  string
		wants func(*Settings)
	}{
		{"", func(*Settings) {}},
		{"expandable_segments : True,", func(s *Settings) { s.Expandable = true }},
		{"max_split_size_mb:128,garbage_collection_threshold:0.6", func(s *Settings) { s.MaxSplit, s.GCThreshold = 128*mib, 0.6 }},
		{"max_split_size_mb:-1", func(*Settings) {}}, // wraps around to more than any size: unlimited
		{"max_split_size_mb:32.5", func(s *Settings) { s.MaxSplit = 32 * mib }},
		{"max_non_split_rounding_mb:64", func(s *Settings) { s.MaxNonSplitRounding = 64 * mib }},
		{"large_segment_size_mb:30,max_split_size_mb:30", func(s *Settings) {
			s.LargeSegment, s.MaxNonSplitRounding, s.MaxSplit = 30*mib, 30*mib, 30*mib
		}},
		{"backend:cudaMallocAsync", func(s *Settings) { s.Backend = "cudaMallocAsync" }},
		{"throw_on_cudamalloc_oom:True,per_process_memory_fraction:0.5", func(s *Settings) { s.ThrowEarly, s.Fraction = true, 0.5 }},
		{"pinned_num_register_threads:8,release_lock_on_cudamalloc:True,expandable_segments_reserve:40G", func(*Settings) {}},
		// 256 MB is the ninth entry and fills those before it; > goes on behind 512.
		{"roundup_power2_divisions:[256:1,512:2,>:8]", func(s *Settings) {
			s.Divisions = [16]uint64{1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 8, 8, 8, 8, 8, 8}
		}},
		{"roundup_power2_divisions:[64:8,256:4]", func(s *Settings) {
			s.Divisions = [16]uint64{8, 8, 8, 8, 8, 8, 8, 0, 4}
		}},
	} {
		want := Default()
		c.wants(&want)
		if got, err := Parse(c.conf); err != nil || got != want {
			t.Errorf("%q: %v\n got %+v\nwant %+v", c.conf, err, got, want)
		}
	}
}

// disputed are settings of which PyTorch itself says what is wrong.
var disputed = []string{
	"", "foo:1", "max_split_size_mb:abc", "max_split_size_mb:1", "max_split_size_mb:19", "max_split_size_mb:20", "max_split_size_mb:-1",
	"max_split_size_mb", "max_split_size_mb:", "expandable_segments", "expandable_segments:true", "expandable_segments:1",
	"garbage_collection_threshold:1.5", "garbage_collection_threshold:0", "garbage_collection_threshold:abc",
	"garbage_collection_threshold:0.6x", "roundup_power2_divisions:3", "roundup_power2_divisions:0",
	"roundup_power2_divisions:[256:1,512:2,>:8]", "roundup_power2_divisions:[256:1,500:2]", "roundup_power2_divisions:[256:1",
	"roundup_power2_divisions:[256:3]", "roundup_power2_divisions:[256:0]", "roundup_power2_divisions:[]",
	"roundup_power2_divisions:[256:abc]", "roundup_power2_divisions:[abc:1]", "roundup_power2_divisions:8:4",
	"roundup_power2_divisions:[>:8]", "roundup_power2_divisions:-8", "max_split_size_mb:32;foo", "max_split_size_mb;32",
	"max_non_split_rounding_mb:1", "large_segment_size_mb:5", "large_segment_size_mb:10", "large_segment_size_mb:11",
	"large_segment_size_mb:30,max_split_size_mb:25", "max_split_size_mb:25,large_segment_size_mb:30", "backend:foo", "backend:native",
	"max_split_size_mb:128,,expandable_segments:True", "max_split_size_mb:128,", "expandable_segments,True",
	"expandable_segments:True expandable_segments:False", "max_split_size_mb:99999999999999999999", "max_split_size_mb:+64",
	"pinned_use_background_threads:1", "expandable_segments=True", "per_process_memory_fraction:2", "per_process_memory_fraction:-1",
	"pinned_num_register_threads:3", "pinned_num_register_threads:256", "pinned_reserve_segment_size_mb:abc", ":", ",",
	"expandable_segments_page_size:2", "graph_capture_record_stream_reuse:True", "pinned_free_catch_all:True", "trace:1",
	"max_split_size_mb:32:expandable_segments:True", "max_split_size_mb:\t 64", "large_segment_size_mb:30,max_non_split_rounding_mb:25",
}

const ask = `
import json, sys, torch
set = getattr(torch._C, "_accelerator_setAllocatorSettings", None)
said = []
for conf in json.load(sys.stdin) if set else []:
    try:
        set(conf)
        said.append("")
    except Exception as e:
        said.append(str(e).split("\n")[0])
print(json.dumps(said))
`

// TestErrorsArePyTorchs puts every disputed setting to a real PyTorch, whose answer must be ours.
func TestErrorsArePyTorchs(t *testing.T) {
	asked := false
	for _, python := range pytorch.Find(t) {
		cmd := exec.Command(python.Path, "-c", ask)
		cmd.Env = pytorch.Environ()
		in, _ := json.Marshal(disputed)
		cmd.Stdin = strings.NewReader(string(in))
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		if err := json.Unmarshal(out, &said); err != nil {
			t.Fatal(err)
		}
		for i, want := range said {
			asked = true
			if got := answer(disputed[i]); !sameAnswer(got, want) {
				t.Errorf("%q\n got %s\nwant %s", disputed[i], got, want)
			}
		}
	}
	if !asked {
		t.Skip("no PyTorch here lets its allocator settings be set without a device")
	}
}

func answer(conf string) string {
	if _, err := Parse(conf); err != nil {
		return err.Error()
	}
	return ""
}

// sameAnswer lets PyTorch break off with an assertion where a value is missing.
func sameAnswer(got, want string) bool {
	const missing = "Index out of bounds in ConfigTokenizer"
	if strings.Contains(want, missing) {
		return strings.HasPrefix(got, missing)
	}
	return got == strings.TrimSpace(want)
}

func FuzzParse(f *testing.F) {
	for _, conf := range disputed {
		f.Add(conf)
	}
	f.Fuzz(func(t *testing.T, conf string) {
		s, err := Parse(conf)
		if err != nil {
			return
		}
		if s.MaxSplit < largeSegment && s.LargeSegment >= largeSegment || s.LargeSegment <= minOwnSegment {
			t.Errorf("%q gives %+v", conf, s)
		}
		for _, size := range []uint64{1, 511, 513, 1 << 20, 3 << 20, 1<<30 + 1} {
			if got := s.Round(size); got < size || got%minBlock != 0 {
				t.Errorf("%q rounds %d to %d", conf, size, got)
			}
		}
	})
}

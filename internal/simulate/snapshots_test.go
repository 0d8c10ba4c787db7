package simulate

import (
	"path/filepath"
	"testing"
)

// The snapshots of the decoder's tests: several settings, a trace that lost its beginning, one out of memory.
func TestReplaySnapshots(t *testing.T) {
	files, err := filepath.Glob("../snapshot/testdata/*.pickle.gz")
	if err != nil || len(files) == 0 {
		t.Fatal("no snapshots", err)
	}
	replayed := 0
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if trace := load(t, path); len(trace.Events) > 0 {
				exact(t, compile(trace).replay(0))
				replayed++
			}
		})
	}
	if replayed < 5 {
		t.Errorf("only %d snapshots have a trace", replayed)
	}
}

// Live memory rises in trainings that keep a hook's output or losses of evaluations, and stands still in others.
// Against a leak no setting is advised, whatever it does to the peak.
func TestGrowth(t *testing.T) {
	for name, grows := range map[string]bool{"hook": true, "cpp": true, "val": true, "none": false, "varlen_expandable": false} {
		result, err := Simulate(load(t, "../snapshot/testdata/"+name+".pickle.gz"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := result.GrowsBy > 0; got != grows || grows && len(result.Advice) > 0 {
			t.Errorf("%s grows by %d, advice %+v", name, result.GrowsBy, result.Advice)
		}
	}
}

// The run that went out of memory goes out of memory at the same request, by what the limit was short of.
func TestOutOfMemory(t *testing.T) {
	result, err := Simulate(load(t, "../snapshot/testdata/oom.pickle.gz"), Options{Confs: []string{"", "expandable_segments:True"}})
	if err != nil {
		t.Fatal(err)
	}
	same, other := result.Configs[0], result.Configs[1]
	// A request of 125 MiB takes a segment of 126. 2,891,972,608 bytes were held when it came; 2,879,389,696
	// were left when six small segments had been given back, so that 119,537,664 were missing.
	if f := same.Failure; !same.OOM || same.Retries != 1 || f == nil || f.Requested != 131072000 || f.Missing != 2879389696+132120576-2891972608 {
		t.Errorf("%+v %+v", same, same.Failure)
	}
	if other.OOM || other.Effect != Rescues {
		t.Errorf("%+v", other)
	}
}

package session

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/recording"
)

// Another rank under this watch is no stranger; a GPU that nobody here uses is of no interest; what cannot be asked says why.
func TestNeighbours(t *testing.T) {
	trainer := func(key string, pid int, memories ...string) *watched {
		w := newWatched(recording.Process{Key: key, Hello: recording.Hello{PID: pid}}, pid, analysis.Options{})
		w.recorder, w.header.Memories = &flight.Recorder{}, memories
		return w
	}
	all := map[string]*watched{"a": trainer("a", 7, "host", "cuda:0"), "b": trainer("b", 8, "host", "cuda:1"), "c": trainer("c", 9, "host")}
	answer := []metrics.GPU{
		{Index: 0, Total: 100, Processes: []metrics.GPUProcess{{PID: 7, Used: 10}, {PID: 8, Used: 5}, {PID: 77, Command: "python", Used: 30}}},
		{Index: 1, Total: 100, Processes: []metrics.GPUProcess{{PID: 8, Used: 10}}},
		{Index: 2, Total: 100, Processes: []metrics.GPUProcess{{PID: 99, Used: 90}}},
	}
	var fails error
	n := neighbours{read: func() ([]metrics.GPU, error) { return answer, fails }}
	now := time.Now()
	ask := func() bool { return n.look(now, all) || n.take(all, time.Minute) }
	if !ask() || ask() {
		t.Error("not asked once")
	}
	n.tell(all)
	want := []recording.HostGPU{
		{Index: 0, Total: 100, Own: 10, Others: []recording.HostHolder{{PID: 77, Command: "python", Used: 30}}, Course: []recording.HostShare{{Others: 30}}},
		{Index: 1, Total: 100, Others: []recording.HostHolder{}, Course: []recording.HostShare{{}}},
	}
	if got := all["a"].pages.seen.GPUs; !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v, want %+v", got, want)
	}
	if got := all["c"].pages.seen; got.GPUs != nil || got.NoGPUs != "" {
		t.Errorf("one without a device was told %+v", got)
	}
	answer = answer[2:]
	now = now.Add(askGPUs)
	if ask(); n.reason != strangers {
		t.Errorf("nobody of ours is named, and it is said: %q", n.reason)
	}
	fails = errors.New("no NVML")
	now = now.Add(askGPUs)
	if ask(); n.reason != "no NVML" || n.gpus != nil {
		t.Errorf("%q, %v", n.reason, n.gpus)
	}
	idle := neighbours{read: n.read}
	if idle.look(now, map[string]*watched{"c": all["c"]}) || idle.aside.busy() {
		t.Error("asked though nobody uses a device")
	}
}

// The course of what others hold goes from the beginning to the newest reading, however long it is, has a bounded length, and no gap that
// is longer than the others.
func TestCourseOfNeighbours(t *testing.T) {
	var n neighbours
	for step := range int64(10_000) {
		went := n.went("a 0", step, []recording.HostHolder{{Used: step}, {Used: 1}})
		if len(went) > longestCourse+1 || went[0] != (recording.HostShare{Step: 0, Others: 1}) || went[len(went)-1].Step != step {
			t.Fatalf("step %d: %+v", step, went)
		}
		for i := 1; i < len(went); i++ {
			if gap := went[i].Step - went[i-1].Step; gap < 1 || gap > 1+2*step/(longestCourse/2) || went[i].Others != went[i].Step+1 {
				t.Fatalf("step %d, reading %d: %+v", step, i, went)
			}
		}
	}
}

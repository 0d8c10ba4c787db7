package session

import (
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/recording"
)

// A driver that takes its time to answer holds up no poll; its answer is taken when it comes.
func TestAsideHoldsNothingUp(t *testing.T) {
	w := newWatched(recording.Process{Hello: recording.Hello{PID: 7}}, 7, analysis.Options{})
	w.header.Memories = []string{"host", "cuda:0"}
	all := map[string]*watched{"a": w}
	opened := make(chan bool)
	n := neighbours{read: func() ([]metrics.GPU, error) {
		<-opened
		return []metrics.GPU{{Processes: []metrics.GPUProcess{{PID: 7, Used: 10}}}}, nil
	}}
	for range 3 {
		if n.look(time.Now(), all) {
			t.Fatal("an answer came before it was given")
		}
	}
	close(opened)
	if !n.take(all, time.Minute) || len(n.gpus) != 1 || n.take(all, 0) {
		t.Errorf("taken: %+v, %q", n.gpus, n.reason)
	}
}

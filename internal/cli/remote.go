package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/remote"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/watch"
)

// sendRecording has the series of one recording sent to the address, as an agent would serve them, and returns what ends that.
func sendRecording(address, recording string, stderr io.Writer) (end func(), err error) {
	agent := watch.New(watch.Config{Tool: tool(), Only: recording})
	return send(address, stderr, func(now time.Time) metrics.State {
		agent.Look(now)
		return agent.State()
	})
}

// send has the series of a state sent to the address until end is called, which sends the last ones.
func send(address string, stderr io.Writer, state func(now time.Time) metrics.State) (end func(), err error) {
	say := func(text string) { fmt.Fprintf(stderr, "torchleak: %.500s\n", plain.Text(text)) } // a receiver may answer by a whole page
	host, _ := os.Hostname()
	w, err := remote.New(remote.Config{URL: address, Instance: host, State: state, Warn: func(err error) { say(err.Error()) }})
	if err != nil {
		return nil, &usageError{fmt.Sprintf("--remote-write %s: %v; name the whole address, as in --remote-write http://127.0.0.1:9090/api/v1/write", address, err)}
	}
	ctx, stop := context.WithCancel(context.Background())
	lost := make(chan int, 1)
	go func() { lost <- w.Run(ctx) }()
	return func() {
		stop()
		if n := <-lost; n > 0 {
			say(fmt.Sprintf("%d samples could not be delivered to the receiver of series; the recordings have all that they tell", n))
		}
	}, nil
}

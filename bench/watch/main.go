// Command watch measures what `torchleak watch` takes on a busy machine: it records trainings as the probe does, has them
// followed and scraped, and prints the agent's processor time and memory.
//
//	go run ./bench/watch -minutes 5 -dead 5000 bin/torchleak
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/dev/engine"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording/recordingtest"
)

func main() {
	ranks := flag.Int("ranks", 16, "training processes")
	rate := flag.Int("rate", 100, "steps per second of each")
	dead := flag.Int("dead", 0, "recordings of trainings that have ended")
	minutes := flag.Float64("minutes", 2, "how long")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./bench/watch [flags] TORCHLEAK")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *ranks, *rate, *dead, time.Duration(*minutes*float64(time.Minute))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func run(torchleak string, ranks, rate, dead int, duration time.Duration) error {
	dir, err := os.MkdirTemp("", "bench-watch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	began := time.Now()
	exit := 0
	for i := range dead {
		if err := recordingtest.Start(filepath.Join(dir, fmt.Sprintf("dead-%d", i)), &exit, began); err != nil {
			return err
		}
	}
	trainings, err := begin(filepath.Join(dir, "job"), ranks, began)
	if err != nil {
		return err
	}
	agent, err := engine.New(torchleak, "/healthz", filepath.Join(dir, "watch.log"), func(address string) []string {
		return []string{"watch", "--dir", dir, "--listen", address}
	})
	if err != nil {
		return err
	}
	defer agent.Kill()
	if err := agent.Start(context.Background()); err != nil {
		return err
	}
	return drive(trainings, rate, agent, began, duration)
}

func begin(dir string, ranks int, now time.Time) (all []*recordingtest.Training, err error) {
	if err := recordingtest.Start(dir, nil, now); err != nil {
		return nil, err
	}
	for rank := range ranks {
		t, err := recordingtest.New(dir, 1<<22+rank, rank, now)
		if err != nil {
			return nil, err
		}
		if rank%4 == 0 {
			t.Growth = 1 << 20
		}
		all = append(all, t)
	}
	return all, nil
}

// drive records steps as time passes, scrapes every 15 seconds, and prints what the agent has taken since the line before.
func drive(trainings []*recordingtest.Training, rate int, agent *engine.Engine, began time.Time, duration time.Duration) error {
	const tick, scrape = 100 * time.Millisecond, 15 * time.Second
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last, lastCPU := began, 0.0
	for now := range ticker.C {
		due := int64(now.Sub(began).Seconds() * float64(rate))
		for _, t := range trainings {
			if n := due - t.Step; n > 0 {
				if err := t.Steps(n, now); err != nil {
					return err
				}
			}
		}
		if now.Sub(last) < scrape {
			continue
		}
		text, err := engine.Get(context.Background(), agent.URL("/metrics"))
		if err != nil {
			return err
		}
		cpu, err := agent.Processor()
		if err != nil {
			return err
		}
		m, err := process.Read(agent.PID())
		if err != nil {
			return err
		}
		fmt.Printf("%5.0f s  %7d steps  %5d series  %.2f %% of one processor  %.1f MB resident, %.1f MB of it anonymous\n", now.Sub(began).Seconds(),
			due, strings.Count(string(text), "\ntorchleak_"), 100*(cpu-lastCPU)/now.Sub(last).Seconds(), float64(m.RSS)/1e6, float64(m.Anon)/1e6)
		last, lastCPU = now, cpu
		if now.Sub(began) > duration {
			return nil
		}
	}
	return nil
}

// Command watch measures what `torchleak watch` takes on a busy machine: it records trainings as the probe does, has them
// followed and scraped, and prints the agent's processor time and memory.
//
//	go run ./bench/watch -minutes 5 -dead 5000 bin/torchleak
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

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
	agent := exec.Command(torchleak, "watch", "--dir", dir, "--listen", "127.0.0.1:0")
	stderr, err := agent.StderrPipe()
	if err != nil {
		return err
	}
	if err := agent.Start(); err != nil {
		return err
	}
	defer func() { _ = agent.Process.Kill(); _ = agent.Wait() }()
	address := make(chan string, 1)
	go readAddress(stderr, address)
	return drive(trainings, rate, agent.Process.Pid, <-address, began, duration)
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

// readAddress finds where the agent serves, and reads on so that it never waits for us.
func readAddress(from io.Reader, address chan<- string) {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		for word := range strings.FieldsSeq(lines.Text()) {
			if strings.HasSuffix(strings.TrimSuffix(word, ";"), "/metrics") {
				address <- strings.TrimSuffix(word, ";")
			}
		}
	}
}

// drive records steps as time passes, scrapes every 15 seconds, and prints what the agent has taken since the line before.
func drive(trainings []*recordingtest.Training, rate, pid int, address string, began time.Time, duration time.Duration) error {
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
		series, err := count(address)
		if err != nil {
			return err
		}
		cpu, err := processorSeconds(pid)
		if err != nil {
			return err
		}
		m, err := process.Read(pid)
		if err != nil {
			return err
		}
		fmt.Printf("%5.0f s  %7d steps  %5d series  %.2f %% of one processor  %.1f MB resident, %.1f MB of it anonymous\n", now.Sub(began).Seconds(),
			due, series, 100*(cpu-lastCPU)/now.Sub(last).Seconds(), float64(m.RSS)/1e6, float64(m.Anon)/1e6)
		last, lastCPU = now, cpu
		if now.Sub(began) > duration {
			return nil
		}
	}
	return nil
}

func count(address string) (series int, err error) {
	response, err := http.Get(address)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return strings.Count(string(text), "\ntorchleak_"), err
}

// processorSeconds is what a process has taken of processors, by fields 14 and 15 of /proc/PID/stat in clock ticks of 10 ms.
func processorSeconds(pid int) (float64, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return float64(user+system) / 100, errors.Join(err1, err2)
}

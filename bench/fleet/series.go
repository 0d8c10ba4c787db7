package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/metrics"
)

const ranksPerNode = 8

// Rules look at the newest sample, but for the agents' errors, of which they want a quarter of an hour.
var (
	newest  = []time.Duration{-2 * time.Minute, -time.Minute, 0}
	quarter = []time.Duration{-15 * time.Minute, -10 * time.Minute, -5 * time.Minute, 0}
)

// writeFleet writes the series of so many ranks as OpenMetrics, as if they had been scraped up to now, and returns how many series
// there are. One in 20 ranks leaks, one in 100 is soon out of memory, one in 50 is fragmented, one in 200 stands still.
func writeFleet(path string, ranks int, now time.Time) (series int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	for first := 0; first < ranks; first += ranksPerNode {
		var text bytes.Buffer
		state := node(first, min(first+ranksPerNode, ranks), now)
		if err := metrics.WriteText(&text, func() metrics.State { return state }); err != nil {
			return 0, err
		}
		series += scraped(w, text.String(), first/ranksPerNode, now)
	}
	fmt.Fprintln(w, "# EOF")
	if err := w.Flush(); err != nil {
		return 0, err
	}
	return series, f.Close()
}

// scraped writes what one agent serves with the labels that Prometheus adds, once for each scrape.
func scraped(w *bufio.Writer, text string, node int, now time.Time) (series int) {
	target := fmt.Sprintf("{instance=\"node%d:9907\",job=\"torchleak\"", node)
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		space := strings.LastIndexByte(line, ' ')
		name, labels, some := strings.Cut(line[:space], "{")
		labels = target + "," + labels
		if !some {
			labels = target + "}"
		}
		times := newest
		if name == "torchleak_watch_errors_total" {
			times = quarter
		}
		for _, ago := range times {
			fmt.Fprintf(w, "%s%s %s %d\n", name, labels, strings.TrimSpace(line[space:]), now.Add(ago).Unix())
		}
		series++
	}
	return series
}

// node is what the agent of one machine knows: ranks of one job.
func node(first, end int, now time.Time) metrics.State {
	s := metrics.State{Version: "0.1.0", Agent: metrics.Agent{Running: 1, Looked: now}}
	for rank := first; rank < end; rank++ {
		s.Ranks = append(s.Ranks, training(rank, now))
	}
	return s
}

func training(rank int, now time.Time) metrics.Rank {
	m := metrics.Memory{Memory: finding.Memory{Name: "cuda:0", Kind: "device", Verdict: finding.Healthy, LimitBytes: pointer[int64](80 << 30), LastBytes: pointer[int64](4 << 30), PeakBytes: pointer[int64](5 << 30)}}
	for i := range m.Values {
		m.Values[i] = int64(rank) << 20
	}
	host := metrics.Memory{Memory: finding.Memory{Name: "host", Kind: "host", Verdict: finding.Bounded, LastBytes: pointer[int64](200 << 20)}}
	host.Values = [memory.Values]int64{200 << 20, 220 << 20, 900_000, 900 << 20, 600 << 20, 0, 0, 300 << 20, 0, 0, 1 << 20, 0}
	r := metrics.Rank{Recording: "/shared/job/" + strconv.Itoa(rank/ranksPerNode), Running: true, LastStep: now, StepTime: 200 * time.Millisecond, Probe: time.Second}
	switch {
	case rank%20 == 0:
		m.Verdict, m.BytesPerStep, m.SecondsToOOM = finding.Leak, pointer[int64](2<<20), pointer(7200.0)
		if rank%100 == 0 {
			m.SecondsToOOM = pointer(600.0)
		}
		r.Report.Findings = []finding.Finding{{Rule: "TL101", Name: "kept-activation", Verdict: finding.Leak, Memory: m.Name, Confidence: finding.Proven,
			Location: &finding.Location{File: "train.py", Line: 57}}}
	case rank%50 == 1:
		m.Verdict = finding.Fragmentation
	case rank%200 == 3:
		r.LastStep = now.Add(-time.Hour)
	}
	r.Memories = []metrics.Memory{m, host}
	r.Report.Verdict = slices.MinFunc([]finding.Verdict{m.Verdict, host.Verdict}, func(a, b finding.Verdict) int { return a.Rank() - b.Rank() })
	r.Report.Steps.Seen = 100_000
	r.Report.Target = finding.Target{Rank: rank, WorldSize: 10_000, PID: 1000 + rank, Argv: []string{"python", "train.py"}, Python: "3.12.3", Torch: "2.11.0"}
	return r
}

func pointer[T any](v T) *T { return &v }

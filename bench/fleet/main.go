// Command fleet asks a real Prometheus how long the rules of deploy/prometheus take on the series of many ranks.
//
//	go run ./bench/fleet -ranks 10000
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/torchleak/torchleak/internal/dev/engine"
)

func main() {
	ranks := flag.Int("ranks", 10_000, "training processes, eight a node")
	rounds := flag.Int("rounds", 4, "evaluations to wait for")
	rules := flag.String("rules", "deploy/prometheus/torchleak.rules.yml", "the rules")
	flag.Parse()
	if err := run(context.Background(), *ranks, *rounds, *rules); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func run(ctx context.Context, ranks, rounds int, rules string) error {
	dir, err := os.MkdirTemp("", "bench-fleet-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b, err := measure(ctx, dir, ranks, rounds, rules)
	if err != nil {
		return err
	}
	fmt.Printf("%d ranks, %d series; %d evaluations, %.2f s of processor time each\n", ranks, b.series, rounds, b.processor)
	for _, r := range b.rules {
		fmt.Printf("%-55s %8.3f s at most, %6d alerts\n", r.name, r.longest, r.alerts)
	}
	return nil
}

// outcome is what Prometheus says of the rules.
type outcome struct {
	series    int
	processor float64 // seconds for an evaluation of all rules
	rules     []timing
}

type timing struct {
	name    string
	longest float64 // seconds
	alerts  int     // pending and firing
}

const evaluateEvery = 5 * time.Second

// measure loads the series of a fleet into a Prometheus, and waits for evaluations of the rules.
func measure(ctx context.Context, dir string, ranks, rounds int, rules string) (o outcome, err error) {
	rules, err = filepath.Abs(rules)
	if err != nil {
		return o, err
	}
	exposition := filepath.Join(dir, "fleet.om")
	if o.series, err = writeFleet(exposition, ranks, time.Now()); err != nil {
		return o, err
	}
	if out, err := exec.Command("promtool", "tsdb", "create-blocks-from", "openmetrics", exposition, filepath.Join(dir, "tsdb")).CombinedOutput(); err != nil {
		return o, fmt.Errorf("promtool: %w\n%s", err, out)
	}
	if err := os.Remove(exposition); err != nil {
		return o, err
	}
	config := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("global: {evaluation_interval: %v}\nrule_files: [%q]\n", evaluateEvery, rules)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return o, err
	}
	prometheus, err := engine.Prometheus("prometheus", config, dir)
	if err != nil {
		return o, err
	}
	defer prometheus.Kill()
	if err := prometheus.Start(ctx); err != nil {
		return o, err
	}
	return o, o.follow(ctx, prometheus, rounds)
}

// follow notes the longest of so many evaluations.
func (o *outcome) follow(ctx context.Context, prometheus *engine.Engine, rounds int) error {
	var last time.Time
	var before float64
	for seen := -1; seen < rounds; { // the first one opens the block: its processor time is not counted
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(evaluateEvery / 10):
		}
		all, newest, err := evaluations(ctx, prometheus)
		if err != nil {
			return err
		}
		if !newest.After(last) {
			continue
		}
		last = newest
		seen++
		o.take(all)
		now, err := prometheus.Processor()
		if err != nil {
			return err
		}
		if seen == 0 {
			before = now
		}
		o.processor = (now - before) / float64(max(seen, 1))
	}
	return nil
}

func (o *outcome) take(all []timing) {
	if o.rules == nil {
		o.rules = all
		return
	}
	for i := range all {
		o.rules[i].longest = max(o.rules[i].longest, all[i].longest)
		o.rules[i].alerts = max(o.rules[i].alerts, all[i].alerts)
	}
}

// evaluations is what Prometheus says of the last one of each rule, and when the earliest of these was: zero where one is
// still to come.
func evaluations(ctx context.Context, prometheus *engine.Engine) (all []timing, at time.Time, err error) {
	body, err := engine.Get(ctx, prometheus.URL("/api/v1/rules"))
	if err != nil {
		return nil, at, err
	}
	var answer struct {
		Data struct {
			Groups []struct {
				Rules []struct {
					Name, Health, LastError string
					EvaluationTime          float64
					LastEvaluation          time.Time
					Alerts                  []struct{}
				}
			}
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, at, err
	}
	at = time.Now()
	for _, g := range answer.Data.Groups {
		for _, r := range g.Rules {
			if r.Health == "err" {
				return nil, at, fmt.Errorf("%s: %s", r.Name, r.LastError)
			}
			if r.LastEvaluation.Before(at) {
				at = r.LastEvaluation
			}
			all = append(all, timing{r.Name, r.EvaluationTime, len(r.Alerts)})
		}
	}
	return all, at, nil
}

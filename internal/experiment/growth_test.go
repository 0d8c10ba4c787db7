package experiment

import (
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/session"
)

// curveOf has a reading in every step: value(step).
func curveOf(steps int64, value func(step int64) int64) Curve {
	c := Curve{least: 256}
	for s := int64(1); s <= steps; s++ {
		c.Steps, c.Values = append(c.Steps, s), append(c.Values, value(s))
	}
	return c
}

func TestRate(t *testing.T) {
	for _, c := range []struct {
		name   string
		curve  Curve
		period int64
		want   float64
		grows  bool
	}{
		{"every step", curveOf(60, func(s int64) int64 { return 1000 * s }), 1, 1000, true},
		{"one jump of a MiB", curveOf(60, func(s int64) int64 { return 1000*s + s/40*(1<<20) }), 1, 1000, true},
		{"every tenth step", curveOf(80, func(s int64) int64 { return 10_000 * (s / 10) }), 10, 1000, true},
		{"flat with noise", curveOf(60, func(s int64) int64 { return 5000 * (s % 2) }), 2, 0, false},
		{"ends in the middle", curveOf(60, func(s int64) int64 { return 1000 * min(s, 36) }), 1, 0, false},
		{"too little to matter", curveOf(60, func(s int64) int64 { return 100 * s }), 1, 100, false},
	} {
		got, ok := c.curve.Rate(Settled, c.curve.Last(), c.period)
		if c.name == "ends in the middle" {
			got, ok = c.curve.Rate(36, c.curve.Last(), c.period)
		}
		if !ok || got != c.want || c.curve.Grows(Settled, c.period) != c.grows {
			t.Errorf("%s: %v a step, grows %v; want %v, %v", c.name, got, !c.grows, c.want, c.grows)
		}
	}
	if _, ok := curveOf(Settled+leastPoints-1, func(s int64) int64 { return s }).Rate(Settled, 100, 1); ok {
		t.Error("a rate of too few readings")
	}
}

func TestCompare(t *testing.T) {
	g := Growth{Curve: curveOf(60, func(s int64) int64 { return 1 << 20 * s }), From: 12}
	drawn, flat := g.Compare(curveOf(60, func(s int64) int64 { return 5 }), 60)
	with, without := drawn.Bars, flat.Bars
	if len([]rune(with)) != bars || []rune(with)[bars-1] != '█' || []rune(with)[0] != '▁' {
		t.Errorf("growth is drawn as %s", with)
	}
	for _, r := range without {
		if r != '▁' {
			t.Errorf("what is flat is drawn as %s", without)
			break
		}
	}
}

// What gathering evidence adds to the heap, in one jump or two, is no growth; half of what there was is.
func TestRest(t *testing.T) {
	g := Growth{From: Settled, To: 120, Period: 1, Rate: 3000}
	for _, c := range []struct {
		name  string
		curve Curve
		want  float64
	}{
		{"two jumps", curveOf(120, func(s int64) int64 { return s/60*350_000 + s/90*70_000 }), 0},
		{"a slower rise", curveOf(120, func(s int64) int64 { return 1500*s + s/60*350_000 }), 1500},
	} {
		if got, ok := g.Rest(c.curve); !ok || got != c.want {
			t.Errorf("%s: %v a step, want %v", c.name, got, c.want)
		}
	}
}

// What shows growth best: the memory that leaks and not one that only may, a device before the host, and of what lies on the
// host what grows most.
func TestGrowing(t *testing.T) {
	rises := func(memory, name string, rate int64, main, device bool) Curve {
		c := curveOf(120, func(s int64) int64 { return rate * s })
		c.Series, c.main, c.device = Series{Memory: memory, Name: name, Unit: "bytes"}, main, device
		return c
	}
	used, shared, worker := rises("host", "used", 1600, true, false), rises("shm", "shared", 50_000, true, false), rises("worker:0", "own", 90_000, true, false)
	anonymous, device := rises("host", "anonymous", 70_000, false, false), rises("cuda:0", "allocated", 512, true, true)
	for _, c := range []struct {
		name     string
		verdicts map[string]finding.Verdict
		curves   []Curve
		want     Series
	}{
		{"batches of workers", map[string]finding.Verdict{"host": "leak", "shm": "leak", "worker:0": "healthy"}, []Curve{used, shared, anonymous, worker}, shared.Series},
		{"the device first", map[string]finding.Verdict{"cuda:0": "leak", "host": "leak"}, []Curve{device, used}, device.Series},
		{"one that leaks before one that may", map[string]finding.Verdict{"cuda:0": "undecided", "host": "leak"}, []Curve{device, used}, used.Series},
		{"one that may", map[string]finding.Verdict{"host": "undecided"}, []Curve{used}, used.Series},
		{"a cache", map[string]finding.Verdict{"host": "bounded"}, []Curve{used}, Series{}},
	} {
		var report finding.Report
		for name, v := range c.verdicts {
			report.Memories = append(report.Memories, finding.Memory{Name: name, Verdict: v})
		}
		g, ok := Growing(Run{Result: session.Result{Reports: []finding.Report{report}}, Curves: c.curves})
		if g.Curve.Series != c.want || ok != (c.want != Series{}) {
			t.Errorf("%s: %v, %v; want %v", c.name, g.Curve.Series, ok, c.want)
		}
	}
}

package smoke

import (
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

// run is a memory that holds start bytes and each more after every step from since on.
func run(verdict finding.Verdict, steps, start, each, since int64) finding.Memory {
	m := finding.Memory{Name: "cuda:0", Kind: "device", Verdict: verdict, Series: map[string][]int64{}}
	for s := int64(1); s <= steps; s++ {
		m.Steps = append(m.Steps, s)
		m.Series["allocated"] = append(m.Series["allocated"], start+each*max(0, s-since))
	}
	peak := m.Series["allocated"][steps-1]
	m.PeakBytes = &peak
	return m
}

func reportOf(memories ...finding.Memory) finding.Report {
	r := finding.Report{Memories: memories, Steps: finding.Steps{Seen: 200}, Verdict: finding.Undecided}
	r.Target.Torch, r.Target.Python = "2.15.0", "3.12.1"
	return r
}

func onLeak(v finding.Verdict) bool { return v == finding.Leak }

func TestWindows(t *testing.T) {
	for _, c := range []struct {
		steps int64
		want  Windows
	}{{200, Windows{50, 100, 150}}, {5000, Windows{50, 100, 150}}, {150, Windows{50, 100, 150}}, {149, Windows{37, 74, 111}}, {40, Windows{10, 20, 30}}} {
		if got := WindowsOf(c.steps); got != c.want {
			t.Errorf("%d steps: %v, want %v", c.steps, got, c.want)
		}
	}
}

func TestGrowth(t *testing.T) {
	w := WindowsOf(200)
	steady := run(finding.Leak, 200, 1<<20, 4096, 0)
	if got := w.grew(steady); got == nil || *got != 100*4096 {
		t.Errorf("steady growth: %v, want 100 steps of 4096", got)
	}
	// The last step has readings before it only: the median of the steps 195 to 200 is that of 198, two steps early.
	if got := w.later(steady); got == nil || *got != 98*4096/100 {
		t.Errorf("steady growth after 100: %v, want %d", got, 98*4096/100)
	}
	stops := run(finding.Bounded, 200, 1<<20, 0, 0)
	for i := range stops.Series["allocated"] {
		stops.Series["allocated"][i] += 1000 * min(int64(i), 90)
	}
	if got, later := w.grew(stops), w.later(stops); *got != 41_000 || *later != 0 { // step 50 is index 49
		t.Errorf("growth that stopped at step 91: %d and %d", *got, *later)
	}
	spike := run(finding.Healthy, 200, 1<<20, 0, 0)
	spike.Series["allocated"][149] = 1 << 30
	if got := w.grew(spike); *got != 0 {
		t.Errorf("an evaluation in step 150 counts as growth of %d", *got)
	}
	if got := w.grew(run(finding.Healthy, 149, 1, 0, 0)); got != nil {
		t.Errorf("a run of 149 steps grew by %d up to step 150", *got)
	}
}

// aside is the memory of a loader worker that lived for so many steps.
func aside(name string, verdict finding.Verdict, steps int64) finding.Memory {
	m := run(verdict, steps, 1<<20, 0, 0)
	m.Name, m.Kind = name, "worker"
	return m
}

func TestOutcome(t *testing.T) {
	unread := finding.Memory{Name: "host", Kind: "host", Verdict: finding.Undecided}
	need := int64(60)
	waits := run(finding.Undecided, 200, 1<<20, 10, 0)
	waits.NeedSteps = &need
	flat := run(finding.Healthy, 200, 1<<20, 0, 0)
	for _, c := range []struct {
		name     string
		memories []finding.Memory
		want     Outcome
		need     int64
	}{
		{"flat", []finding.Memory{flat}, Passed, 0},
		{"a leak beside a flat one", []finding.Memory{flat, run(finding.Leak, 200, 1, 512, 0)}, Failed, 0},
		{"a leak in a run that is too short", []finding.Memory{run(finding.Leak, 60, 1, 512, 0)}, Failed, 0},
		{"too short to say", []finding.Memory{run(finding.Healthy, 120, 1, 0, 0)}, Unjudged, 0},
		{"undecided beside a flat one", []finding.Memory{flat, waits}, Unjudged, 260},
		{"cannot be read, beside a flat one", []finding.Memory{unread, flat}, Passed, 0},
		{"nothing can be read", []finding.Memory{unread}, Unjudged, 0},
		{"nothing was watched", nil, Unjudged, 0},
		{"a loader worker of one epoch, beside a flat one", []finding.Memory{flat, aside("worker:2", finding.Undecided, 30)}, Passed, 0},
		{"a loader worker that leaks", []finding.Memory{flat, aside("worker:0", finding.Leak, 200)}, Failed, 0},
		{"nothing but a loader worker of one epoch", []finding.Memory{aside("worker:2", finding.Undecided, 30)}, Unjudged, 0},
		{"bounded", []finding.Memory{run(finding.Bounded, 200, 1, 100, 0)}, Passed, 0},
	} {
		r := Judge(reportOf(c.memories...), WindowsOf(200), onLeak)
		if got, need := r.Outcome(), r.Need(); got != c.want || need != c.need {
			t.Errorf("%s: %s, needs %d; want %s, %d", c.name, got, need, c.want, c.need)
		}
	}
}

// TestRanks finds a leak of one rank only.
func TestRanks(t *testing.T) {
	healthy, leaking := reportOf(run(finding.Healthy, 200, 1, 0, 0)), reportOf(run(finding.Leak, 200, 1, 512, 0))
	leaking.Target.Rank = 1
	leaking.Findings = []finding.Finding{{Rule: "TL102", Memory: "host"}, {Rule: "TL101", Memory: "cuda:0"}}
	merged := finding.Merge([]finding.Report{healthy, leaking}, finding.Tool{}, nil, nil)
	r := Judge(merged, WindowsOf(200), onLeak)
	if r.Ranks != 2 || len(r.Checks) != 2 || r.Checks[0].Outcome != Passed || r.Checks[1].Outcome != Failed || r.Checks[1].Rank != 1 {
		t.Fatalf("got %+v", r)
	}
	if f := r.Checks[1].Finding; f == nil || f.Rule != "TL101" {
		t.Errorf("the failure is explained by %v, want the finding on its memory", f)
	}
}

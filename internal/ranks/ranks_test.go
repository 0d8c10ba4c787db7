package ranks

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/torchleak/torchleak/internal/finding"
)

func number(v int64) *int64 { return &v }

// healthy is the report of a rank that holds 1 GiB of a device and 100 MiB of the host, at 10 ms a step.
func healthy(rank, world int) finding.Report {
	seconds, exit := 0.010, 0
	return finding.Report{
		Target:  finding.Target{Rank: rank, WorldSize: world, PID: 100 + rank, Exit: &exit, End: &finding.End{How: finding.Ended}},
		Steps:   finding.Steps{Seen: 100, SecondsPerStep: &seconds},
		Verdict: finding.Healthy,
		Memories: []finding.Memory{
			{Name: fmt.Sprintf("cuda:%d", rank%8), Kind: "device", Verdict: finding.Healthy, LastBytes: number(1 << 30)},
			{Name: "host", Kind: "host", Verdict: finding.Healthy, LastBytes: number(100 << 20)},
		},
	}
}

// leaking is one that leaks at a line.
func leaking(rank, world, line int, bytes, since int64) finding.Report {
	r := healthy(rank, world)
	r.Verdict = finding.Leak
	r.Memories[0].Verdict, r.Memories[0].BytesPerStep, r.Memories[0].SinceStep = finding.Leak, &bytes, &since
	r.Findings = []finding.Finding{{Rule: "TL101", Name: "kept-activation", Location: &finding.Location{File: "train.py", Line: line}}}
	return r
}

func merged(reports ...finding.Report) finding.Report {
	return Merge(reports, finding.Tool{}, nil, nil)
}

func kinds(odd []finding.Odd) (out []string) {
	for _, o := range odd {
		out = append(out, fmt.Sprintf("%d %s", o.Rank, o.Kind))
	}
	return out
}

func TestAlike(t *testing.T) {
	r := merged(healthy(0, 5), leaking(1, 5, 57, 2000, 3), leaking(2, 5, 57, 2200, 3), leaking(3, 5, 80, 100, 9), healthy(4, 5))
	if r.Verdict != finding.Leak || r.Target.Rank != 1 || len(r.Ranks) != 5 {
		t.Fatalf("on top is rank %d, %s, of %d", r.Target.Rank, r.Verdict, len(r.Ranks))
	}
	a := r.Job.Alike
	if len(a) != 3 || !slices.Equal(a[0].Ranks, []int{1, 2}) || !slices.Equal(a[1].Ranks, []int{3}) || !slices.Equal(a[2].Ranks, []int{0, 4}) {
		t.Fatalf("%+v", a)
	}
	if *a[0].BytesPerStep != 2100 || *a[0].SinceStep != 3 || *a[0].Location != (finding.Place{File: "train.py", Line: 57}) || a[0].Memory != "device" {
		t.Errorf("%+v", a[0])
	}
	if a[2].BytesPerStep != nil || a[2].Location != nil {
		t.Errorf("healthy ranks: %+v", a[2])
	}
	if len(r.Job.Odd) > 0 {
		t.Errorf("odd: %v", kinds(r.Job.Odd))
	}
}

// Each way to differ is told of the rank that differs and of no other.
func TestOdd(t *testing.T) {
	for name, c := range map[string]struct {
		change func(ranks []finding.Report)
		want   []string
	}{
		"nothing":         {func([]finding.Report) {}, nil},
		"slow":            {func(r []finding.Report) { s := 0.016; r[2].Steps.SecondsPerStep = &s }, []string{"2 slow"}},
		"a little slower": {func(r []finding.Report) { s := 0.014; r[2].Steps.SecondsPerStep = &s }, nil},
		"behind":          {func(r []finding.Report) { r[1].Steps.Seen = 80 }, []string{"1 behind"}},
		"still running":   {func(r []finding.Report) { r[1].Steps.Seen, r[1].Target.End, r[1].Target.Exit = 80, nil, nil }, nil},
		"holds more":      {func(r []finding.Report) { r[0].Memories[0].LastBytes = number(2 << 30) }, []string{"0 level"}},
		"a small heap":    {func(r []finding.Report) { r[0].Memories[1].LastBytes = number(150 << 20) }, nil},
		"another's device": {func(r []finding.Report) {
			r[3].Memories = append(r[3].Memories, finding.Memory{Name: "cuda:0", Kind: "device", Verdict: finding.Healthy, LastBytes: number(400 << 20)})
		}, []string{"3 level", "3 devices"}},
		"one name for all devices": {func(r []finding.Report) {
			for i := range r {
				r[i].Memories[0].Name = "cuda:0"
			}
		}, nil},
		"killed": {func(r []finding.Report) {
			r[0].Target.End = &finding.End{How: finding.Killed, Signal: "SIGTERM", Nanos: 1}
			r[1].Target.End = &finding.End{How: finding.Killed, Signal: "SIGKILL", Nanos: 2}
			r[2].Target.End = &finding.End{How: finding.Failed, Nanos: 1}
			r[3].Target.End = &finding.End{How: finding.Interrupted, Nanos: 1}
		}, []string{"1 killed", "2 failed", "0 killed"}},
		"killed long after": {func(r []finding.Report) {
			r[1].Target.End = &finding.End{How: finding.Killed, Signal: "SIGKILL", Nanos: 1 + 10*atOnce}
			r[2].Target.End = &finding.End{How: finding.Failed, Nanos: 1}
		}, []string{"2 failed", "1 killed"}},
	} {
		reports := []finding.Report{healthy(0, 4), healthy(1, 4), healthy(2, 4), healthy(3, 4)}
		c.change(reports)
		if got := kinds(merged(reports...).Job.Odd); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestOddAmongThoseThatLeakAlike(t *testing.T) {
	r := merged(leaking(0, 4, 57, 1000, 3), leaking(1, 4, 57, 1001, 3), leaking(2, 4, 57, 5000, 3), leaking(3, 4, 57, 1000, 60))
	if got := kinds(r.Job.Odd); !slices.Equal(got, []string{"2 growth", "3 onset"}) {
		t.Errorf("%v", got)
	}
}

func TestMedianWithout(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for n := 2; n < 9; n++ {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(rng.Intn(5))
		}
		slices.Sort(values)
		for i, v := range values {
			others := slices.Delete(slices.Clone(values), i, i+1)
			want := (others[(n-2)/2] + others[(n-1)/2]) / 2
			if got := medianWithout(values, v); got != want {
				t.Errorf("%v without %v: %v, want %v", values, v, got, want)
			}
		}
	}
}

func TestMissing(t *testing.T) {
	r := merged(healthy(1, 4))
	if r.Job == nil || !slices.Equal(r.Job.Missing, []int{0, 2, 3}) || len(r.Ranks) != 0 {
		t.Errorf("%+v", r.Job)
	}
	if r := merged(healthy(0, 1)); r.Job != nil {
		t.Errorf("a single process is a job: %+v", r.Job)
	}
}

// A rank that is started again counts by its last start, in whatever order its reports come; two that run at the same time
// are both there, and said to be strange.
func TestRankTwice(t *testing.T) {
	first, second := leaking(1, 2, 57, 1000, 3), healthy(1, 2)
	first.Target.Began, first.Target.Latest = 10, 20
	second.Target.Began, second.Target.Latest = 30, 40
	for _, order := range [][]finding.Report{{healthy(0, 2), first, second}, {healthy(0, 2), second, first}} {
		r := merged(order...)
		if len(r.Ranks) != 2 || r.Verdict != finding.Healthy || r.Ranks[1].Target.Began != 30 || len(r.Notes) > 0 {
			t.Errorf("%d ranks, %s, %q", len(r.Ranks), r.Verdict, r.Notes)
		}
	}
	second.Target.Began = 15
	if r := merged(healthy(0, 2), first, second); len(r.Ranks) != 3 || r.Verdict != finding.Leak || len(r.Notes) != 1 {
		t.Errorf("at the same time: %d ranks, %s, %q", len(r.Ranks), r.Verdict, r.Notes)
	}
}

// Of many ranks only the one on top keeps its whole curves.
func TestManyRanks(t *testing.T) {
	m := New()
	const many, points = 1000, 600
	for rank := range many {
		r := healthy(rank, many)
		if rank == 777 {
			r = leaking(rank, many, 57, 1000, 3)
		}
		for step := range int64(points) {
			r.Memories[0].Steps = append(r.Memories[0].Steps, step+1)
		}
		r.Memories[0].Series = map[string][]int64{"allocated": slices.Clone(r.Memories[0].Steps)}
		m.Add(r)
	}
	r := m.Report(finding.Tool{}, nil, nil, "", many)
	if r.Target.Rank != 777 || len(r.Memories[0].Steps) != points || len(r.Ranks) != many {
		t.Fatalf("on top is rank %d with %d points, of %d", r.Target.Rank, len(r.Memories[0].Steps), len(r.Ranks))
	}
	for _, rank := range r.Ranks {
		steps, values := rank.Memories[0].Steps, rank.Memories[0].Series["allocated"]
		if len(steps) > coarsePoints || len(steps) != len(values) || steps[len(steps)-1] != points {
			t.Fatalf("rank %d has %d points and %d figures to step %d", rank.Target.Rank, len(steps), len(values), steps[len(steps)-1])
		}
	}
}

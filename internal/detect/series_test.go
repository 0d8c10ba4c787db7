package detect

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSeries(t *testing.T) {
	files, err := filepath.Glob("testdata/*.series")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d scenarios (%v), want 40 or more", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".series"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := parseScenario(string(text))
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			s.run(t)
		})
	}
}

// run plays the scenario as a session would and checks every expectation at its step.
func (s *scenario) run(t *testing.T) {
	d := New(s.kind, s.options)
	if s.hoards {
		d.Hoards(true)
	}
	if s.fills > 0 {
		d.Fills(true, s.fills)
	}
	var asked []int64
	due, span := int64(0), int64(0)
	for step := int64(1); step <= s.steps; step++ {
		if !s.missing[step] {
			sample := bare(s.kind, step)
			sample.Flags = s.flags[step]
			for _, l := range s.values {
				if step <= int64(len(l.values)) {
					sample.V[l.index] = l.values[step-1]
				}
			}
			d.Observe(sample)
		}
		if a, ok := s.due(step, due == step); ok {
			c := a.found
			c.Step = step
			if c.Span == 0 {
				c.Span = span
			}
			d.Confirm(c)
			due = 0
		}
		if sus, ok := d.Suspicion(); ok && due <= step {
			asked = append(asked, step)
			span = 2 * max(2, sus.Period)
			due = step + span
			if !s.answersRequests() {
				due = math.MaxInt64
			}
		}
		for _, e := range s.expect {
			if e.at == step || e.at == 0 && step == s.steps {
				e.check(t, d, asked)
			}
		}
	}
}

func (e *expectation) check(t *testing.T, d *Detector, asked []int64) {
	t.Helper()
	m := d.Memory()
	if e.verdict != "" && string(m.Verdict) != e.verdict {
		t.Errorf("expect %s: got %s (%s), since %s, %s bytes a step", e.source, m.Verdict, m.Why, show(m.SinceStep), show(m.BytesPerStep))
		return
	}
	figure := map[string]*int64{
		"slope": m.BytesPerStep, "since": m.SinceStep, "until": m.UntilStep, "period": m.Period, "detected": m.DetectedAtStep,
		"oom": m.StepsToOOM, "need": m.NeedSteps, "first": m.FirstBytes, "last": m.LastBytes, "limit": m.LimitBytes,
	}
	figure["suspicions"] = pointer(int64(len(asked)))
	if len(asked) > 0 {
		figure["suspected"] = &asked[0]
	}
	if m.Interval != nil {
		figure["lo"], figure["hi"] = &m.Interval[0], &m.Interval[1]
	}
	figure["warmup"] = pointer(d.Warmup())
	for _, term := range e.terms {
		v := figure[term.name]
		if v == nil {
			t.Errorf("expect %s: %s is not known", e.source, term.name)
			continue
		}
		if !term.holds(float64(*v)) {
			t.Errorf("expect %s: %s is %d (%s)", e.source, term.name, *v, m.Why)
		}
	}
}

func (x *term) holds(v float64) bool {
	switch x.op {
	case "<=":
		return v <= x.value
	case ">=":
		return v >= x.value
	case "=":
		return math.Abs(v-x.value) <= x.margin
	}
	return false
}

// A scenario that is not understood must not pass for one that holds.
func TestScenarioErrors(t *testing.T) {
	for _, text := range []string{
		"",
		"memory device\nallocated 1Mi x10", // no expectation
		"memory device\nalocated 1Mi x10\nexpect healthy",
		"memory device\nallocated ( 1Mi x10\nexpect healthy",
		"memory device\nallocated 1Mi xx\nexpect healthy",
		"memory device\nallocated 1Mi x9\nconfirm maybe\nexpect healthy",
		"memory device limits=3\nallocated 1Mi x9\nexpect healthy",
	} {
		if _, err := parseScenario(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestExpand(t *testing.T) {
	// 10, 10, then up by 4 twice, a gap, a group of up 1 and down 1 twice.
	got, err := expand(strings.Fields("10 x2 +4 x2 _ ( +1 -1 ) x2"))
	want := []int64{10, 10, 14, 18, math.MinInt64, 19, 18, 19, 18}
	if err != nil || len(got) != len(want) {
		t.Fatalf("got %v (%v), want %v", got, err, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
	if got, _ = expand(strings.Fields("every=3 7 +1")); len(got) != 6 || got[2] != 7 || got[5] != 8 || got[0] != math.MinInt64 {
		t.Fatalf("every third: %v", got)
	}
}

package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/sentinel"
)

var onLeak = []sentinel.Rule{{Name: "leak", Verdicts: []finding.Verdict{finding.Leak}}}

// rank is a process of number 7 whose host memory has a verdict.
func rank(recording string, verdict finding.Verdict, running bool) metrics.Rank {
	r := metrics.Rank{Recording: recording, Running: running, Memories: []metrics.Memory{{Memory: finding.Memory{Name: "host", Kind: "host", Verdict: verdict}}}}
	r.Report.Target.PID = 7
	return r
}

// Processes of one number in two recordings have faults of their own; one ends when its process does, or is no longer known.
func TestFleetAlarm(t *testing.T) {
	var said bytes.Buffer
	a, err := newAlarm(nil, t.TempDir(), false, &said)
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	f := newFleetAlarm(a, onLeak, "n1", "en")
	now := time.Unix(1000, 0)
	for i, look := range []struct {
		ranks            []metrics.Rank
		firing, resolved int // said at this look
	}{
		{[]metrics.Rank{rank("/a", finding.Leak, true), rank("/b", finding.Healthy, true)}, 1, 0},
		{[]metrics.Rank{rank("/a", finding.Leak, true), rank("/b", finding.Leak, true)}, 1, 0},
		{[]metrics.Rank{rank("/a", finding.Leak, false), rank("/b", finding.Leak, true)}, 0, 1},
		{[]metrics.Rank{rank("/b", finding.Leak, true)}, 0, 0},
		{nil, 0, 1},
	} {
		said.Reset()
		now = now.Add(time.Second)
		f.observe(now, look.ranks)
		firing, resolved := strings.Count(said.String(), "firing"), strings.Count(said.String(), "resolved")
		if firing != look.firing || resolved != look.resolved {
			t.Errorf("look %d: %d firing and %d resolved, want %d and %d: %s", i, firing, resolved, look.firing, look.resolved, said.String())
		}
	}
	if len(f.sentinels) != 0 {
		t.Errorf("%d processes are remembered", len(f.sentinels))
	}
}

// An agent that is killed and started again tells nothing twice, and takes back what has ended meanwhile: at once what has healed, what it
// does not meet any more after a while. An Alertmanager hears of what is open from it.
func TestFleetAlarmGoesOn(t *testing.T) {
	dir := t.TempDir()
	var said bytes.Buffer
	start := func() *fleetAlarm {
		said.Reset()
		a, err := newAlarm(nil, dir, false, &said)
		if err != nil {
			t.Fatal(err)
		}
		return newFleetAlarm(a, onLeak, "n1", "en")
	}
	f := start()
	f.observe(time.Unix(1000, 0), []metrics.Rank{rank("/a", finding.Leak, true), rank("/b", finding.Leak, true), rank("/c", finding.Leak, true)})
	if strings.Count(said.String(), "firing") != 3 {
		t.Fatal(said.String())
	}
	f.close() // takes nothing back

	f = start()
	if f.observe(f.began.Add(time.Second), nil); said.Len() > 0 {
		t.Errorf("before the trainings are met: %s", said.String())
	}
	f.observe(f.began.Add(2*time.Second), []metrics.Rank{rank("/a", finding.Leak, true), rank("/b", finding.Bounded, true)})
	if got := said.String(); strings.Contains(got, "firing") || strings.Count(got, "resolved") != 1 {
		t.Errorf("one has healed: %s", got)
	}
	f.close()

	f = start()
	defer f.close()
	f.observe(f.began.Add(metAgain), []metrics.Rank{rank("/a", finding.Leak, true)})
	if got := said.String(); strings.Contains(got, "firing") || strings.Count(got, "resolved") != 1 {
		t.Errorf("one is gone: %s", got)
	}
	f.observe(f.began.Add(metAgain+time.Second), nil)
	if got := said.String(); strings.Count(got, "resolved") != 2 {
		t.Errorf("the last one is gone: %s", got)
	}
}

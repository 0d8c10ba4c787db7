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

// Processes of one number in two recordings have faults of their own; one ends when its process does, or is no longer known.
func TestFleetAlarm(t *testing.T) {
	var said bytes.Buffer
	a, err := newAlarm(nil, t.TempDir(), false, &said)
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	f := &fleetAlarm{alarm: a, host: "n1", sentinels: map[seen]*sentinel.Sentinel{},
		rules: []sentinel.Rule{{Name: "leak", Verdicts: []finding.Verdict{finding.Leak}}}}
	rank := func(recording string, verdict finding.Verdict, running bool) metrics.Rank {
		r := metrics.Rank{Recording: recording, Running: running, Memories: []metrics.Memory{{Memory: finding.Memory{Name: "host", Kind: "host", Verdict: verdict}}}}
		r.Report.Target.PID = 7
		return r
	}
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

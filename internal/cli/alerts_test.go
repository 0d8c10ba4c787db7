package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/sentinel"
	"github.com/torchleak/torchleak/internal/session"
)

var onLeak = []sentinel.Rule{{Name: "leak", Verdicts: []finding.Verdict{finding.Leak}}}

// rank is a process of number 7 whose host memory has a verdict.
func rank(recording string, verdict finding.Verdict, running bool) metrics.Rank {
	r := metrics.Rank{Recording: recording, Running: running, Met: true, Memories: []metrics.Memory{{Memory: finding.Memory{Name: "host", Kind: "host", Verdict: verdict}}}}
	r.Report.Target.PID = 7
	return r
}

// newTestAlarm is an alarm for leaks on a fleet, and what it says.
func newTestAlarm(t *testing.T) (*fleetAlarm, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	a, err := newAlarm(nil, t.TempDir(), false, &said)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.close)
	return newFleetAlarm(a, onLeak, "n1", "en"), &said
}

// A fault of a loader worker is taken back when it ends, though a worker with which nothing is wrong has no series.
func TestFleetAlarmOnWorker(t *testing.T) {
	f, said := newTestAlarm(t)
	r := rank("/a", finding.Healthy, true)
	worker := finding.Memory{Name: "worker:0", Kind: "worker", Verdict: finding.Leak}
	r.Memories = append(r.Memories, metrics.Memory{Memory: worker})
	f.observe(time.Unix(1000, 0), []metrics.Rank{r})
	if strings.Count(said.String(), "firing") != 1 {
		t.Fatal(said.String())
	}
	worker.Verdict = finding.Bounded
	r.Memories, r.Quiet = r.Memories[:1], []finding.Memory{worker}
	f.observe(time.Unix(1001, 0), []metrics.Rank{r})
	if strings.Count(said.String(), "resolved") != 1 {
		t.Error(said.String())
	}
}

func unmet(r metrics.Rank) metrics.Rank {
	r.Met = false
	return r
}

// Processes of one number in two recordings have faults of their own; one ends when its process does, or is no longer known.
func TestFleetAlarm(t *testing.T) {
	f, said := newTestAlarm(t)
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
		{[]metrics.Rank{unmet(rank("/c", finding.Leak, true))}, 0, 0}, // it may have been over before the agent was started
		{[]metrics.Rank{rank("/c", finding.Leak, true)}, 1, 0},
		{[]metrics.Rank{unmet(rank("/c", finding.Leak, true))}, 0, 0},
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

// A resolved alert says why: what is not watched any more has not healed.
func TestFleetAlarmSaysWhy(t *testing.T) {
	exit := 0
	target := func(r metrics.Rank, change func(*finding.Target)) metrics.Rank {
		change(&r.Report.Target)
		return r
	}
	for name, c := range map[string]struct {
		then []metrics.Rank
		want string
	}{
		"healed": {[]metrics.Rank{rank("/a", finding.Bounded, true)}, "(the rule matches no more)"},
		"let go": {[]metrics.Rank{target(rank("/a", finding.Leak, true), func(t *finding.Target) { t.Attached = &finding.Attached{LetGo: true} })},
			"(torchleak let go of the training, which runs on unwatched)"},
		"ended": {[]metrics.Rank{target(rank("/a", finding.Leak, false), func(t *finding.Target) { t.Exit = &exit })}, "(the training has ended)"},
		"killed": {[]metrics.Rank{target(rank("/a", finding.Leak, false), func(t *finding.Target) { t.End = &finding.End{How: finding.Killed} })},
			"(the training has ended)"},
		"silent": {[]metrics.Rank{rank("/a", finding.Leak, false)}, "(the training is not seen any more)"},
		"gone":   {nil, "(the training is not seen any more)"},
	} {
		t.Run(name, func(t *testing.T) {
			f, said := newTestAlarm(t)
			f.observe(time.Unix(1000, 0), []metrics.Rank{rank("/a", finding.Leak, true)})
			said.Reset()
			f.observe(time.Unix(1001, 0), c.then)
			if got := said.String(); strings.Count(got, "resolved after 1.0 s "+c.want) != 1 {
				t.Errorf("want %s: %s", c.want, got)
			}
		})
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

// What sends the alerts that are left is said so that a shell takes it, whatever the recording is called.
func TestLaterIsQuoted(t *testing.T) {
	var said notes
	dir := filepath.Join(t.TempDir(), "it's mine")
	receivers := []sentinel.Receiver{{Name: "ops", Kind: "command", Command: []string{"false"}, Timeout: sentinel.Duration{Duration: time.Minute}}}
	config := &session.Config{Dir: recording.Dir{Path: dir}}
	end, err := (&training{}).guard(sentinel.Config{Rules: onLeak, Receivers: receivers}, config, &said)
	if err != nil {
		t.Fatal(err)
	}
	config.Standing(recording.Hello{PID: 7}, 1, []finding.Memory{{Name: "host", Kind: "host", Verdict: finding.Leak}})
	end()
	words := "2 alerts could not be delivered; kept in " + dir + "/alerts, sent by torchleak watch --alerts FILE --spool '" + strings.ReplaceAll(dir, "'", `'\''`) + "/alerts'"
	if got := said.String(); !strings.Contains(got, words) {
		t.Errorf("want %s: %s", words, got)
	}
}

// notes are what several goroutines say.
type notes struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(b)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

// An agent that is killed after it has kept an alert, and before it has noted it, tells it once all the same, and its end too.
func TestFleetAlarmIsKilled(t *testing.T) {
	var killed sync.WaitGroup
	defer killed.Wait()
	dir := t.TempDir()
	receivers := []sentinel.Receiver{{Name: "ops", Kind: "command", Command: []string{"false"}, Timeout: sentinel.Duration{Duration: time.Minute}}}
	// look has an agent start, observe once, and be killed: noted says whether it came to note what is open.
	look := func(verdict finding.Verdict, noted bool, firing, resolved int) {
		t.Helper()
		var said notes
		a, err := newAlarm(receivers, dir, false, &said)
		if err != nil {
			t.Fatal(err)
		}
		f := newFleetAlarm(a, onLeak, "n1", "en")
		before, err := os.ReadFile(f.openFile())
		if err != nil {
			before = []byte("[]")
		}
		f.observe(time.Unix(1000, 0), []metrics.Rank{rank("/a", verdict, true)})
		dir = filepath.Join(t.TempDir(), "next") // has what an agent that was killed now would have left
		if err := os.CopyFS(dir, os.DirFS(a.dir)); err != nil {
			t.Fatal(err)
		}
		if !noted {
			if err := os.WriteFile(filepath.Join(dir, sentinel.OpenName), before, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		killed.Go(func() { a.office.Close() })
		if got := said.String(); strings.Count(got, "alert leak firing") != firing || strings.Count(got, "alert leak resolved") != resolved {
			t.Errorf("%s: %d firing and %d resolved are wanted: %s", verdict, firing, resolved, got)
		}
	}
	look(finding.Healthy, true, 0, 0)
	look(finding.Leak, false, 1, 0)
	look(finding.Leak, true, 0, 0)
	look(finding.Bounded, false, 0, 1)
	look(finding.Bounded, true, 0, 0)
}

// What waited is noted before it is delivered: an agent that is killed after that, with nothing new, leaves it known.
func TestFleetAlarmNotesWhatWaited(t *testing.T) {
	dir := t.TempDir()
	receivers := []sentinel.Receiver{{Name: "ops", Kind: "command", Command: []string{"true"}, Timeout: sentinel.Duration{Duration: time.Minute}}}
	waits := sentinel.Alert{Name: "leak", StartsAt: time.Unix(1000, 0), Host: "n1", Recording: "/a", PID: 7, Memory: "host"}
	if err := os.Mkdir(filepath.Join(dir, "ops"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := sentinel.Keep(filepath.Join(dir, "ops", "1.json"), waits); err != nil {
		t.Fatal(err)
	}
	start := func() (*fleetAlarm, *notes) {
		var said notes
		a, err := newAlarm(receivers, dir, false, &said)
		if err != nil {
			t.Fatal(err)
		}
		return newFleetAlarm(a, onLeak, "n1", "en"), &said
	}
	f, _ := start()
	f.close()
	f, said := start()
	defer f.close()
	f.observe(f.began, []metrics.Rank{rank("/a", finding.Leak, true)})
	f.observe(f.began, []metrics.Rank{rank("/a", finding.Bounded, true)})
	if got := said.String(); strings.Contains(got, "firing") || strings.Count(got, "alert leak resolved") != 1 {
		t.Errorf("said: %s", got)
	}
}

// What cannot be noted is said once, and noted when the disk has room again. What cannot be read is said, and written anew.
func TestFleetAlarmCannotNote(t *testing.T) {
	var said bytes.Buffer
	dir := t.TempDir()
	a, err := newAlarm(nil, dir, true, &said)
	if err != nil {
		t.Fatal(err)
	}
	f := newFleetAlarm(a, onLeak, "n1", "en")
	away := dir + ".away"
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		f.observe(time.Unix(int64(1000+i), 0), []metrics.Rank{rank("/a", finding.Leak, true)})
	}
	if got := said.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "once more") {
		t.Errorf("said: %s", got)
	}
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	f.observe(time.Unix(1010, 0), []metrics.Rank{rank("/a", finding.Leak, true)})
	f.close()
	if open, err := sentinel.KeptOpen(f.openFile()); err != nil || len(open) != 1 {
		t.Errorf("%+v %v", open, err)
	}
	for _, broken := range []string{"", `[{"name":`, "{}", "[null]", `[{"name":"leak","resolved":true}]`} {
		if err := os.WriteFile(f.openFile(), []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		said.Reset()
		if a, err = newAlarm(nil, dir, true, &said); err != nil {
			t.Fatal(err)
		}
		again := newFleetAlarm(a, onLeak, "n1", "en")
		again.observe(time.Unix(1010, 0), []metrics.Rank{rank("/a", finding.Healthy, true)})
		again.close()
		if open, err := sentinel.KeptOpen(f.openFile()); err != nil || len(open) != 0 || !strings.Contains(said.String(), f.openFile()) {
			t.Errorf("%q: %+v %v, said: %s", broken, open, err, said.String())
		}
	}
}

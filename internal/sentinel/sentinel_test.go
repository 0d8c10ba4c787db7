package sentinel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
)

func pointer[T any](v T) *T { return &v }

var (
	began = time.Unix(1_700_000_000, 0).UTC()
	leaks = finding.Memory{Name: "cuda:0", Verdict: finding.Leak, BytesPerStep: pointer(int64(512)), SinceStep: pointer(int64(3)), SecondsToOOM: pointer(600.0)}
	calm  = finding.Memory{Name: "cuda:0", Verdict: finding.Bounded}
)

func at(step int64, m finding.Memory, findings ...finding.Finding) Process {
	return Process{Target: finding.Target{PID: 7}, Step: step, Memories: []finding.Memory{m}, Findings: findings}
}

// A fault is told once, once more when it has a finding, and taken back when it ends.
func TestOncePerFault(t *testing.T) {
	s := New([]Rule{{Name: "leak", Verdicts: []finding.Verdict{finding.Leak}}}, Place{})
	found := finding.Finding{Rule: "TL101", Name: "kept-activation", Memory: "cuda:0", Location: &finding.Location{File: "train.py", Line: 57}}
	undecided := finding.Memory{Name: "cuda:0", Verdict: finding.Undecided}
	for i, step := range []struct {
		p        Process
		changes  int
		resolved bool
	}{
		{at(1, calm), 0, false}, {at(2, leaks), 1, false}, {at(3, leaks), 0, false}, {at(4, leaks, found), 1, false}, {at(5, leaks, found), 0, false},
		{at(6, undecided, found), 0, false}, {at(7, calm, found), 1, true}, {at(8, calm, found), 0, false}, {at(9, leaks, found), 1, false},
	} {
		changes := s.Observe(began.Add(time.Duration(i)*time.Second), step.p)
		if len(changes) != step.changes || len(changes) > 0 && changes[0].Alert.Resolved != step.resolved {
			t.Errorf("step %d: %+v", step.p.Step, changes)
		}
		if step.p.Step == 4 && (!changes[0].Alert.StartsAt.Equal(began.Add(time.Second)) || !strings.Contains(changes[0].Alert.Summary, "train.py:57")) {
			t.Errorf("%+v", changes[0].Alert)
		}
	}
	if ended := s.End(began, Ended); len(ended) != 1 || !ended[0].Alert.Resolved || len(s.End(began, Ended)) != 0 {
		t.Errorf("%+v", ended)
	}
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		name string
		rule Rule
		want bool
	}{
		{"verdict", Rule{}, true},
		{"growth", Rule{Growth: 512}, true}, {"less growth", Rule{Growth: 513}, false},
		{"steps", Rule{Steps: 97}, true}, {"fewer steps", Rule{Steps: 98}, false}, // since step 3, at step 100
		{"soon", Rule{OOMWithin: Duration{10 * time.Minute}}, true}, {"later", Rule{OOMWithin: Duration{9 * time.Minute}}, false},
	} {
		c.rule.Verdicts = []finding.Verdict{finding.Leak}
		if c.rule.matches(leaks, 100) != c.want {
			t.Error(c.name)
		}
		if c.rule.matches(calm, 100) {
			t.Errorf("%s: a calm memory", c.name)
		}
	}
}

// post is a receiver that fails at first.
type post struct {
	mu     sync.Mutex
	bodies []string
	down   atomic.Bool
	failed atomic.Int32
}

func (p *post) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.down.Load() {
		p.failed.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	b, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bodies = append(p.bodies, string(b))
}

func (p *post) got() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.bodies...)
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("in 30 s not: " + what)
		}
	}
}

func change(resolved bool) Change {
	a := Alert{Name: "leak", StartsAt: began, PID: 7, Memory: "cuda:0", Resolved: resolved, Summary: "cuda:0 grows", Finding: &finding.Finding{Rule: "TL101"}}
	if resolved {
		a.EndsAt = pointer(began.Add(time.Minute))
	}
	return Change{Rule{Name: "leak"}, a}
}

// What a receiver could not take is sent when it is back, in order; what an earlier run left is sent first.
func TestReceiverDown(t *testing.T) {
	p := &post{}
	p.down.Store(true)
	server := httptest.NewServer(p)
	defer server.Close()
	receivers := []Receiver{{Name: "ops", Kind: "alertmanager", URL: server.URL, Timeout: Duration{10 * time.Second}}}
	dir := t.TempDir()
	office, err := Open(receivers, dir, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	office.grace = 100 * time.Millisecond
	send(office, change(false), began)
	send(office, change(true), began.Add(time.Second))
	await(t, "a failure", func() bool { return p.failed.Load() > 0 })
	if left := office.Close(); left != 2 {
		t.Errorf("%d alerts are kept", left)
	}
	if st, err := os.Stat(filepath.Join(dir, "ops")); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", st, err)
	}
	p.down.Store(false)
	said := make(chan string, 9)
	if office, err = Open(receivers, dir, func(text string) { said <- text }); err != nil {
		t.Fatal(err)
	}
	office.Deliver()
	if got := <-said; got != "ops takes alerts again: sent 2 alerts that waited" {
		t.Error(got)
	}
	if left := office.Close(); left != 0 {
		t.Errorf("%d alerts are left", left)
	}
	for i, body := range p.got() {
		var posted []struct {
			Labels, Annotations map[string]string
			EndsAt              *time.Time
		}
		if err := json.Unmarshal([]byte(body), &posted); err != nil || len(posted) != 1 || posted[0].Labels["alertname"] != "leak" ||
			!strings.Contains(posted[0].Annotations["finding"], "TL101") || (posted[0].EndsAt != nil) != (i == 1) {
			t.Errorf("%d: %s %v", i, body, err)
		}
	}
}

// A receiver that does not answer holds up neither the sender nor another receiver.
func TestSlowReceiver(t *testing.T) {
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}))
	defer slow.Close()
	defer close(release)
	p := &post{}
	quick := httptest.NewServer(p)
	defer quick.Close()
	var warned atomic.Int32
	office, err := Open([]Receiver{
		{Name: "slow", Kind: "slack", URL: slow.URL, Timeout: Duration{50 * time.Millisecond}},
		{Name: "quick", Kind: "feishu", URL: quick.URL, Timeout: Duration{10 * time.Second}},
	}, t.TempDir(), func(string) { warned.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	office.grace = 100 * time.Millisecond
	send(office, change(false), began)
	await(t, "the quick one", func() bool { return len(p.got()) == 1 })
	await(t, "a word on the slow one", func() bool { return warned.Load() > 0 })
	if left := office.Close(); left != 1 {
		t.Errorf("%d alerts are left", left)
	}
}

// Two agents would send the same alerts: the second one is told, and may have the directory when the first is gone.
func TestSpoolOfOne(t *testing.T) {
	dir, receivers := t.TempDir(), []Receiver{{Name: "other"}, {Name: "ops", Kind: "command", Command: []string{"true"}, Timeout: Duration{time.Second}}}
	first, err := Open(receivers[1:], dir, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(receivers, dir, func(string) {}); !errors.Is(err, errTaken) {
		t.Errorf("a second one: %v", err)
	}
	first.Close()
	again, err := Open(receivers, dir, func(string) {}) // the second one has let go of all it had
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// However many are started at once, one gets the directory, and each other one hears why it does not.
func TestSpoolOfOneOfMany(t *testing.T) {
	for range 20 {
		dir := t.TempDir()
		var all sync.WaitGroup
		var had atomic.Int32
		for range 8 {
			all.Go(func() {
				lock, err := locked(dir)
				switch {
				case err == nil:
					had.Add(1)
					t.Cleanup(func() { _ = lock.Close() })
				case !errors.Is(err, errTaken):
					t.Error(err)
				}
			})
		}
		if all.Wait(); had.Load() != 1 {
			t.Errorf("%d have it", had.Load())
		}
	}
}

// A receiver is down for an hour, by a clock of the test's own: all is told in order within the longest wait between two tries.
func TestHourDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		back := time.Now().Add(time.Hour)
		var told []Alert
		var last time.Time
		tries := 0
		o, w := officeOf(t, func(_ context.Context, a Alert) error {
			if tries++; time.Now().Before(back) {
				return errors.New("down")
			}
			told, last = append(told, a), time.Now()
			return nil
		})
		for i := range 10 {
			o.send(change(i%2 == 1), time.Now())
			time.Sleep(6 * time.Minute)
		}
		time.Sleep(2 * lastRetry)
		synctest.Wait()
		if len(told) != 10 || last.Sub(back) > lastRetry {
			t.Fatalf("%d alerts were told, the last one %v after the hour", len(told), last.Sub(back))
		}
		for i, a := range told {
			if a.Resolved != (i%2 == 1) {
				t.Errorf("%d: %+v", i, a)
			}
		}
		if tries > 150 { // two a minute, the first few sooner, and one for each that comes
			t.Errorf("%d tries in an hour", tries)
		}
		if said := o.said(); strings.Count(said, "\n") != 2 || !strings.Contains(said, "ops takes no alert now") || !strings.Contains(said, "ops takes alerts again: sent 10 alerts that waited") {
			t.Errorf("said: %s", said)
		}
		if left := o.Close(); left != 0 || len(w.spool.waiting) != 0 {
			t.Errorf("%d alerts are left", left)
		}
	})
}

// What finds no room on disk is told all the same, in order, as long as the process lives; what is lost with it is said.
func TestNoRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		var told []Alert
		o, w := officeOf(t, func(_ context.Context, a Alert) error {
			if down.Load() {
				return errors.New("down")
			}
			told = append(told, a)
			return nil
		})
		down.Store(true)
		o.send(change(false), time.Now())
		full(t, w.spool, true)
		o.send(change(true), time.Now())
		full(t, w.spool, false)
		o.send(change(false), time.Now())
		time.Sleep(lastRetry)
		down.Store(false)
		time.Sleep(2 * lastRetry)
		synctest.Wait()
		if len(told) != 3 || told[0].Resolved || !told[1].Resolved || told[2].Resolved {
			t.Errorf("%+v", told)
		}
		down.Store(true)
		full(t, w.spool, true)
		o.send(change(true), time.Now())
		o.Close()
		if said := o.said(); !strings.Contains(said, "lost 1 alert for ops") {
			t.Errorf("said: %q", said)
		}
	})
}

// What was open before this process began is repeated to an Alertmanager, and never told anew; what was under a rule that is gone is taken back.
func TestResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []Alert
		o, w := officeOf(t, func(_ context.Context, a Alert) error { told = append(told, a); return nil })
		w.receiver.Kind = "alertmanager"
		gone := change(false).Alert
		gone.Name = "gone"
		open := []Alert{change(false).Alert, gone}
		path := filepath.Join(t.TempDir(), "open.json")
		if err := Keep(path, open); err != nil {
			t.Fatal(err)
		}
		open, err := KeptOpen(path)
		if err != nil || len(open) != 2 {
			t.Fatalf("%+v, %v", open, err)
		}
		rules := []Rule{{Name: "leak", Verdicts: []finding.Verdict{finding.Leak}}}
		s := Resume(rules, Place{}, open)
		o.Resume(rules, open)
		time.Sleep(repeatEvery + time.Second)
		synctest.Wait()
		if len(told) != 2 || told[0].Resolved || told[1].Resolved {
			t.Errorf("%+v", told)
		}
		told = nil
		for _, c := range s.Observe(began.Add(time.Hour), at(9, leaks)) {
			o.send(c, time.Now())
		}
		time.Sleep(repeatEvery + time.Second)
		synctest.Wait()
		if len(told) != 2 || told[0].Name != "gone" || !told[0].Resolved || told[1].Name != "leak" || told[1].Resolved || !told[1].StartsAt.Equal(began) {
			t.Errorf("%+v", told)
		}
		if got := s.Open(); len(got) != 1 || got[0].Name != "leak" || !got[0].StartsAt.Equal(began) {
			t.Errorf("%+v", got)
		}
		o.Close()
	})
	if open, err := KeptOpen(filepath.Join(t.TempDir(), "none")); open != nil || err != nil {
		t.Errorf("%v, %v", open, err)
	}
}

// officeOf has one receiver, which takes alerts by a function.
func officeOf(t *testing.T, deliver func(context.Context, Alert) error) (*talkingOffice, *worker) {
	s, err := newSpool(t.TempDir(), func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	o := &talkingOffice{Office: &Office{begin: func() {}, stop: stop, closing: make(chan struct{}), grace: closeGrace}}
	o.say = o.note
	w := newWorker(Receiver{Name: "ops"}, s, o.note)
	w.deliver, o.workers = deliver, []*worker{w}
	o.running.Go(func() { w.serve(ctx, o.closing) })
	return o, w
}

// talkingOffice notes what it has said.
type talkingOffice struct {
	*Office
	mu    sync.Mutex
	notes strings.Builder
}

func (o *talkingOffice) send(c Change, now time.Time) { send(o.Office, c, now) }

// send has an office deliver one alert.
func send(o *Office, c Change, now time.Time) {
	o.Keep([]Change{c}, now)
	o.Deliver()
}

func (o *talkingOffice) note(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	fmt.Fprintln(&o.notes, text)
}

// said is what was said since it was last asked.
func (o *talkingOffice) said() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.notes.Reset()
	return o.notes.String()
}

// TestWanted checks that each key of the file is told by what belongs to it.
func TestWanted(t *testing.T) {
	for table, of := range map[string]reflect.Type{"rule": reflect.TypeOf(Rule{}), "receiver": reflect.TypeOf(Receiver{})} {
		for i := 0; i < of.NumField(); i++ {
			if key := table + "." + of.Field(i).Tag.Get("toml"); wanted[key] == "" {
				t.Errorf("%s is missing", key)
			}
		}
	}
}

func TestBadConfig(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "no [[rule]]",
		"[[rule]]":                               "name of its own",
		"[[rule]]\nname='a'\ngrowht=1":           ":3: [rule growht] is not known",
		"[[rule]]\nname='a'\nverdicts=['leek']":  `"leek" is no verdict; they are leak, outside, cycle, fragmentation, cache, capacity, bounded, healthy and undecided`,
		"[[rule]]\nname='a'\ngrowth='1M'":        ":3: growth is a number of bytes, such as 4096",
		"[[rule]]\nname='a'\n[rule.growth]\nx=1": ":3: growth is a number of bytes",
		"[[rule]]\nname='a'\nsteps=true":         ":3: steps is a number of steps",
		"[[rule]]\nname='a'\nverdicts='leak'":    ":3: verdicts is a list of verdicts",
		"[[rule]]\nname='a'\noom_within=['a']":   ":3: oom_within is a time ahead in quotes",
		"[[rule]]\nname='a'\noom_within=30":      `"30" is not a time ahead, such as "30m"`,
		"[[rule]]\nname=1":                       ":2: name is text in quotes",
		"rule='a'":                               ":1: rule is a table of its own",
		"[[receiver]]\nname='a'\ntimeout='-1s'":  ":3: timeout is a time ahead",
		"[[receiver]]\nname='a'\ncommand='x'":    ":3: command is a list of the program",
		"[[rule]]\nname='a'\nname='b'":           ":3: toml: key name is already defined",
		"[[rule]]\nname='a'\noom_within='x'":     ":3: oom_within is a time ahead in quotes",
		"[[rule]]\nname='a'\nreceivers=['b']":    `no receiver "b"`,
		"[[rule]]\nname='a'\n[[receiver]]\nname='r'\nkind='slack'\nurl='ftp://x'":              "http or https",
		"[[rule]]\nname='a'\n[[receiver]]\nname='r'\nkind='pager'":                             "no kind",
		"[[rule]]\nname='a'\n[[receiver]]\nname='r'\nkind='signal'\nsignal='SIGKO'":            "SIGUSR1",
		"[[rule]]\nname='a'\n[[receiver]]\nname='r'\nkind='command'":                           "must be a list",
		"[[rule]]\nname='a'\n[[receiver]]\nname='..'\nkind='signal'\nsignal='SIGUSR1'":         "no path",
		"[[rule]]\nname='a'\n[[receiver]]\nname='open.json'\nkind='signal'\nsignal='SIGUSR1'":  "a file of that name",
		"[[rule]]\nname='a'\n[[receiver]]\nname='said.json'\nkind='signal'\nsignal='SIGUSR1'":  "a file of that name",
		"[[rule]]\nname='a'\n[[receiver]]\nname='a/b'\nkind='signal'\nsignal='SIGUSR1'":        "no path",
		"[[rule]]\nname='a'\n[[receiver]]\nname='r'\nkind='slack'\nurl='http://x'\nsecret='s'": "dingtalk and feishu only",
		"[[rule": ":1:",
	} {
		path := filepath.Join(t.TempDir(), "alerts.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadConfig(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

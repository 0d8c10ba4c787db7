package sentinel

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
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
	return Process{PID: 7, Step: step, Memories: []finding.Memory{m}, Findings: findings}
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
	if ended := s.Ended(began); len(ended) != 1 || !ended[0].Alert.Resolved || len(s.Ended(began)) != 0 {
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
	office, err := Open(receivers, dir, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	office.grace = 100 * time.Millisecond
	office.Send(change(false), began)
	office.Send(change(true), began.Add(time.Second))
	await(t, "a failure", func() bool { return p.failed.Load() > 0 })
	if left := office.Close(); left != 2 {
		t.Errorf("%d alerts are kept", left)
	}
	if st, err := os.Stat(filepath.Join(dir, "ops")); err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", st, err)
	}
	p.down.Store(false)
	if office, err = Open(receivers, dir, func(error) {}); err != nil {
		t.Fatal(err)
	}
	await(t, "both delivered", func() bool { return len(p.got()) == 2 })
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
	}, t.TempDir(), func(error) { warned.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	office.grace = 100 * time.Millisecond
	office.Send(change(false), began)
	await(t, "the quick one", func() bool { return len(p.got()) == 1 })
	await(t, "a word on the slow one", func() bool { return warned.Load() > 0 })
	if left := office.Close(); left != 1 {
		t.Errorf("%d alerts are left", left)
	}
}

func TestSpoolIsBounded(t *testing.T) {
	s, err := newSpool(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxSpooled + 5 {
		if err := s.add(Alert{PID: i}, began.Add(time.Duration(i))); err != nil {
			t.Fatal(err)
		}
	}
	waiting := s.waiting()
	if a, err := s.read(waiting[0]); err != nil || len(waiting) != maxSpooled || a.PID != 5 {
		t.Errorf("%d wait, from %d on: %v", len(waiting), a.PID, err)
	}
}

func TestBadConfig(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "no [[rule]]",
		"[[rule]]":                              "name of its own",
		"[[rule]]\nname='a'\ngrowht=1":          ":3: [rule growht] is not known",
		"[[rule]]\nname='a'\nverdicts=['leek']": "no verdict",
		"[[rule]]\nname='a'\noom_within='x'":    "invalid duration",
		"[[rule]]\nname='a'\nreceivers=['b']":   `no receiver "b"`,
		"[[rule]]\nname='a'\n[[receiver]]\nname='r'\nkind='slack'\nurl='ftp://x'":   "http or https",
		"[[rule]]\nname='a'\n[[receiver]]\nname='r'\nkind='pager'":                  "no kind",
		"[[rule]]\nname='a'\n[[receiver]]\nname='r'\nkind='signal'\nsignal='SIGKO'": "SIGUSR1",
		"[[rule]]\nname='a'\n[[receiver]]\nname='r'\nkind='command'":                "must be a list",
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

package sentinel

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/torchleak/torchleak/internal/finding"
)

var (
	here  = Place{Host: "node7", Recording: "/home/me/jobs/bert/.torchleak/2026-11-30T05-30-21"}
	bert  = finding.Target{Argv: []string{"torchrun", "src/train.py", "--lr", "1"}, Host: "trainer-0", PID: 31622, Rank: 3, WorldSize: 8}
	found = finding.Finding{Rule: "TL101", Name: "kept-activation", Memory: "cuda:0", Why: "It keeps all.", Location: &finding.Location{File: "train.py", Line: 57, Code: "feats.append(\n    output)"}}
)

// changes is what a sentinel says of a leak that begins without a statement, gets one, and ends with the training.
func changes(place Place, t finding.Target) (all []Change) {
	s := New([]Rule{{Name: "leak", Severity: "critical", Verdicts: []finding.Verdict{finding.Leak}}}, place)
	p := Process{Target: t, Step: 1, Memories: []finding.Memory{leaks}}
	all = s.Observe(began, p)
	p.Findings = []finding.Finding{found}
	p.Target.Rank, p.Target.Host = 4, "renamed"
	all = append(all, s.Observe(began.Add(time.Second), p)...)
	return append(all, s.End(began.Add(time.Minute), Ended)...)
}

// A line says whose training it is and where, and the same of its begin and of its end.
func TestLine(t *testing.T) {
	const who = "trainer-0@node7 train.py rank 3 pid 31622 (bert/2026-11-30T05-30-21): cuda:0 grows by 512 B per step since step 3"
	for i, want := range []string{
		"alert leak firing: " + who,
		"alert leak firing: " + who + ". TL101 kept-activation (train.py:57) feats.append( output)",
		"alert leak resolved after 1 min (the training has ended): " + who + ". TL101 kept-activation (train.py:57) feats.append( output)",
	} {
		if got := changes(here, bert)[i].Alert.Line(); got != want {
			t.Errorf("%s\n%s is wanted", got, want)
		}
	}
	chinese := here
	chinese.Lang = "zh"
	for i, want := range []string{"alert leak 触发：trainer-0@node7 train.py rank 3", "alert leak 触发", "alert leak 在 1 min 后解除（训练已结束）：trainer-0@node7 train.py rank 3"} {
		if got := changes(chinese, bert)[i].Alert.Line(); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n%s is wanted", got, want)
		}
	}
}

func TestWho(t *testing.T) {
	for want, c := range map[string]struct {
		place Place
		t     finding.Target
	}{
		"node7 train.py pid 7 (a/rec)":                {Place{Host: "node7", Recording: "/x/a/rec"}, finding.Target{Argv: []string{"python", "/y/train.py"}, PID: 7, WorldSize: 1}},
		"pid 7 (rec)":                                 {Place{Recording: "/rec"}, finding.Target{PID: 7}},
		"node7 x.py pid 7 (a/rec)":                    {Place{Host: "node7", Recording: "/x/a/rec"}, finding.Target{Argv: []string{"x.py"}, PID: 7, Host: "node7"}},
		"node7 -c rank 0 pid 7 (b/rec)":               {Place{Host: "node7", Recording: "b/rec"}, finding.Target{Argv: []string{"-c"}, PID: 7, WorldSize: 2}},
		"a b x\\x1b.py pid 7 (me/it)":                 {Place{Host: "a\nb", Recording: "/me/.torchleak/it"}, finding.Target{Argv: []string{"x\x1b.py"}, PID: 7}},
		strings.Repeat("n", 100) + " … pid 7 (me/it)": {Place{Host: strings.Repeat("n", 9000), Recording: "/me/.torchleak/it"}, finding.Target{PID: 7}},
	} {
		if got := c.place.begin(Rule{}, began, c.t, "host").who(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// However long the names are that a training gives, and its code: the line stays one line of a chat.
func TestLineIsShort(t *testing.T) {
	long := strings.Repeat("很长\n", 2000)
	a := Place{Host: long, Recording: "/a/b"}.begin(Rule{Name: "leak"}, began, finding.Target{Argv: []string{long + ".py"}}, "host")
	a.describe(leaks, &finding.Finding{Rule: "TL101", Name: "kept-activation", Why: long, Location: &finding.Location{File: "/" + long + "/train.py", Line: 57, Code: long}})
	if line := a.Line(); utf8.RuneCountInString(line) > 500 || strings.Contains(line, "\n") || !strings.Contains(line, "/train.py:57)") {
		t.Errorf("%d characters: %s", utf8.RuneCountInString(line), line)
	}
}

// The labels of an alert in Alertmanager say all that tells one training from another, and stay the same until its end.
func TestIdentity(t *testing.T) {
	want := map[string]string{
		"alertname": "leak", "severity": "critical", "instance": "trainer-0", "script": "src/train.py", "recording": here.Recording,
		"rank": "3", "pid": "31622", "memory": "cuda:0",
	}
	for i, c := range changes(here, bert) {
		b, err := json.Marshal(forAlertmanager(c.Alert))
		if err != nil {
			t.Fatal(err)
		}
		var posted []struct{ Labels map[string]string }
		if err := json.Unmarshal(b, &posted); err != nil || len(posted) != 1 {
			t.Fatalf("%s: %v", b, err)
		}
		for name, value := range want {
			if posted[0].Labels[name] != value {
				t.Errorf("%d: %s is %q, want %q", i, name, posted[0].Labels[name], value)
			}
		}
		if len(posted[0].Labels) != len(want) {
			t.Errorf("%d: %v", i, posted[0].Labels)
		}
	}
}

// A command is told by its environment whose training it is.
func TestCommandIsToldWho(t *testing.T) {
	note := filepath.Join(t.TempDir(), "note")
	r := Receiver{Kind: "command", Command: []string{"/bin/sh", "-c", "env | grep ^TORCHLEAK_ALERT >$0", note}, Timeout: Duration{30 * time.Second}}
	end := changes(here, bert)[2].Alert
	if err := r.deliver(t.Context(), end); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(note)
	for _, want := range []string{
		"TORCHLEAK_ALERT=leak", "TORCHLEAK_ALERT_STATE=resolved", "TORCHLEAK_ALERT_HOST=trainer-0", "TORCHLEAK_ALERT_SCRIPT=src/train.py", "TORCHLEAK_ALERT_RANK=3",
		"TORCHLEAK_ALERT_PID=31622", "TORCHLEAK_ALERT_RECORDING=" + here.Recording, "TORCHLEAK_ALERT_LINE=" + end.Line(),
	} {
		if err != nil || !strings.Contains(string(b), want+"\n") {
			t.Errorf("%s is not in %s, %v", want, b, err)
		}
	}
}

// What a leak is about may look like Slack's own signs.
func TestSlackIsEscaped(t *testing.T) {
	a := changes(here, bert)[0].Alert
	a.Brief = "<!channel> & <module>"
	if b, err := json.Marshal(formats["slack"](a)); err != nil || strings.Contains(string(b), "\\u003c") || !strings.Contains(string(b), `\u0026lt;!channel\u0026gt; \u0026amp; `) {
		t.Errorf("%s %v", b, err)
	}
}

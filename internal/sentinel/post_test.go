package sentinel

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
)

// What is given up is said: because it is refused, and because too much waits.
func TestGivenUpIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var answer atomic.Pointer[error]
		answer.Store(&errRefused)
		o, _ := officeOf(t, func(context.Context, Alert) error { return *answer.Load() })
		o.send(change(false), time.Now())
		synctest.Wait()
		if said := o.said(); !strings.Contains(said, "ops does not take an alert, which is given up: refused") {
			t.Errorf("said: %s", said)
		}
		answer.Store(pointer(errors.New("down")))
		for range maxSpooled + 3 {
			o.Keep([]Change{change(false)}, time.Now())
		}
		o.Deliver()
		synctest.Wait()
		if said := o.said(); !strings.Contains(said, "gave up 3 alerts for ops: more than 1,000 waited, the oldest go first") {
			t.Errorf("said: %s", said)
		}
		answer.Store(new(error))
		time.Sleep(2 * lastRetry)
		synctest.Wait()
		if said := o.said(); strings.TrimSpace(said) != "ops takes alerts again: sent 1,000 alerts that waited" {
			t.Errorf("said: %s", said)
		}
		o.Close()
	})
}

// An Alertmanager that is down while nothing happens is said to be, too, and that it is back: what is open is not repeated meanwhile.
func TestRepeatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var answer atomic.Pointer[error]
		answer.Store(new(error))
		var told atomic.Int32
		o, w := officeOf(t, func(context.Context, Alert) error { told.Add(1); return *answer.Load() })
		w.receiver.Kind = "alertmanager"
		o.send(change(false), time.Now())
		synctest.Wait()
		answer.Store(pointer(errors.New("down")))
		time.Sleep(10 * repeatEvery)
		synctest.Wait()
		if said := o.said(); told.Load() < 10 || strings.Count(said, "\n") != 1 || !strings.Contains(said, "ops takes no alert now") {
			t.Errorf("told %d times, said: %s", told.Load(), said)
		}
		answer.Store(new(error))
		time.Sleep(lastRetry + time.Second)
		synctest.Wait()
		if said := o.said(); strings.TrimSpace(said) != "ops takes alerts again" {
			t.Errorf("said: %s", said)
		}
		before := told.Load()
		other := change(false)
		other.Alert.PID++
		o.send(other, time.Now())
		synctest.Wait()
		if n := told.Load() - before; n != 1 {
			t.Errorf("%d are sent for one", n)
		}
		o.Close()
	})
}

// What waited is not sent before it could be noted.
func TestDeliverBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		if err := newTestSpool(t, filepath.Join(dir, "ops")).add(numbered(7), began); err != nil {
			t.Fatal(err)
		}
		o, err := Open([]Receiver{{Name: "ops"}}, dir, func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		o.workers[0].deliver = func(context.Context, Alert) error { told++; return nil }
		synctest.Wait()
		if told != 0 {
			t.Error("it is sent before Deliver is called")
		}
		o.Deliver()
		synctest.Wait()
		if told != 1 {
			t.Errorf("it is sent %d times", told)
		}
		o.Close()
	})
}

// One of three open alerts that an Alertmanager refuses is said once, and the others are repeated all the same.
func TestRepeatIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := map[int]int{} // times by number
		o, w := officeOf(t, func(_ context.Context, a Alert) error {
			if told[a.PID]++; a.PID == 2 && told[2] > 1 {
				return errRefused
			}
			return nil
		})
		w.receiver.Kind = "alertmanager"
		for pid := range 3 {
			c := change(false)
			c.Alert.PID = pid + 1
			o.send(c, time.Now())
		}
		time.Sleep(5*repeatEvery + time.Second)
		synctest.Wait()
		if told[1] != 6 || told[2] != 2 || told[3] != 6 {
			t.Errorf("told %v times", told)
		}
		if said := o.said(); strings.TrimSpace(said) != "ops does not take an alert, which is given up: refused" {
			t.Errorf("said: %s", said)
		}
		o.Close()
	})
}

// standingCase is what an earlier process left of one fault.
type standingCase struct {
	name    string
	noted   []Alert
	waiting []Alert
	open    int // alerts, of those
}

// What a killed process had kept for a receiver, and not noted any more, is known by what waits.
func TestStanding(t *testing.T) {
	fault := func(after time.Duration, resolved bool) Alert {
		a := change(false).Alert
		a.StartsAt = began.Add(after)
		if resolved {
			a.resolve(a.StartsAt.Add(time.Minute), Ended)
		}
		return a
	}
	first, ended, second := fault(0, false), fault(0, true), fault(time.Hour, false)
	for _, c := range []standingCase{
		{"nothing waits", []Alert{first}, nil, 1},
		{"killed before its begin was noted", nil, []Alert{first}, 1},
		{"killed before its end was noted", []Alert{first}, []Alert{first, ended}, 0},
		{"… and its begin was delivered", []Alert{first}, []Alert{ended}, 0},
		{"it came again, and the receiver is far behind", []Alert{second}, []Alert{first, ended}, 1},
		{"… and that was not noted", nil, []Alert{first, ended, second}, 1},
	} {
		s := newTestSpool(t, t.TempDir())
		for i, a := range c.waiting {
			if err := s.add(a, began.Add(time.Duration(i))); err != nil {
				t.Fatal(err)
			}
		}
		o, err := Open([]Receiver{{Name: filepath.Base(s.dir), Kind: "command", Command: []string{"false"}, Timeout: Duration{time.Minute}}}, filepath.Dir(s.dir), func(string) {})
		if err != nil {
			t.Fatal(err)
		}
		o.grace = 0
		if open := o.Standing(c.noted); len(open) != c.open {
			t.Errorf("%s: %+v", c.name, open)
		}
		o.Close()
	}
}

// Where the clock is set back a fault ends after its begin all the same, and nothing lies ahead of the receiver's clock: Alertmanager would
// refuse the one, and not believe the other.
func TestClockSetBack(t *testing.T) {
	s := New([]Rule{{Name: "leak", Verdicts: []finding.Verdict{finding.Leak}}}, Place{})
	begin := s.Observe(began, at(1, leaks))[0].Alert
	end := s.End(began.Add(-time.Hour), Ended)[0].Alert
	if end.EndsAt.Before(end.StartsAt) || !strings.Contains(end.Line(), "resolved after 0 s") {
		t.Errorf("%+v", end)
	}
	posted := func(a Alert, now time.Time) (starts, ends time.Time) {
		_, body, err := Receiver{Kind: "alertmanager"}.message(a, now)
		b, _ := json.Marshal(body)
		var alerts []struct{ StartsAt, EndsAt time.Time }
		if err := errors.Join(err, json.Unmarshal(b, &alerts)); err != nil || len(alerts) != 1 {
			t.Fatalf("%s: %v", b, err)
		}
		return alerts[0].StartsAt, alerts[0].EndsAt
	}
	for _, a := range []Alert{begin, end} {
		now := began.Add(-2 * time.Hour)
		if starts, ends := posted(a, now); starts.After(now) || ends.After(now) || a.Resolved && ends.Before(starts) {
			t.Errorf("%+v lies ahead: %v, %v", a, starts, ends)
		}
		if starts, ends := posted(a, began.Add(time.Hour)); !starts.Equal(a.StartsAt) || a.Resolved && !ends.Equal(*a.EndsAt) {
			t.Errorf("%+v has changed: %v, %v", a, starts, ends)
		}
	}
}

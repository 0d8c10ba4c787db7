package sentinel

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/units"
)

// Office hands alerts on: one worker a receiver, so that a slow one holds up nobody, and the training never.
type Office struct {
	workers []*worker
	lock    *os.File
	before  []Alert // what waited when it was opened; of each receiver oldest first
	say     func(string)
	begin   func() // starts the workers, once
	stop    context.CancelFunc
	closing chan struct{}
	grace   time.Duration // for what waits at the end
	running sync.WaitGroup
}

// Retries come after a second at first, then twice as late each time.
const (
	firstRetry  = time.Second
	lastRetry   = time.Minute
	repeatEvery = resolveAfter / 5
	closeGrace  = 5 * time.Second
)

// errTaken says that two processes would send the same alerts.
var errTaken = errors.New("another torchleak keeps its alerts there")

// Open takes a directory that is of one process at a time. What waits there from before is sent too, once Deliver is called. say is called
// from any goroutine.
func Open(receivers []Receiver, dir string, say func(string)) (*Office, error) {
	ctx, stop := context.WithCancel(context.Background())
	o := &Office{say: say, stop: stop, closing: make(chan struct{}), grace: closeGrace}
	var err error
	if o.lock, err = locked(dir); err != nil {
		return nil, err
	}
	for _, r := range receivers {
		s, err := newSpool(filepath.Join(dir, filepath.Base(r.Name)), func(err error) {
			say(fmt.Sprintf("an alert for %s cannot be read again, and is not sent: %v", r.Name, err))
		})
		if err != nil {
			_ = o.lock.Close()
			return nil, err
		}
		w := newWorker(r, s, say)
		w.late = len(s.waiting) > 0
		for _, l := range s.waiting {
			o.before = append(o.before, l.alert)
		}
		o.workers = append(o.workers, w)
	}
	o.begin = sync.OnceFunc(func() {
		for _, w := range o.workers {
			o.running.Go(func() { w.serve(ctx, o.closing) })
		}
	})
	return o, nil
}

// locked makes a directory and takes it for this process alone.
func locked(dir string) (*os.File, error) {
	if err := usable(dir); err != nil {
		return nil, err
	}
	lock, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	// A file system without locks keeps nobody out.
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		_ = lock.Close()
		return nil, fmt.Errorf("%s: %w", dir, errTaken)
	}
	return lock, nil
}

// Standing is what is open, by what was noted and by what waited when the office was opened: that is newer where a process was killed
// between the two. What it was told before is not told again.
func (o *Office) Standing(noted []Alert) []Alert {
	open := map[place]Alert{}
	for _, a := range slices.Concat(noted, o.before) {
		known, ok := open[a.place()]
		switch {
		case ok && known.StartsAt.After(a.StartsAt): // of an earlier time
		case a.Resolved:
			delete(open, a.place())
		default:
			open[a.place()] = a
		}
	}
	return slices.Collect(maps.Values(open))
}

// Resume takes what was told before and is open still, for the receivers that want it repeated.
func (o *Office) Resume(rules []Rule, open []Alert) {
	for _, a := range open {
		for _, w := range o.workers {
			if named(rules, a.Name).takes(w.receiver.Name) {
				w.note(a)
			}
		}
	}
}

// Keep keeps alerts for all receivers of their rules; Deliver sends them. Between the two one can note what is open now, so that a process
// that is killed has sent nothing that it has not noted.
func (o *Office) Keep(changes []Change, now time.Time) {
	for _, c := range changes {
		for _, w := range o.workers {
			if c.Rule.takes(w.receiver.Name) {
				w.keep(c.Alert, now)
			}
		}
	}
}

// Deliver has the workers send what was kept, and returns at once.
func (o *Office) Deliver() {
	o.begin()
	for _, w := range o.workers {
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
}

// Close gives the receivers a few seconds for what waits, and returns how many alerts are left on disk.
func (o *Office) Close() (left int) {
	o.begin()
	close(o.closing)
	late := time.AfterFunc(o.grace, o.stop)
	o.running.Wait()
	late.Stop()
	o.stop()
	for _, w := range o.workers {
		kept, unkept := w.spool.left()
		left += kept
		if unkept > 0 {
			o.say(fmt.Sprintf("lost %s for %s: there was no room on disk", Count(unkept), w.receiver.Name))
		}
	}
	if o.lock != nil {
		_ = o.lock.Close()
	}
	return left
}

// Count counts alerts.
func Count(n int) string {
	if n == 1 {
		return "1 alert"
	}
	return units.Count(int64(n)) + " alerts"
}

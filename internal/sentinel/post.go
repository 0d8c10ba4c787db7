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
	"time"
)

// Office hands alerts on: one worker a receiver, so that a slow one holds up nobody, and the training never.
type Office struct {
	workers []*worker
	warn    func(error)
	stop    context.CancelFunc
	closing chan struct{}
	grace   time.Duration // for what waits at the end
	running sync.WaitGroup
}

// worker serves one receiver.
type worker struct {
	receiver Receiver
	deliver  func(context.Context, Alert) error
	spool    *spool
	wake     chan struct{}
	mu       sync.Mutex
	open     map[place]Alert // for Alertmanager, which forgets what is not repeated
	unkept   []Alert         // for which there was no room on disk, oldest first
}

// place is a fault among those of all recordings: containers may have processes of one number.
type place struct {
	host, recording string
	fault
}

// Retries come after a second at first, then twice as late each time.
const (
	firstRetry  = time.Second
	lastRetry   = time.Minute
	repeatEvery = resolveAfter / 5
	closeGrace  = 5 * time.Second
)

// Open starts the workers. What waits in the directory from before is sent too. warn is called from any goroutine.
func Open(receivers []Receiver, dir string, warn func(error)) (*Office, error) {
	ctx, stop := context.WithCancel(context.Background())
	o := &Office{warn: warn, stop: stop, closing: make(chan struct{}), grace: closeGrace}
	for _, r := range receivers {
		s, err := newSpool(filepath.Join(dir, filepath.Base(r.Name)))
		if err != nil {
			stop()
			for _, w := range o.workers {
				w.spool.close()
			}
			return nil, err
		}
		o.workers = append(o.workers, &worker{receiver: r, deliver: r.deliver, spool: s, wake: make(chan struct{}, 1), open: map[place]Alert{}})
	}
	for _, w := range o.workers {
		o.running.Add(1)
		go func() { defer o.running.Done(); o.serve(ctx, w) }()
	}
	return o, nil
}

// Send keeps the alert for all receivers of its rule and returns at once.
func (o *Office) Send(c Change, now time.Time) {
	for _, w := range o.workers {
		if !c.Rule.takes(w.receiver.Name) {
			continue
		}
		w.note(c.Alert)
		if err := w.keep(c.Alert, now); err != nil {
			o.warn(fmt.Errorf("an alert for %s waits in memory only: %w", w.receiver.Name, err))
		}
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
}

// Resume takes what was told before and is open still, for the receivers that want it repeated.
func (o *Office) Resume(rules []Rule, open []Alert) {
	for _, a := range open {
		i := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == a.Name })
		for _, w := range o.workers {
			if i >= 0 && rules[i].takes(w.receiver.Name) {
				w.note(a)
			}
		}
	}
}

// Close gives the receivers a few seconds for what waits, and returns how many alerts are left on disk.
func (o *Office) Close() (left int) {
	close(o.closing)
	late := time.AfterFunc(o.grace, o.stop)
	o.running.Wait()
	late.Stop()
	o.stop()
	for _, w := range o.workers {
		left += len(w.spool.waiting())
		w.spool.close()
		if n := len(w.unkept); n > 0 {
			o.warn(fmt.Errorf("%d alerts for %s are lost: there was no room to keep them", n, w.receiver.Name))
		}
	}
	return left
}

// keep keeps an alert on disk, or in memory where there is no room: as many there, and behind those that are there already.
func (w *worker) keep(a Alert, now time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	if len(w.unkept) == 0 {
		if err = w.spool.add(a, now); err == nil {
			return nil
		}
	}
	w.unkept = append(w.unkept, a)
	w.unkept = w.unkept[max(0, len(w.unkept)-maxSpooled):]
	return err
}

func (w *worker) note(a Alert) {
	if w.receiver.Kind != "alertmanager" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	f := place{a.Host, a.Recording, a.fault()}
	if a.Resolved {
		delete(w.open, f)
	} else {
		w.open[f] = a
	}
}

// serve sends what waits, tries again what failed, and repeats what is open.
func (o *Office) serve(ctx context.Context, w *worker) {
	repeat := time.NewTicker(repeatEvery)
	defer repeat.Stop()
	retry, closing := firstRetry, o.closing
	for {
		var again <-chan time.Time
		err := w.drain(ctx, o.warn)
		if err != nil {
			if retry == firstRetry {
				o.warn(fmt.Errorf("%s takes no alert now, they wait on disk: %w", w.receiver.Name, err))
			}
			again = time.After(retry)
			retry = min(2*retry, lastRetry)
		} else {
			retry = firstRetry
		}
		if closing == nil && err == nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-closing:
			closing, retry = nil, firstRetry
		case <-w.wake:
		case <-again:
		case <-repeat.C:
			w.repeat(ctx)
		}
	}
}

// drain sends what waits, oldest first, up to the first that cannot be delivered. What is in memory only
// came when the disk had no room any more: after what is there.
func (w *worker) drain(ctx context.Context, warn func(error)) error {
	for _, path := range w.spool.waiting() {
		a, err := w.spool.read(path)
		if err != nil {
			warn(fmt.Errorf("an alert for %s could not be read again: %w", w.receiver.Name, err))
			continue
		}
		if err := w.hand(ctx, a, warn); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	for {
		w.mu.Lock()
		unkept := w.unkept
		w.mu.Unlock()
		if len(unkept) == 0 {
			return nil
		}
		if err := w.hand(ctx, unkept[0], warn); err != nil {
			return err
		}
		w.mu.Lock()
		w.unkept = w.unkept[1:]
		w.mu.Unlock()
	}
}

// hand delivers one alert; what is refused for good is said, and is done with.
func (w *worker) hand(ctx context.Context, a Alert, warn func(error)) error {
	err := w.deliver(ctx, a)
	if errors.Is(err, errRefused) {
		warn(fmt.Errorf("%s: %w", w.receiver.Name, err))
		return nil
	}
	return err
}

// repeat tells an Alertmanager what is still open; it may have been restarted. What fails comes with the next turn.
func (w *worker) repeat(ctx context.Context) {
	w.mu.Lock()
	open := maps.Clone(w.open)
	w.mu.Unlock()
	for _, a := range open {
		if w.deliver(ctx, a) != nil {
			return
		}
	}
}

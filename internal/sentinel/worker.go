package sentinel

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/torchleak/torchleak/internal/units"
)

// worker serves one receiver.
type worker struct {
	receiver Receiver
	deliver  func(context.Context, Alert) error
	spool    *spool
	say      func(string)
	wake     chan struct{}

	// Of the goroutine that serves.
	down bool // it took no alert when last asked, which was said
	late bool // alerts wait, or did when the office was opened, which is said when they are sent
	sent int  // alerts, since they wait
	back bool // it took what was repeated, since they wait

	mu   sync.Mutex
	open map[place]Alert // for Alertmanager, which forgets what is not repeated
}

func newWorker(r Receiver, s *spool, say func(string)) *worker {
	return &worker{receiver: r, deliver: r.deliver, spool: s, say: say, wake: make(chan struct{}, 1), open: map[place]Alert{}}
}

// keep keeps an alert, and says where that is not as sure as it should be.
func (w *worker) keep(a Alert, now time.Time) {
	w.note(a)
	if err := w.spool.add(a, now); err != nil {
		w.say(fmt.Sprintf("alerts for %s wait in memory only: %v", w.receiver.Name, err))
	}
}

// note keeps in mind what is open, where it is to be repeated.
func (w *worker) note(a Alert) {
	if w.receiver.Kind != "alertmanager" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if a.Resolved {
		delete(w.open, a.place())
	} else {
		w.open[a.place()] = a
	}
}

// serve sends what waits, tries again what failed, and repeats what is open.
func (w *worker) serve(ctx context.Context, closing <-chan struct{}) {
	repeat := time.NewTicker(repeatEvery)
	defer repeat.Stop()
	work, retry := w.drain, firstRetry
	for {
		err := work(ctx)
		w.tell(err)
		var again <-chan time.Time
		if err != nil {
			again = time.After(retry)
			retry = min(2*retry, lastRetry)
		} else {
			work, retry = w.drain, firstRetry
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
			work = w.repeat
		}
	}
}

// tell says that a receiver takes nothing any more, and that it is back.
func (w *worker) tell(err error) {
	if n := w.spool.lost(); n > 0 {
		w.say(fmt.Sprintf("gave up %s for %s: more than %s waited, the oldest go first", Count(n), w.receiver.Name, units.Count(maxSpooled)))
	}
	switch {
	case err != nil && !w.down:
		w.down, w.late, w.sent, w.back = true, true, 0, false
		w.say(fmt.Sprintf("%s takes no alert now, they are kept and tried again: %v", w.receiver.Name, err))
	case err == nil && w.late:
		w.down, w.late = false, false
		switch {
		case w.sent > 0:
			w.say(fmt.Sprintf("%s takes alerts again: sent %s that waited", w.receiver.Name, Count(w.sent)))
		case w.back:
			w.say(w.receiver.Name + " takes alerts again")
		} // or all were refused, which was said
	}
}

// drain sends what waits, up to the first that cannot be delivered.
func (w *worker) drain(ctx context.Context) error {
	return w.spool.drain(func(a Alert) error {
		taken, err := w.handOver(ctx, a)
		if taken {
			w.sent++
		}
		return err
	})
}

// repeat sends what waits, and tells an Alertmanager what is still open; it may have been restarted.
func (w *worker) repeat(ctx context.Context) error {
	if err := w.drain(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	open := slices.Collect(maps.Values(w.open))
	w.mu.Unlock()
	for _, a := range open {
		taken, err := w.handOver(ctx, a)
		if err != nil {
			return err
		}
		w.back = w.back || taken
	}
	return nil
}

// handOver delivers an alert. One that is refused is given up, which is said: it stands in the way of no other, and is not repeated.
func (w *worker) handOver(ctx context.Context, a Alert) (taken bool, err error) {
	err = w.deliver(ctx, a)
	if !errors.Is(err, errRefused) {
		return err == nil, err
	}
	w.say(fmt.Sprintf("%s does not take an alert, which is given up: %v", w.receiver.Name, err))
	w.forget(a)
	return false, nil
}

// forget repeats an alert no more, unless there is another word on its fault since.
func (w *worker) forget(a Alert) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open[a.place()] == a {
		delete(w.open, a.place())
	}
}

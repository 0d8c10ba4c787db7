// Package remote sends series to what takes Prometheus' remote write: for jobs that are gone before anything scrapes them. What the
// receiver does not take waits in memory, bounded, and is tried again.
package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/prometheus/client_golang/exp/api/remote"

	"github.com/torchleak/torchleak/internal/metrics"
)

// Config says what is sent, and where.
type Config struct {
	URL      string // of the receiver, with its path: http://127.0.0.1:9090/api/v1/write
	Instance string // label of all series, as a scrape adds one
	State    func(now time.Time) metrics.State
	Warn     func(error) // is called from any goroutine
}

// Intervals and bounds.
const (
	takeEvery  = 15 * time.Second
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
	answerTime = 30 * time.Second // a receiver may take for its answer
	closeGrace = 5 * time.Second  // for what waits at the end
	// maxWaiting bounds what waits, in bytes: of one rank a day of samples, of 16 ranks an hour.
	maxWaiting = 32 << 20
)

// Writer sends a state every few seconds.
type Writer struct {
	config Config
	api    *remote.API
	wake   chan struct{}
	grace  time.Duration
	room   int // for what waits, in bytes

	mu      sync.Mutex
	known   map[string]labels // series of the newest round, and those whose end was lost
	waiting []*round          // oldest first
	size    int               // of them, in bytes
	lost    int               // samples that will never be delivered
	refused bool              // the round before
}

// round is the samples of one moment, as the receiver takes them.
type round struct {
	body    body
	samples int
	ends    map[string]labels // series that end with it
}

// New checks the address.
func New(c Config) (*Writer, error) {
	if u, err := url.Parse(c.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("it is no http or https address")
	}
	// Redirected, a POST becomes a GET, and whatever page that gives would pass for samples that were taken.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	api, err := remote.NewAPI(c.URL, remote.WithAPIPath(""), remote.WithAPIHTTPClient(&http.Client{Timeout: answerTime, CheckRedirect: stay}),
		remote.WithAPIBackoff(remote.BackoffConfig{Min: firstRetry, Max: lastRetry}))
	return &Writer{config: c, api: api, wake: make(chan struct{}, 1), grace: closeGrace, room: maxWaiting}, err
}

// Run sends until the context ends, then the last state and what waits still, for a few seconds. It returns how many samples could not
// be delivered.
func (w *Writer) Run(ctx context.Context) (lost int) {
	var sending sync.WaitGroup
	sending.Go(func() { w.send(ctx) })
	ticker := time.NewTicker(takeEvery)
	defer ticker.Stop()
	for ctx.Err() == nil {
		select {
		case now := <-ticker.C:
			w.take(now)
		case <-ctx.Done():
		}
	}
	sending.Wait()
	w.take(time.Now())
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.grace)
	defer cancel()
	close(w.wake)
	w.send(late)
	for _, r := range w.waiting {
		w.lost += r.samples
	}
	return w.lost
}

// take adds the state of now to what waits. When that is too much the oldest goes.
func (w *Writer) take(now time.Time) {
	series, err := metrics.Gather(func() metrics.State { return w.config.State(now) })
	if err != nil {
		w.config.Warn(fmt.Errorf("the series cannot be sent: %w", err))
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.encode(series, now)
	w.waiting = append(w.waiting, r)
	w.size += len(r.body)
	for w.size > w.room && len(w.waiting) > 1 {
		w.lose(w.waiting[0])
		w.drop()
	}
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// drop takes the oldest round away.
func (w *Writer) drop() {
	w.size -= len(w.waiting[0].body)
	w.waiting = w.waiting[1:]
}

// lose counts a round that will never be delivered. What ended with it ends with the next one, or it would last for as long as
// the receiver looks back.
func (w *Writer) lose(r *round) {
	w.lost += r.samples
	for key, l := range r.ends {
		if _, again := w.known[key]; !again {
			w.known[key] = l
		}
	}
}

// send delivers what waits, oldest first, until the context ends, or until nothing is left once wake is closed.
func (w *Writer) send(ctx context.Context) {
	for {
		r := w.oldest()
		if r == nil {
			select {
			case _, open := <-w.wake:
				if open {
					continue
				}
			case <-ctx.Done():
			}
			return
		}
		said := false
		_, err := w.api.Write(ctx, remote.WriteV1MessageType, r.body, remote.WithWriteRetryCallback(func(err error) {
			if !said {
				w.config.Warn(fmt.Errorf("the receiver of series cannot be reached, they wait in memory: %w", err))
				said = true
			}
		}))
		if ctx.Err() != nil {
			return
		}
		w.delivered(r, err)
	}
}

// oldest is the round to be sent next, nil where none waits.
func (w *Writer) oldest() *round {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) == 0 {
		return nil
	}
	return w.waiting[0]
}

// delivered notes what has become of the oldest round: it was taken, or refused for good. Of refusals one after another only the
// first is told, for a wrong address has no end of them.
func (w *Writer) delivered(r *round, err error) {
	w.mu.Lock()
	if len(w.waiting) > 0 && w.waiting[0] == r { // else there was no room for it any more
		w.drop()
		if err != nil {
			w.lose(r)
		}
	}
	again := w.refused
	w.refused = err != nil
	w.mu.Unlock()
	if err != nil && !again {
		w.config.Warn(fmt.Errorf("the receiver of series has refused them, further refusals are counted: %w", err))
	}
}

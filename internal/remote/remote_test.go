package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/dev/engine"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/metrics"
)

// state is a training with a verdict.
func state(v finding.Verdict) metrics.State {
	r := metrics.Rank{Recording: "/r", Running: true}
	r.Report.Verdict = v
	return metrics.State{Ranks: []metrics.Rank{r}}
}

func writer(t *testing.T, address string, warn func(error)) *Writer {
	t.Helper()
	w, err := New(Config{URL: address, Instance: "n1", Warn: warn, State: func(time.Time) metrics.State { return state(finding.Leak) }})
	if err != nil {
		t.Fatal(err)
	}
	w.grace = 30 * time.Second
	return w
}

// TestPrometheus is away at first, and has every sample in the end; a series whose label changes ends at once.
func TestPrometheus(t *testing.T) {
	program, dir := engine.Need(t, "prometheus", "prometheus"), t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(config, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	prometheus, err := engine.Prometheus(program, config, dir, "--web.enable-remote-write-receiver")
	if err != nil {
		t.Fatal(err)
	}
	defer prometheus.Kill()
	var mu sync.Mutex
	var warned []string
	away := make(chan struct{}, 1000)
	w := writer(t, prometheus.URL("/api/v1/write"), func(err error) {
		mu.Lock()
		defer mu.Unlock()
		warned = append(warned, err.Error())
		away <- struct{}{}
	})
	now := time.Now().Truncate(time.Second)
	for i := range 20 { // ten of a leak, ten after it
		verdict := finding.Leak
		if i >= 10 {
			verdict = finding.Bounded
		}
		w.config.State = func(time.Time) metrics.State { return state(verdict) }
		w.take(now.Add(time.Duration(i-20) * time.Second))
	}
	ctx, stop := context.WithCancel(t.Context())
	left := make(chan int)
	go func() { left <- w.Run(ctx) }()
	<-away
	if err := prometheus.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop() // the job ends: what waits is sent still
	if n := <-left; n != 0 {
		t.Errorf("%d samples are lost: %q", n, warned)
	}
	count := func(expression string) string {
		body, err := engine.Get(t.Context(), prometheus.URL(fmt.Sprintf("/api/v1/query?time=%d&query=%s", now.Unix(), url.QueryEscape(expression))))
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Data struct{ Result []struct{ Value [2]any } }
		}
		if err := json.Unmarshal(body, &answer); err != nil || len(answer.Data.Result) != 1 {
			t.Fatalf("%s: %v %s", expression, err, body)
		}
		return fmt.Sprint(answer.Data.Result[0].Value[1])
	}
	for expression, want := range map[string]string{
		`count_over_time(torchleak_rank_verdict{recording="/r",instance="n1",job="torchleak",verdict="leak"}[1m])`: "10",
		`count_over_time(torchleak_rank_verdict{verdict="bounded"}[1m])`:                                           "10",
		`count(torchleak_rank_verdict)`: "1", // the leak has ended
	} {
		if got := count(expression); got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}

// TestBounded keeps the newest of what waits, and counts what it could not keep.
func TestBounded(t *testing.T) {
	w := writer(t, "http://127.0.0.1:1/", func(error) {})
	w.room = 64 << 10
	for w.lost == 0 {
		w.take(time.Unix(1_700_000_000, 0))
	}
	if w.size > w.room || w.size < w.room*9/10 {
		t.Errorf("%d bytes wait", w.size)
	}
	sum := 0
	for _, r := range w.waiting {
		sum += len(r.body)
	}
	if sum != w.size || w.lost != w.waiting[0].samples {
		t.Errorf("%d bytes, %d by its account; %d samples lost", sum, w.size, w.lost)
	}
}

// TestRefused drops what will never be taken, says so once, and goes on.
func TestRefused(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if requests++; requests < 3 {
			http.Error(rw, fmt.Sprintf("out of order sample %d", requests), http.StatusBadRequest)
		}
	}))
	defer server.Close()
	var warned []error
	w := writer(t, server.URL, func(err error) { warned = append(warned, err) })
	for i := range 3 {
		w.take(time.Unix(1_700_000_000+int64(i), 0))
	}
	two := w.waiting[0].samples + w.waiting[1].samples
	close(w.wake)
	w.send(t.Context())
	if requests != 3 || len(w.waiting) != 0 || w.lost != two || len(warned) != 1 || !strings.Contains(warned[0].Error(), "out of order sample 1") {
		t.Errorf("%d requests, %d rounds wait, %d of %d samples lost, %v", requests, len(w.waiting), w.lost, two, warned)
	}
}

// TestEndIsToldAgain ends a series with the next round where the one that should have ended it was lost.
func TestEndIsToldAgain(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		http.Error(rw, "no", http.StatusBadRequest)
	}))
	defer server.Close()
	w := writer(t, server.URL, func(error) {})
	now := time.Unix(1_700_000_000, 0)
	ends := func() int { w.take(now); return len(w.waiting[len(w.waiting)-1].ends) }
	w.take(now)
	w.config.State = func(time.Time) metrics.State { return state(finding.Bounded) }
	if n := ends(); n != 1 {
		t.Fatalf("%d series end with the verdict", n)
	}
	close(w.wake)
	w.send(t.Context()) // both are refused
	w.wake = make(chan struct{}, 1)
	if first, second := ends(), ends(); first != 1 || second != 0 {
		t.Errorf("%d series end with the next round, and %d with the one behind it", first, second)
	}
}

// TestMoved takes no redirection for an answer: where it leads nothing is stored.
func TestMoved(t *testing.T) {
	server := httptest.NewServer(http.RedirectHandler("/elsewhere", http.StatusMovedPermanently))
	defer server.Close()
	var warned []error
	w := writer(t, server.URL, func(err error) { warned = append(warned, err) })
	w.take(time.Unix(1_700_000_000, 0))
	close(w.wake)
	w.send(t.Context())
	if w.lost == 0 || len(warned) != 1 || !strings.Contains(warned[0].Error(), "301 Moved") {
		t.Errorf("%d samples lost, %v", w.lost, warned)
	}
}

// TestGivesUp ends soon after its job when the receiver does not answer.
func TestGivesUp(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}))
	defer server.Close()
	defer close(release)
	w := writer(t, server.URL, func(error) {})
	w.grace = 50 * time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if lost := w.Run(ctx); lost == 0 {
		t.Error("nothing is said to be lost")
	}
}

func TestAddress(t *testing.T) {
	for _, address := range []string{"", "host:9090", "ftp://host/", "http:///api/v1/write", "http://[::1"} {
		if _, err := New(Config{URL: address}); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
	secret := &url.Error{}
	w := writer(t, "http://user:secret@127.0.0.1:1/", func(err error) {
		if !errors.As(err, &secret) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v", err)
		}
	})
	w.grace = 50 * time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	stop()
	w.Run(ctx)
}

package watch

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/torchleak/torchleak/internal/loopback"
	"github.com/torchleak/torchleak/internal/metrics"
)

// Access says who may read what an agent serves.
type Access struct {
	Address string           // HOST:PORT
	Token   string           // that a client has to send as Authorization: Bearer; empty asks for none
	TLS     *tls.Certificate // nil serves plain HTTP
}

// ErrOpen says that strangers could read what is served.
var ErrOpen = errors.New("other machines can reach this address")

// Listen opens the address. One that is not of this machine alone has to be guarded by a token or TLS.
func Listen(a Access) (net.Listener, error) {
	l, err := net.Listen("tcp", a.Address)
	if err != nil {
		return nil, err
	}
	if !isLoopback(l.Addr()) && a.Token == "" && a.TLS == nil {
		l.Close()
		return nil, fmt.Errorf("%w: %s", ErrOpen, a.Address)
	}
	if a.TLS != nil {
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*a.TLS}, MinVersion: tls.VersionTLS12})
	}
	return l, nil
}

func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Registry holds the series of an agent and of its own process.
func Registry(a *Agent) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(metrics.NewCollector(a.State), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// Bounds of a request.
const (
	requestTime = 10 * time.Second
	scrapeTime  = 30 * time.Second
	maxScrapes  = 8 // at a time
)

// Serve serves /metrics and /healthz until the context ends.
func Serve(ctx context.Context, l net.Listener, a *Agent, access Access) error {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(Registry(a), promhttp.HandlerOpts{MaxRequestsInFlight: maxScrapes, Timeout: scrapeTime}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { health(w, a.State().Agent.Looked, time.Now()) })
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "torchleak watch: /metrics for Prometheus, /healthz for probes of life")
	})
	server := &http.Server{
		Handler:           guard(mux, access, isLoopback(l.Addr())),
		ReadHeaderTimeout: requestTime, ReadTimeout: requestTime, WriteTimeout: 2 * scrapeTime, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // whoever knocks would write to our standard error
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// overdue is how old the last look may be in an agent that works.
const overdue = time.Minute

func health(w http.ResponseWriter, looked, now time.Time) {
	if looked.IsZero() || now.Sub(looked) > overdue {
		http.Error(w, "the recordings have not been read for a while", http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

// guard lets only those in who may read. here says that what is served is on loopback, where only names of this machine are answered.
func guard(next http.Handler, access Access, here bool) http.Handler {
	want := sha256.Sum256([]byte(access.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if here && !loopback.Named(r.Host) {
			http.Error(w, "this address answers under localhost only", http.StatusForbidden)
			return
		}
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		got := sha256.Sum256([]byte(token))
		if access.Token != "" && r.URL.Path != "/healthz" && subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "a token is asked for: Authorization: Bearer …", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

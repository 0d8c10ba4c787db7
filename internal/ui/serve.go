package ui

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/torchleak/torchleak/internal/loopback"
	"github.com/torchleak/torchleak/internal/report/html"
)

// NewToken is a secret that nobody guesses: 128 random bits.
func NewToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, says its documentation
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Bounds of the event streams.
const (
	maxStreams = 16 // at a time: a browser opens six at most
	writeTime  = 10 * time.Second
	aliveEvery = 15 * time.Second // so that a reader who is gone is noticed
)

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{token}/{$}", s.document)
	mux.HandleFunc("GET /{token}/events", s.events)
	return s.guard(mux)
}

// guard answers only who has the address from us. Another page in the browser can ask for anything on loopback: under a name of
// its own that leads here, or from its own origin, which the browser says.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
		if !loopback.Named(r.Host) {
			http.Error(w, "torchleak ui answers under 127.0.0.1 and localhost only", http.StatusMisdirectedRequest)
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			http.Error(w, "torchleak ui answers no other page", http.StatusForbidden)
			return
		}
		token, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
			http.Error(w, "not the address that torchleak ui has printed: it changes with every start", http.StatusNotFound)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// document serves the page as it is now.
func (s *Server) document(w http.ResponseWriter, _ *http.Request) {
	var page bytes.Buffer
	if err := html.WriteLive(&page, s.now().Report, s.config.Lang); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page.Bytes()) // a reader who is gone needs no page
}

// events sends the newest page whenever there is one, until there will be no more. Pages that a slow reader has missed are left
// out.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	select {
	case s.open <- struct{}{}:
		defer func() { <-s.open }()
	default:
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	send := func(text string) bool {
		_ = out.SetWriteDeadline(s.config.Now().Add(writeTime))
		_, err := w.Write([]byte(text))
		return err == nil && out.Flush() == nil
	}
	for {
		s.mu.Lock()
		page, renewal, changed := s.page, s.renewal, s.changed
		s.mu.Unlock()
		if !send(fmt.Sprintf("event: %s\ndata: %s\n\n", Running, renewal)) {
			return
		}
		if page.Phase != Running {
			send(fmt.Sprintf("event: %s\ndata: {}\n\n", page.Phase))
			return
		}
		for waiting := true; waiting; {
			select {
			case <-changed:
				waiting = false
			case <-time.After(aliveEvery):
				if !send(": alive\n\n") {
					return
				}
			case <-r.Context().Done():
				return
			}
		}
	}
}

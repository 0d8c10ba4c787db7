// Package ui serves the live page of a training to browsers on this machine, and to nobody else: it listens on loopback, the
// address holds a secret, and a page of another origin gets no answer that it could read.
package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/html"
)

// Phase is how far the training has come.
type Phase string

// Phases, by the names of their events.
const (
	Running Phase = "report"
	Ended   Phase = "ended" // or nobody sees it go on
	Gone    Phase = "gone"  // its recording was removed
)

// Page is what is shown: a report, and whether there will be another.
type Page struct {
	Report finding.Report
	Phase  Phase
}

// Config says what to serve.
type Config struct {
	Look  func() Page // the recording as it is now
	Lang  string
	Now   func() time.Time
	Phase func(Phase) // is called when the phase changes; nil is fine
}

// How often the recording is looked at: once a second, and seldom enough to take a small part of one processor.
const (
	lookEvery = time.Second
	lookShare = 20 // one part in so many
)

// Server serves one page.
type Server struct {
	config Config
	token  string
	url    string
	http   *http.Server
	open   chan struct{} // one place for each open event stream

	mu      sync.Mutex
	page    Page
	renewal []byte        // of page, as JSON
	changed chan struct{} // closed when there is a newer page
}

// Listen opens a port on loopback, 0 for a free one.
func Listen(port uint16) (net.Listener, error) {
	return net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
}

// New looks at the recording for the first time, and makes the server of what it finds at a listener on loopback.
func New(l net.Listener, token string, c Config) (*Server, error) {
	s := &Server{config: c, token: token, open: make(chan struct{}, maxStreams), changed: make(chan struct{})}
	s.url = fmt.Sprintf("http://%s/%s/", l.Addr(), token)
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	return s, s.take(c.Look())
}

// URL is the address of the page. Whoever knows it can read the page.
func (s *Server) URL() string { return s.url }

// Serve serves until the context ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { s.http.Close() })
	defer stop()
	go s.follow(ctx)
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// follow looks at the recording as long as it may change.
func (s *Server) follow(ctx context.Context) {
	wait := lookEvery
	for s.now().Phase == Running {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		began := s.config.Now()
		if err := s.take(s.config.Look()); err != nil {
			continue // a report that no page can be made of: the next may be another
		}
		wait = max(lookEvery, lookShare*s.config.Now().Sub(began))
	}
}

func (s *Server) now() Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.page
}

// take makes a page the newest one, unless it shows the same as the one before. Of a recording that is gone the last report
// stays.
func (s *Server) take(p Page) error {
	before := s.now()
	if p.Phase == Gone {
		p.Report = before.Report
	}
	renewal, err := html.NewRenewal(p.Report, s.config.Lang)
	if err != nil {
		return err
	}
	data, err := json.Marshal(renewal)
	if err != nil {
		return err
	}
	s.mu.Lock()
	same := p.Phase == s.page.Phase && bytes.Equal(data, s.renewal)
	s.page, s.renewal = p, data
	if !same {
		close(s.changed)
		s.changed = make(chan struct{})
	}
	s.mu.Unlock()
	if p.Phase != before.Phase && s.config.Phase != nil {
		s.config.Phase(p.Phase)
	}
	return nil
}

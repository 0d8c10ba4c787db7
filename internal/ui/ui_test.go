package ui

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/reporttest"
)

// training is a recording that the test moves on.
type training struct {
	mu   sync.Mutex
	page Page
}

func (t *training) set(p Page) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.page = p
}

func (t *training) look() Page {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.page
}

// served serves a training until the test ends.
func served(t *testing.T, of *training) *Server {
	t.Helper()
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(l, NewToken(), Config{Look: of.look, Lang: "en", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

// asked asks for an address, with changes to the request.
func asked(t *testing.T, url string, change func(*http.Request)) (status int, header http.Header, body string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	change(request)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(text)
}

// Nobody gets the page who was not given its address, and no other page in the browser can read it.
func TestGuard(t *testing.T) {
	s := served(t, &training{page: Page{reporttest.Load(t, "leak_host"), Ended}})
	for name, c := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"as printed":                  {func(*http.Request) {}, 200},
		"by the name localhost":       {func(r *http.Request) { r.Host = strings.Replace(r.Host, "127.0.0.1", "localhost", 1) }, 200},
		"typed by its user":           {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") }, 200},
		"by a name that leads here":   {func(r *http.Request) { r.Host = "evil.example" }, 421},
		"… with the port":             {func(r *http.Request) { r.Host = strings.Replace(r.Host, "127.0.0.1", "evil.example", 1) }, 421},
		"through a forwarded port":    {func(r *http.Request) { r.Host = "127.0.0.1:1" }, 200},
		"by another page":             {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"without the token":           {func(r *http.Request) { r.URL.Path = "/" }, 404},
		"with a wrong token":          {func(r *http.Request) { r.URL.Path = "/" + NewToken() + "/" }, 404},
		"with a part of the token":    {func(r *http.Request) { r.URL.Path = r.URL.Path[:8] + "/" }, 404},
		"for what is not there":       {func(r *http.Request) { r.URL.Path += "report.json" }, 404},
		"with a method that is wrong": {func(r *http.Request) { r.Method = http.MethodPost }, 405},
	} {
		status, header, body := asked(t, s.URL(), c.change)
		if status != c.want {
			t.Errorf("asked %s: %d, want %d", name, status, c.want)
		}
		if status != 200 && strings.Contains(body, "train") {
			t.Errorf("asked %s: %s", name, body)
		}
		for _, key := range []string{"Access-Control-Allow-Origin", "Server", "Set-Cookie"} {
			if header.Get(key) != "" {
				t.Errorf("asked %s: %s", name, key)
			}
		}
		if header.Get("Cache-Control") != "no-store" {
			t.Errorf("asked %s: it may be kept", name)
		}
	}
}

// The events are the reports, each once, and the last one says that there will be no more.
func TestEvents(t *testing.T) {
	of := &training{page: Page{reporttest.Load(t, "undecided"), Running}}
	s := served(t, of)
	response, err := http.Get(s.URL() + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	event := func() (name, data string) {
		t.Helper()
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatalf("the stream ended: %v", err)
			}
			switch key, value, _ := strings.Cut(strings.TrimSpace(line), ": "); {
			case key == "event":
				name = value
			case key == "data":
				data = value
			case name != "":
				return name, data
			}
		}
	}
	if name, data := event(); name != "report" || !strings.Contains(data, "undecided") {
		t.Fatalf("%s %s", name, data)
	}
	of.set(Page{reporttest.Load(t, "leak_host"), Running})
	if name, data := event(); name != "report" || !strings.Contains(data, "TL") {
		t.Fatalf("%s %s", name, data)
	}
	of.set(Page{finding.Report{}, Gone})
	if name, data := event(); name != "report" || !strings.Contains(data, "TL") {
		t.Fatalf("what was removed is still shown: %s %s", name, data)
	}
	if name, _ := event(); name != "gone" {
		t.Fatalf("the last event is %s", name)
	}
	if _, err := lines.ReadString('\n'); err != io.EOF {
		t.Errorf("the stream goes on: %v", err)
	}
}

// More streams than there is room for are refused, and room is made by those that go.
func TestTooManyStreams(t *testing.T) {
	s := served(t, &training{page: Page{reporttest.Load(t, "undecided"), Running}})
	var open []io.Closer
	for range maxStreams {
		response, err := http.Get(s.URL() + "events")
		if err != nil || response.StatusCode != 200 {
			t.Fatal(response.Status, err)
		}
		open = append(open, response.Body)
	}
	if status, _, _ := asked(t, s.URL()+"events", func(*http.Request) {}); status != http.StatusServiceUnavailable {
		t.Errorf("one more: %d", status)
	}
	for _, c := range open {
		c.Close()
	}
	for deadline := time.Now().Add(time.Minute); len(s.open) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d streams are left", len(s.open))
		}
	}
}

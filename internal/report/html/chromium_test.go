package html

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium driven over a pipe (--remote-debugging-pipe): messages are JSON, each
// ended by a zero byte. One page at a time.
type browser struct {
	t       *testing.T
	in      *os.File
	replies chan message
	next    int
	session string
	events  []message
}

type message struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// required says whether TORCHLEAK_REQUIRE wants what would else be skipped.
func required(what string) bool {
	for _, name := range strings.FieldsFunc(os.Getenv("TORCHLEAK_REQUIRE"), func(r rune) bool { return r == ',' || r == ' ' }) {
		if name == what {
			return true
		}
	}
	return false
}

// findChromium returns the path of a Chromium; without one the test is skipped, or fails where
// TORCHLEAK_REQUIRE contains chromium.
func findChromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if required("chromium") {
		t.Fatal("no Chromium found, and TORCHLEAK_REQUIRE asks for it")
	}
	t.Skip("no Chromium found")
	return ""
}

// startBrowser starts Chromium with an empty profile and no network.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := findChromium(t)
	toBrowser, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	command.ExtraFiles = []*os.File{toBrowser, fromBrowser}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	b := &browser{t: t, in: in, replies: make(chan message, 1024)}
	go b.read(out)
	t.Cleanup(func() {
		b.session = ""
		b.send("Browser.close", nil)
		ended := make(chan error, 1)
		go func() { ended <- command.Wait() }()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			command.Process.Kill()
			<-ended
		}
		in.Close()
	})
	b.attach()
	return b
}

func (b *browser) read(out *os.File) {
	defer close(b.replies)
	scanner := bufio.NewReader(out)
	for {
		text, err := scanner.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) == nil {
			b.replies <- m
		}
	}
}

func (b *browser) send(method string, params map[string]any) int {
	b.next++
	call := map[string]any{"id": b.next, "method": method, "params": params}
	if params == nil {
		call["params"] = map[string]any{}
	}
	if b.session != "" {
		call["sessionId"] = b.session
	}
	text, err := json.Marshal(call)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Errorf("writing to the browser: %v", err)
	}
	return b.next
}

// call sends a command and waits for its result; events that come meanwhile are kept.
func (b *browser) call(method string, params map[string]any, result any) {
	b.t.Helper()
	id := b.send(method, params)
	m := b.wait(method, func(m message) bool { return m.ID == id })
	if m.Error != nil {
		b.t.Fatalf("%s: %s", method, m.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
	}
}

func (b *browser) wait(what string, wanted func(message) bool) message {
	b.t.Helper()
	limit := time.After(60 * time.Second)
	for {
		select {
		case m, open := <-b.replies:
			if !open {
				b.t.Fatalf("the browser ended during %s", what)
			}
			if wanted(m) {
				return m
			}
			if m.Method != "" {
				b.events = append(b.events, m)
			}
		case <-limit:
			b.t.Fatalf("the browser does not answer: %s", what)
		}
	}
}

func (b *browser) attach() {
	b.t.Helper()
	var target struct {
		TargetID string `json:"targetId"`
	}
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	b.call("Network.emulateNetworkConditions", map[string]any{"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}, nil)
}

// look is how a page is looked at.
type look struct {
	scheme string // light or dark
	width  int
}

// open shows the file at path and waits until it is drawn.
func (b *browser) open(path string, l look) {
	b.t.Helper()
	b.events = nil
	b.call("Emulation.setEmulatedMedia", map[string]any{"media": "screen", "features": []map[string]string{{"name": "prefers-color-scheme", "value": l.scheme}}}, nil)
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": l.width, "height": 900, "deviceScaleFactor": 1, "mobile": l.width < 500}, nil)
	b.call("Page.navigate", map[string]any{"url": "file://" + path}, nil)
	if !b.has("Page.loadEventFired") {
		b.events = append(b.events, b.wait("loading "+path, func(m message) bool { return m.Method == "Page.loadEventFired" }))
	}
	b.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))", nil)
}

func (b *browser) has(method string) bool {
	for _, m := range b.events {
		if m.Method == method {
			return true
		}
	}
	return false
}

// eval runs JavaScript in the page and waits for its value.
func (b *browser) eval(code string, value any) {
	b.t.Helper()
	var out struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"`
	}
	b.call("Runtime.evaluate", map[string]any{"expression": code, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &out)
	if out.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", code, out.ExceptionDetails)
	}
	if value != nil {
		if err := json.Unmarshal(out.Result.Value, value); err != nil {
			b.t.Fatalf("%s gives %s: %v", code, out.Result.Value, err)
		}
	}
}

// key presses and releases one key.
func (b *browser) key(name string) {
	b.t.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35}
	press := map[string]any{"type": "keyDown", "key": name, "code": name, "windowsVirtualKeyCode": codes[name]}
	if name == "Enter" {
		press["text"] = "\r"
	}
	b.call("Input.dispatchKeyEvent", press, nil)
	press["type"] = "keyUp"
	delete(press, "text")
	b.call("Input.dispatchKeyEvent", press, nil)
}

// complaints lists what the page wrote on its console, threw, or asked of the network.
func (b *browser) complaints(path string) []string {
	b.call("Runtime.evaluate", map[string]any{"expression": "0"}, nil) // events before this reply have come
	var out []string
	for _, m := range b.events {
		switch m.Method {
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening":
			out = append(out, fmt.Sprintf("%s %s", m.Method, m.Params))
		case "Network.requestWillBeSent":
			var request struct {
				Request struct {
					URL string `json:"url"`
				} `json:"request"`
			}
			if err := json.Unmarshal(m.Params, &request); err != nil || request.Request.URL != "file://"+path {
				out = append(out, fmt.Sprintf("asked for %s", request.Request.URL))
			}
		}
	}
	return out
}

// picture returns the whole page as PNG.
func (b *browser) picture() []byte {
	b.t.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	b.call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return png
}

package reporttest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/dev/need"
)

// Browser is a headless Chromium driven over a pipe (--remote-debugging-pipe): messages are JSON, each
// ended by a zero byte. One page at a time.
type Browser struct {
	T       testing.TB // the test at hand
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

// Page writes a page where a browser can open it, and returns its path.
func Page(t testing.TB, write func(io.Writer) error) string {
	t.Helper()
	var page bytes.Buffer
	if err := write(&page); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, page.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// findChromium returns the path of a Chromium; without one the test is skipped, or fails where
// TORCHLEAK_REQUIRE contains chromium.
func findChromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	need.Lacks(t, "chromium", "no Chromium found")
	return ""
}

// StartBrowser starts Chromium with an empty profile and no network.
func StartBrowser(t testing.TB) *Browser {
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
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--proxy-server=127.0.0.1:9", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-pipe", "about:blank")
	command.ExtraFiles = []*os.File{toBrowser, fromBrowser}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	b := &Browser{T: t, in: in, replies: make(chan message, 1024)}
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

func (b *Browser) read(out *os.File) {
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

func (b *Browser) send(method string, params map[string]any) int {
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
		b.T.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.T.Errorf("writing to the browser: %v", err)
	}
	return b.next
}

// Call sends a command and waits for its result; events that come meanwhile are kept.
func (b *Browser) Call(method string, params map[string]any, result any) {
	b.T.Helper()
	id := b.send(method, params)
	m := b.wait(method, func(m message) bool { return m.ID == id })
	if m.Error != nil {
		b.T.Fatalf("%s: %s", method, m.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			b.T.Fatalf("%s: %v", method, err)
		}
	}
}

func (b *Browser) wait(what string, wanted func(message) bool) message {
	b.T.Helper()
	limit := time.After(60 * time.Second)
	for {
		select {
		case m, open := <-b.replies:
			if !open {
				b.T.Fatalf("the browser ended during %s", what)
			}
			if wanted(m) {
				return m
			}
			if m.Method != "" {
				b.events = append(b.events, m)
			}
		case <-limit:
			b.T.Fatalf("the browser does not answer: %s", what)
		}
	}
}

func (b *Browser) attach() {
	b.T.Helper()
	var target struct {
		TargetID string `json:"targetId"`
	}
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Call(domain+".enable", nil, nil)
	}
	b.offline(true)
}

func (b *Browser) offline(off bool) {
	b.T.Helper()
	b.Call("Network.emulateNetworkConditions", map[string]any{"offline": off, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
}

// Look is how a page is looked at.
type Look struct {
	Scheme string // light or dark
	Width  int
}

// Open shows the file at path, without a network, and waits until it is drawn.
func (b *Browser) Open(path string, l Look) {
	b.T.Helper()
	b.offline(true)
	b.show("file://"+path, l)
}

// OpenDrawn is Open for a page whose script says when its pictures are drawn.
func (b *Browser) OpenDrawn(path string, l Look) {
	b.T.Helper()
	b.Open(path, l)
	b.Eval(`new Promise((done) => { const look = () => document.documentElement.dataset.drawn === undefined ? setTimeout(look, 5) : requestAnimationFrame(() => requestAnimationFrame(() => done())); look(); })`, nil)
}

// Expect compares what JavaScript says of the page, once frames that were asked for are drawn.
func (b *Browser) Expect(what, code, want string) {
	b.T.Helper()
	var got string
	b.Eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(`+code+`))))`, &got)
	if got != want {
		b.T.Errorf("%s: %q, want %q", what, got, want)
	}
}

// Quiet fails the test where the page in the file at path complained of something.
func (b *Browser) Quiet(path string) {
	b.T.Helper()
	for _, complaint := range b.Complaints(path) {
		b.T.Error(complaint)
	}
}

// Visit shows a page of a server on this machine, and waits until it is drawn.
func (b *Browser) Visit(url string, l Look) {
	b.T.Helper()
	b.offline(false)
	b.show(url, l)
}

func (b *Browser) show(url string, l Look) {
	b.T.Helper()
	b.events = nil
	b.Call("Emulation.setEmulatedMedia", map[string]any{"media": "screen", "features": []map[string]string{{"name": "prefers-color-scheme", "value": l.Scheme}}}, nil)
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": l.Width, "height": 900, "deviceScaleFactor": 1, "mobile": l.Width < 500}, nil)
	b.Call("Page.navigate", map[string]any{"url": url}, nil)
	if !b.has("Page.loadEventFired") {
		b.events = append(b.events, b.wait("loading "+url, func(m message) bool { return m.Method == "Page.loadEventFired" }))
	}
	b.Eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))", nil)
}

func (b *Browser) has(method string) bool {
	for _, m := range b.events {
		if m.Method == method {
			return true
		}
	}
	return false
}

// Eval runs JavaScript in the page and waits for its value.
func (b *Browser) Eval(code string, value any) {
	b.T.Helper()
	var out struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails json.RawMessage `json:"exceptionDetails"`
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": code, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &out)
	if out.ExceptionDetails != nil {
		b.T.Fatalf("%s: %s", code, out.ExceptionDetails)
	}
	if value != nil {
		if err := json.Unmarshal(out.Result.Value, value); err != nil {
			b.T.Fatalf("%s gives %s: %v", code, out.Result.Value, err)
		}
	}
}

// Key presses and releases one key.
func (b *Browser) Key(name string) {
	b.T.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35}
	press := map[string]any{"type": "keyDown", "key": name, "code": name, "windowsVirtualKeyCode": codes[name]}
	if name == "Enter" {
		press["text"] = "\r"
	}
	b.Call("Input.dispatchKeyEvent", press, nil)
	press["type"] = "keyUp"
	delete(press, "text")
	b.Call("Input.dispatchKeyEvent", press, nil)
}

// Complaints lists what the page in the file at path wrote on its console, threw, or asked of the network.
func (b *Browser) Complaints(path string) []string { return b.ComplaintsBut("file://" + path) }

// ComplaintsBut lists what the page wrote on its console, threw, or asked of the network besides some addresses.
func (b *Browser) ComplaintsBut(addresses ...string) []string {
	b.Call("Runtime.evaluate", map[string]any{"expression": "0"}, nil) // events before this reply have come
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
			if err := json.Unmarshal(m.Params, &request); err != nil || !slices.Contains(addresses, request.Request.URL) {
				out = append(out, fmt.Sprintf("asked for %s", request.Request.URL))
			}
		}
	}
	return out
}

// Picture returns the whole page as PNG.
func (b *Browser) Picture() []byte {
	b.T.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	b.Call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": true}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.T.Fatal(err)
	}
	return png
}

const faint = `(() => {
	const parts = (c) => c.match(/[\d.]+/g).map(Number);
	const light = (c) => {
		const [r, g, b] = parts(c).map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = (e) => {
		for (; e; e = e.parentElement) {
			const c = getComputedStyle(e).backgroundColor;
			if ((parts(c)[3] ?? 1) === 1) return c;
		}
		return "rgb(255, 255, 255)";
	};
	const out = [];
	for (const e of document.querySelectorAll("body *")) {
		const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
		if (!own || e.closest("script, noscript, option") || !e.getClientRects().length) continue;
		const style = getComputedStyle(e), ink = e.closest("svg") ? style.fill : style.color;
		const [a, b] = [light(ink), light(ground(e))].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) out.push(ratio.toFixed(2) + " " + (e.getAttribute("class") ?? e.tagName) + " " + e.textContent.trim().slice(0, 40));
	}
	return out;
})()`

// Faint lists the texts of the page that stand out from their ground by less than 4.5 to 1, as WCAG 2.2 AA asks for small
// text.
func (b *Browser) Faint() (found []string) {
	b.T.Helper()
	b.Eval(faint, &found)
	return found
}

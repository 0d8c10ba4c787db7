package deploy_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/dev/engine"
	"github.com/torchleak/torchleak/internal/pytorch"
)

// leaking is a training that keeps a loss of every step until it is told to heal, or to end.
const leaking = `
import os, time, torch
kept = []
net = torch.nn.Linear(64, 64)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
deadline = time.monotonic() + 300
while time.monotonic() < deadline and not os.path.exists("end"):
    loss = net(torch.randn(32, 64)).square().mean()
    loss.backward()
    opt.step(); opt.zero_grad()
    if not os.path.exists("heal"):
        kept.append(loss)
    time.sleep(0.01)
`

// TestChain takes leaks of real trainings through the agent, Prometheus and Alertmanager to a receiver, and each of these goes down
// on the way.
func TestChain(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	heals, ends := c.train("heals"), c.train("ends")
	for _, dir := range []string{heals, ends} {
		c.await("an alert of "+dir, func() bool { return c.post.last(dir) == "firing" })
		if n := c.scrapesUntilFiring(dir); n > 2 {
			t.Errorf("%s: it fired after %d scrapes of the verdict, want 2 at most", dir, n)
		}
	}

	t.Log("the agent is killed and started again")
	c.watch.Kill()
	c.await("a scrape that fails", func() bool { return c.ask("sum(up)") == 0 })
	c.start(c.watch)
	c.await("the verdicts again", func() bool { return c.ask("sum(up)") == 1 && c.leaks(heals) && c.leaks(ends) })

	t.Log("Prometheus is killed and started again")
	c.prometheus.Kill()
	c.start(c.prometheus)
	c.since = time.Now() // what it has from before is not news
	c.await("both alerts again", func() bool { return c.leaks(heals) && c.leaks(ends) && c.fires(heals) && c.fires(ends) })

	t.Log("Alertmanager is killed and started again; whom it has told is forgotten")
	c.alertmanager.Kill()
	c.start(c.alertmanager)
	for _, dir := range []string{heals, ends} {
		c.await("a second word on "+dir, func() bool { return c.post.count(dir, "firing") > 1 })
		if n := c.post.count(dir, "resolved"); n > 0 {
			t.Errorf("%s: taken back %d times while it leaks", dir, n)
		}
	}

	t.Log("the receiver is down when the leaks end")
	c.post.down.Store(true)
	c.tell(heals, "heal")
	c.tell(ends, "end")
	c.await("a failure of the receiver", func() bool { return c.post.failed.Load() > 0 })
	c.await("the end of both in Prometheus", func() bool { return !c.fires(heals) && !c.fires(ends) })
	c.post.down.Store(false)
	for _, dir := range []string{heals, ends} {
		c.await("the end of "+dir, func() bool { return c.post.last(dir) == "resolved" })
	}
	if c.ask(fmt.Sprintf("torchleak_rank_running{recording=%q}", heals)) != 1 {
		t.Error("the training that healed does not run any more")
	}
}

// TestRemoteWrite has a training send its series itself, and ends before the first of them would be due: what it came to is there.
func TestRemoteWrite(t *testing.T) {
	t.Parallel()
	c := &chain{t: t, torchleak: program(t), python: pytorch.Find(t)[0].Path, dir: t.TempDir()}
	program := engine.Need(t, "prometheus", "prometheus")
	c.prometheus = c.have(engine.Prometheus(program, c.file("prometheus.yml", ""), c.dir, "--web.enable-remote-write-receiver"))
	c.start(c.prometheus)
	dir := c.train("batch", "--steps=200", "--remote-write", c.prometheus.URL("/api/v1/write"))
	c.await("its verdict", func() bool { return c.leaks(dir) })
	if running := c.ask(fmt.Sprintf("torchleak_rank_running{recording=%q, job=\"torchleak\"}", dir)); running != 0 {
		t.Errorf("torchleak_rank_running is %v when it has ended", running)
	}
	if steps := c.ask(fmt.Sprintf("torchleak_rank_steps_total{recording=%q}", dir)); steps < 200 {
		t.Errorf("%v steps of 200", steps)
	}
}

// programs is the directory of the program under test.
var programs string

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "torchleak-deploy-"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(programs)
	os.Exit(status)
}

// built is the path of the program under test.
var built = sync.OnceValues(func() (path string, err error) {
	path = filepath.Join(programs, "torchleak")
	out, err := exec.Command("go", "build", "-o", path, "../cmd/torchleak").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, err
})

func program(t *testing.T) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// chain is everything between a training and who is told.
type chain struct {
	t                               *testing.T
	torchleak, python, dir          string
	watch, prometheus, alertmanager *engine.Engine
	post                            *post
	since                           time.Time // samples before are not counted
}

func newChain(t *testing.T) *chain {
	prometheus, alertmanager := engine.Need(t, "prometheus", "prometheus"), engine.Need(t, "prometheus-alertmanager", "prometheus-alertmanager")
	c := &chain{t: t, torchleak: program(t), python: pytorch.Find(t)[0].Path, dir: t.TempDir(), post: &post{}}
	receiver := httptest.NewServer(c.post)
	t.Cleanup(receiver.Close)
	c.alertmanager = c.have(engine.Alertmanager(alertmanager, c.file("alertmanager.yml", fmt.Sprintf(routing, c.dir, receiver.URL)), c.dir))
	c.watch = c.have(engine.New(c.torchleak, "/healthz", filepath.Join(c.dir, "watch.log"), func(address string) []string {
		return []string{"watch", "--listen", address}
	}))
	c.file("torchleak.rules.yml", quicker(t))
	config := c.file("prometheus.yml", fmt.Sprintf(scraping, c.watch.Address, c.alertmanager.Address))
	// Alertmanager takes an alert for ended that was not sent again in four such times.
	c.prometheus = c.have(engine.Prometheus(prometheus, config, c.dir, "--rules.alert.resend-delay=5s"))
	for _, e := range []*engine.Engine{c.alertmanager, c.watch, c.prometheus} {
		c.start(e)
	}
	return c
}

// routing tells the receiver of our trainings only: others may run on this machine.
const routing = `
route:
  receiver: nobody
  routes: [{receiver: test, matchers: ['recording=~"%s/.*"'], group_by: [...], group_wait: 0s, group_interval: 1s, repeat_interval: 1h}]
receivers: [{name: nobody}, {name: test, webhook_configs: [{url: %q}]}]
`

const scraping = `
global: {scrape_interval: 1s, evaluation_interval: 250ms}
rule_files: [torchleak.rules.yml]
scrape_configs:
  - {job_name: torchleak, static_configs: [{targets: [%q]}]}
alerting:
  alertmanagers: [{static_configs: [{targets: [%q]}]}]
`

// quicker is the rules that are given to users, with a wait that a test can wait for.
func quicker(t *testing.T) string {
	text, err := os.ReadFile("prometheus/torchleak.rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	const wait = "keep_firing_for: 2m"
	if !strings.Contains(string(text), wait) {
		t.Fatalf("the rules do not say %q", wait)
	}
	return strings.ReplaceAll(string(text), wait, "keep_firing_for: 10s")
}

func (c *chain) have(e *engine.Engine, err error) *engine.Engine {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(e.Kill)
	return e
}

func (c *chain) start(e *engine.Engine) {
	c.t.Helper()
	if err := e.Start(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
}

func (c *chain) file(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// train starts a training with more flags of ours, and returns its recording.
func (c *chain) train(name string, flags ...string) string {
	c.t.Helper()
	dir := filepath.Join(c.dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		c.t.Fatal(err)
	}
	cmd := exec.Command(c.torchleak, slices.Concat([]string{"run", "--quiet", "--dir", "recording"}, flags, []string{"--", c.python, c.file(name+"/train.py", leaking)})...)
	cmd.Dir, cmd.Env = dir, pytorch.Environ()
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { c.tell(filepath.Join(dir, "recording"), "end"); _ = cmd.Wait() })
	return filepath.Join(dir, "recording")
}

// tell makes the file that a training looks for.
func (c *chain) tell(recording, what string) {
	c.file(filepath.Join(filepath.Base(filepath.Dir(recording)), what), "")
}

// await waits for long: a busy machine does all this late.
func (c *chain) await(what string, is func() bool) {
	c.t.Helper()
	began := time.Now()
	for !is() {
		if time.Since(began) > 2*time.Minute {
			c.t.Fatalf("in two minutes not: %s; the receiver got %v", what, c.post.list())
		}
		time.Sleep(50 * time.Millisecond)
	}
	c.t.Logf("%v until %s", time.Since(began).Round(100*time.Millisecond), what)
}

// ask returns the value of an expression of one series, -1 where there is none.
func (c *chain) ask(expression string) float64 {
	body, err := engine.Get(c.t.Context(), c.prometheus.URL("/api/v1/query?query="+url.QueryEscape(expression)))
	if err != nil {
		return -1 // it is down, or not yet up
	}
	var answer struct {
		Data struct {
			Result []struct{ Value [2]json.RawMessage }
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		c.t.Fatal(err)
	}
	if len(answer.Data.Result) != 1 {
		return -1
	}
	var value float64
	if _, err := fmt.Sscanf(string(answer.Data.Result[0].Value[1]), "\"%g\"", &value); err != nil {
		c.t.Fatal(err)
	}
	return value
}

func (c *chain) leaks(recording string) bool {
	return c.has(fmt.Sprintf("torchleak_memory_verdict{recording=%q, verdict=\"leak\"}", recording))
}

func (c *chain) fires(recording string) bool {
	return c.has(fmt.Sprintf("ALERTS{alertname=\"TorchleakLeak\", recording=%q, alertstate=\"firing\"}", recording))
}

// has reports whether there is a series with a sample since.
func (c *chain) has(series string) bool {
	return c.ask(fmt.Sprintf("count(timestamp(%s) > %.3f)", series, seconds(c.since))) > 0
}

// scrapesUntilFiring is how many scrapes had told of the leak when the alert began. It counts scrapes, not time, which says nothing
// on a busy machine.
func (c *chain) scrapesUntilFiring(recording string) int {
	const all = "max(count_over_time(torchleak_memory_verdict{recording=%q, verdict=\"leak\"}[10m] @ %.3f))"
	return int(c.ask(fmt.Sprintf(all, recording, seconds(c.post.first(recording)))))
}

// seconds is a time as Prometheus writes it.
func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// post is who is told in the end.
type post struct {
	down   atomic.Bool
	failed atomic.Int32
	mu     sync.Mutex
	told   []told
}

type told struct {
	Status   string
	Labels   map[string]string
	StartsAt time.Time
}

func (p *post) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.down.Load() {
		p.failed.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	var message struct{ Alerts []told }
	if err := json.NewDecoder(r.Body).Decode(&message); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, message.Alerts...)
}

func (p *post) list() []told {
	if p == nil { // nobody is told here
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]told{}, p.told...)
}

// of lists what was told of the leak of a recording.
func (p *post) of(recording string) (all []told) {
	for _, a := range p.list() {
		if a.Labels["alertname"] == "TorchleakLeak" && a.Labels["recording"] == recording {
			all = append(all, a)
		}
	}
	return all
}

func (p *post) last(recording string) string {
	if all := p.of(recording); len(all) > 0 {
		return all[len(all)-1].Status
	}
	return ""
}

func (p *post) first(recording string) time.Time { return p.of(recording)[0].StartsAt }

func (p *post) count(recording, status string) (n int) {
	for _, a := range p.of(recording) {
		if a.Status == status {
			n++
		}
	}
	return n
}

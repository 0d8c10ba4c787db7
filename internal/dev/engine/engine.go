// Package engine runs other projects' servers, and ours, for tests and benchmarks: on loopback, at an address that a server
// keeps when it is started again.
package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/torchleak/torchleak/internal/dev/need"
	"github.com/torchleak/torchleak/internal/process"
)

// Engine is one server.
type Engine struct {
	Address string // HOST:PORT
	Log     string // file that takes what it prints
	program string
	ready   string // path that is answered by 200 when it serves
	args    func(address string) []string
	cmd     *exec.Cmd
	ended   chan struct{} // closed when the process has ended
}

// Need returns the path of a program of one of Debian's packages. It skips the test without it, and fails it when TORCHLEAK_REQUIRE, a
// list with commas, names the first word of the package: then this must not happen.
func Need(t testing.TB, program, debian string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	family, _, _ := strings.Cut(debian, "-")
	need.Lacks(t, family, fmt.Sprintf("no %s: apt-get install %s", program, debian))
	return ""
}

// New prepares a server at a free port. args are those of the program for its address.
func New(program, ready, log string, args func(address string) []string) (*Engine, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return &Engine{Address: l.Addr().String(), Log: log, program: program, ready: ready, args: args}, nil
}

// Prometheus prepares a Prometheus with the configuration file, its data below dir.
func Prometheus(program, config, dir string, more ...string) (*Engine, error) {
	return New(program, "/-/ready", dir+"/prometheus.log", func(address string) []string {
		return append([]string{"--config.file=" + config, "--storage.tsdb.path=" + dir + "/tsdb", "--web.listen-address=" + address}, more...)
	})
}

// Alertmanager prepares an Alertmanager of its own with the configuration file, its data below dir.
func Alertmanager(program, config, dir string) (*Engine, error) {
	return New(program, "/-/ready", dir+"/alertmanager.log", func(address string) []string {
		return []string{"--config.file=" + config, "--storage.path=" + dir + "/alertmanager", "--web.listen-address=" + address, "--cluster.listen-address="}
	})
}

// startTime bounds how long a server may take until it serves.
const startTime = time.Minute

// Start starts the server, and returns when it serves.
func (e *Engine) Start(ctx context.Context) error {
	log, err := os.OpenFile(e.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	e.cmd = exec.Command(e.program, e.args(e.Address)...)
	e.cmd.Stdout, e.cmd.Stderr = log, log
	if err := e.cmd.Start(); err != nil {
		return err
	}
	e.ended = make(chan struct{})
	go func(cmd *exec.Cmd, ended chan struct{}) { _ = cmd.Wait(); close(ended) }(e.cmd, e.ended)
	for deadline := time.Now().Add(startTime); ; {
		if _, err = Get(ctx, e.URL(e.ready)); err == nil {
			return nil
		}
		select {
		case <-e.ended:
			return fmt.Errorf("%s ended: %s", e.program, e.said())
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not serve after %v: %w\n%s", e.program, startTime, err, e.said())
		}
	}
}

// Kill ends the server as a machine that goes down does.
func (e *Engine) Kill() {
	if e.ended != nil {
		_ = e.cmd.Process.Kill()
		<-e.ended
	}
}

// PID is the number of its process.
func (e *Engine) PID() int { return e.cmd.Process.Pid }

func (e *Engine) said() string {
	text, _ := os.ReadFile(e.Log)
	return string(text[max(0, len(text)-2000):])
}

// URL is a path of the server.
func (e *Engine) URL(path string) string { return "http://" + e.Address + path }

// Get returns what is served at an address, or an error for any status but 200.
func Get(ctx context.Context, url string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(answer.Status + ": " + string(body[:min(len(body), 500)]))
	}
	return body, err
}

// Processor is what its process has taken of processors, in seconds.
func (e *Engine) Processor() (float64, error) {
	stat, err := process.ReadStat(e.PID())
	return stat.CPU.Seconds(), err
}

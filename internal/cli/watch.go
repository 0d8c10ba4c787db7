package cli

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/nvml"
	"github.com/torchleak/torchleak/internal/report/machine"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/sentinel"
	"github.com/torchleak/torchleak/internal/watch"
)

type watchCommand struct {
	colourless
	Dir         []string `placeholder:"DIR" help:"Look for recordings here too: a recording, a project, or a folder of projects. May be given again."`
	User        []string `placeholder:"NAME" help:"Whose recordings are read (default: this user's). May be given again."`
	Once        bool     `help:"Look once, print what is seen, and end."`
	JSON        string   `name:"json" output:"" placeholder:"FILE" help:"With --once: write what is seen as JSON (- for standard output)."`
	Metrics     string   `output:"" placeholder:"FILE" help:"With --once: write the metrics as text, such as for node_exporter's textfile collector (- for standard output)."`
	Listen      string   `default:"127.0.0.1:9907" placeholder:"HOST:PORT" help:"Where /metrics and /healthz are served. What other machines can reach needs a token or TLS."`
	TokenFile   string   `placeholder:"FILE" help:"Serve only those who send what is in this file, as Authorization: Bearer."`
	TLSCert     string   `name:"tls-cert" placeholder:"FILE" help:"Serve by TLS with this certificate (PEM)."`
	TLSKey      string   `name:"tls-key" placeholder:"FILE" help:"The key of the certificate (PEM)."`
	RemoteWrite string   `placeholder:"URL" help:"Send the metrics to this address too, by Prometheus' remote write."`
	Alerts      string   `placeholder:"FILE" help:"Raise alarms by the rules of this file, docs/sentinel.md."`
	Spool       string   `placeholder:"DIR" help:"Where alerts wait for their receivers (default: ~/.local/state/torchleak/alerts)."`
	Quiet       bool     `short:"q" help:"Say nothing but errors."`
	Lang        string   `enum:"en,zh" default:"en" help:"Language of the table for people: en or zh."`
}

// Run watches until it is interrupted, or once.
func (c *watchCommand) Run(stdio Stdio) error {
	if !c.Once && (c.JSON != "" || c.Metrics != "") {
		return &usageError{"--json and --metrics go with --once; an agent that runs serves its metrics at --listen"}
	}
	if c.Once && c.Alerts != "" {
		return &usageError{"--alerts goes without --once: an alarm is raised by an agent that runs"}
	}
	if c.Once && c.RemoteWrite != "" {
		return &usageError{"--remote-write goes without --once: an agent that runs sends"}
	}
	users, err := userIDs(c.User)
	if err != nil {
		return &UserError{err, "Name users of this machine, or their numbers."}
	}
	for _, dir := range c.Dir {
		if _, err := os.Stat(dir); err != nil {
			return &UserError{err, "Name directories that are there with --dir."}
		}
	}
	gpus := nvml.New()
	defer gpus.Close()
	news := &news{lang: c.Lang, stderr: stdio.Err, silent: c.Once || c.silent(stdio)}
	agent := watch.New(watch.Config{
		Tool: tool(), Dirs: c.Dir, Users: users, GPUs: gpus.GPUs,
		Changed: news.changed,
		Failed: func(recording string, err error) {
			fmt.Fprintf(stdio.Err, "torchleak: %s: %s\n", plain.Text(recording), plain.Text(err.Error()))
		},
	})
	if c.Once {
		agent.Look(time.Now())
		return c.show(agent, stdio)
	}
	return c.serve(agent, news, stdio)
}

// userIDs are the numbers of users by name or number.
func userIDs(names []string) (ids []int, err error) {
	for _, name := range names {
		id, err := strconv.Atoi(name)
		if err != nil {
			u, err := user.Lookup(name)
			if err != nil {
				return nil, err
			}
			if id, err = strconv.Atoi(u.Uid); err != nil {
				return nil, err
			}
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// show prints what is seen, and writes the files asked for.
func (c *watchCommand) show(agent *watch.Agent, stdio Stdio) error {
	state := agent.State()
	if c.Metrics != "" {
		if err := writeMade(c.Metrics, stdio.Out, func(w io.Writer) error { return metrics.WriteText(w, agent.State) }); err != nil {
			return &UserError{fmt.Errorf("writing the metrics: %w", err), "Name a file in a directory that can be written, with --metrics."}
		}
	}
	text := func(w io.Writer) error { return machine.WriteText(w, state, c.Lang) }
	if c.Metrics == "-" {
		text = func(io.Writer) error { return nil }
	}
	return tables{JSON: c.JSON, Quiet: c.Quiet}.write(stdio, func(w io.Writer) error { return machine.WriteJSON(w, state) }, text)
}

// serve runs the agent until it is interrupted.
func (c *watchCommand) serve(agent *watch.Agent, news *news, stdio Stdio) error {
	access, err := c.access()
	if err != nil {
		return err
	}
	listener, err := watch.Listen(access)
	if err != nil {
		return unserved(err, c.Listen)
	}
	alarm, err := c.fleetAlarm(stdio)
	if err != nil {
		_ = listener.Close()
		return err
	}
	unsend := func() {}
	if c.RemoteWrite != "" {
		if unsend, err = send(c.RemoteWrite, stdio.Err, func(time.Time) metrics.State { return agent.State() }); err != nil {
			_ = listener.Close()
			return err
		}
	}
	defer unsend()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if !c.Quiet {
		scheme := "http"
		if access.TLS != nil {
			scheme = "https"
		}
		fmt.Fprintf(stdio.Err, "torchleak: %s\n", phrase.In(c.Lang).Say("watch.serving", "address", scheme+"://"+listener.Addr().String()+"/metrics"))
	}
	served := make(chan error, 1)
	go func() { served <- watch.Serve(ctx, listener, agent, access) }()
	if isTerminal(stdio.Out) && !c.Quiet {
		go c.refresh(ctx, agent, stdio)
	}
	var alarms sync.WaitGroup
	if alarm != nil {
		news.remember(filepath.Join(alarm.dir, sentinel.SaidName))
		alarms.Go(func() { alarm.run(ctx, agent) })
	}
	agent.Run(ctx)
	alarms.Wait()
	return <-served
}

// access is who may read what is served.
func (c *watchCommand) access() (watch.Access, error) {
	a := watch.Access{Address: c.Listen}
	if c.TokenFile != "" {
		token, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return a, &UserError{err, "Name a file that holds a token with --token-file."}
		}
		if a.Token = strings.TrimSpace(string(token)); len(a.Token) < shortestToken {
			return a, &UserError{fmt.Errorf("the token in %s has %d characters", c.TokenFile, len(a.Token)),
				fmt.Sprintf("One that cannot be guessed has %d or more: head -c 24 /dev/urandom | base64 >%s", shortestToken, c.TokenFile)}
		}
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return a, &usageError{"--tls-cert and --tls-key go together"}
	}
	if c.TLSCert != "" {
		pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
		if err != nil {
			return a, &UserError{fmt.Errorf("reading the certificate: %w", err), "Name a certificate and its key, both in PEM."}
		}
		a.TLS = &pair
	}
	return a, nil
}

const shortestToken = 16

// unserved says why an address cannot be served.
func unserved(err error, address string) error {
	switch {
	case errors.Is(err, watch.ErrOpen):
		return &UserError{err, "Guard it by --token-file FILE, or by --tls-cert and --tls-key; or listen on 127.0.0.1 only."}
	case errors.Is(err, syscall.EADDRINUSE):
		return &UserError{fmt.Errorf("%s is taken: does another torchleak watch run on this machine?", address), "One is enough for all trainings of a user. Else name another port: --listen 127.0.0.1:9908"}
	case errors.Is(err, syscall.EACCES):
		return &UserError{err, "Ports below 1024 are root's. Name another one with --listen 127.0.0.1:PORT"}
	}
	return &UserError{err, "Name an address of this machine: --listen 127.0.0.1:PORT"}
}

// silent reports whether news have no place on standard error: on a terminal the table says them.
func (c *watchCommand) silent(stdio Stdio) bool {
	return c.Quiet || isTerminal(stdio.Out) && isTerminal(stdio.Err)
}

// refreshEvery is how often the table on a terminal is drawn anew.
const refreshEvery = 2 * time.Second

// refresh draws the table over the last one.
func (c *watchCommand) refresh(ctx context.Context, agent *watch.Agent, stdio Stdio) {
	const clear, home, line, below = "\x1b[2J", "\x1b[H", "\x1b[K\n", "\x1b[J"
	fmt.Fprint(stdio.Out, clear)
	ticker := time.NewTicker(refreshEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		var b bytes.Buffer
		_ = machine.WriteText(&b, agent.State(), c.Lang) // a buffer takes all
		fmt.Fprint(stdio.Out, home, strings.ReplaceAll(b.String(), "\n", line), below)
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/analysis"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/ranks"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/ui"
)

type uiCommand struct {
	colourless
	Port      uint16 `placeholder:"N" help:"Port on loopback (default: one that is free)."`
	Quiet     bool   `short:"q" help:"Say nothing but errors and the address."`
	Lang      string `enum:"en,zh" default:"en" help:"Language of the page: en or zh."`
	Recording string `arg:"" optional:"" help:"Directory of a run, or a folder of those of one job. Default: the newest below .torchleak."`
}

// Help is shown below the usage.
func (uiCommand) Help() string {
	return "The page is renewed while the training runs. It is served to this machine only, under an address that holds a secret; Ctrl-C ends it."
}

// Run serves the page until it is interrupted.
func (c *uiCommand) Run(stdio Stdio) error {
	path := c.Recording
	if path == "" {
		var err error
		if path, err = newest(".torchleak"); err != nil {
			return err
		}
	}
	// What is wrong with the recording shows here once; what comes later is a recording in the making.
	if _, err := sourcesOf([]string{path}, stdio.Err); err != nil {
		return err
	}
	l, err := ui.Listen(c.Port)
	if err != nil {
		return c.unheard(err)
	}
	defer l.Close()
	recordings := looker{}
	server, err := ui.New(l, ui.NewToken(), ui.Config{
		Look: func() ui.Page { return recordings.look(path) }, Lang: c.Lang, Now: time.Now, Phase: func(p ui.Phase) { c.say(p, path, stdio) },
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(stdio.Out, server.URL())
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return server.Serve(ctx, l)
}

// unheard says why the port cannot be had.
func (c *uiCommand) unheard(err error) error {
	hint := "Without --port a free one is taken."
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return &UserError{fmt.Errorf("port %d is in use by another program", c.Port), "Name another one, or none: a free one is taken then."}
	case errors.Is(err, syscall.EACCES):
		hint = "Ports below 1024 are the system's. Without --port a free one is taken."
	}
	return &UserError{err, hint}
}

// say tells the terminal what the page shows.
func (c *uiCommand) say(p ui.Phase, path string, stdio Stdio) {
	if c.Quiet {
		return
	}
	text := map[ui.Phase]string{
		ui.Running: fmt.Sprintf("the page shows %s, and is renewed while the training runs; Ctrl-C ends it", path),
		ui.Ended:   "the training has ended; the page stays until Ctrl-C",
		ui.Gone:    fmt.Sprintf("%s was removed; the page shows what was there, until Ctrl-C", path),
	}[p]
	fmt.Fprintln(stdio.Err, "torchleak:", text)
}

// looker looks at recordings again and again.
type looker map[recording.Dir]*analysis.Reader

// read makes the reports of one recording.
func (l looker) read(dir recording.Dir) ([]finding.Report, []error) {
	r := l[dir]
	if r == nil {
		r = analysis.Read(dir)
		l[dir] = r
	}
	return r.Reports(tool())
}

// look is the page of a recording, or of a folder of them, as it is now.
func (l looker) look(path string) ui.Page {
	dirs, err := ranks.Open(path)
	if err != nil {
		return ui.Page{Phase: ui.Gone}
	}
	page := ui.Page{Phase: ui.Ended}
	var sources []ranks.Source
	for _, dir := range dirs {
		source := ranks.Look(dir)
		sources = append(sources, source)
		if goesOn(source.Run) {
			page.Phase = ui.Running
		}
	}
	sources, _ = ranks.Copies(sources)
	page.Report = mergeBy(sources, func(error) {}, l.read).report // what is being written now will be whole the next time
	return page
}

// goesOn reports whether a run may make more steps: its end was not seen, and its command is still there.
func goesOn(run recording.Run) bool {
	return !run.Over() && (run.PID == 0 || process.Exists(run.PID))
}

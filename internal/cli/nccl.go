package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/torchleak/torchleak/internal/nccl"
	"github.com/torchleak/torchleak/internal/report/communicators"
)

type ncclCommand struct {
	Logs   []string `arg:"" name:"log" help:"What a training printed under NCCL_DEBUG=INFO, of one rank or of several; - reads standard input."`
	JSON   string   `name:"json" output:"" placeholder:"FILE" help:"Write the result as JSON (- for standard output)."`
	FailOn string   `enum:"leak,any,never" default:"never" help:"Exit 1 when set-ups are repeated: leak or any; or never."`
	Quiet  bool     `short:"q" help:"Say nothing but errors."`
	Lang   string   `enum:"en,zh" default:"en" help:"Language of the text: en or zh."`
}

// Run says what communicators were set up.
func (c *ncclCommand) Run(stdio Stdio) error {
	var ranks []nccl.Rank
	for _, name := range c.Logs {
		read, err := readNCCL(name, stdio.In)
		if err != nil {
			return err
		}
		ranks = append(ranks, read...)
	}
	slices.SortStableFunc(ranks, func(a, b nccl.Rank) int { return a.Rank - b.Rank })
	findings := nccl.Findings(ranks)
	err := tables{JSON: c.JSON, Quiet: c.Quiet}.write(stdio, func(w io.Writer) error { return communicators.WriteJSON(w, ranks, findings) },
		func(w io.Writer) error { return communicators.WriteText(w, ranks, findings, c.Lang) })
	if err == nil && len(findings) > 0 && c.FailOn != "never" {
		return exitStatus(exitFindings)
	}
	return err
}

func readNCCL(name string, stdin io.Reader) ([]nccl.Rank, error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, &UserError{err, "Name logs that can be read, or - for standard input."}
		}
		defer f.Close()
		in = f
	}
	ranks, err := nccl.Read(in, name)
	switch {
	case errors.Is(err, nccl.ErrNone):
		return nil, &UserError{fmt.Errorf("%s: %w", name, err), "Run the training with NCCL_DEBUG=INFO, and NCCL_DEBUG_FILE=nccl.%h.%p.log to have one log a process."}
	case err != nil:
		return nil, &UserError{fmt.Errorf("reading %s: %w", name, err), "Name a text file."}
	case len(ranks) == 0:
		return nil, &UserError{fmt.Errorf("%s: NCCL speaks in it, but no communicator is set up", name), "Take the log from the start of the job on; NCCL_DEBUG_SUBSYS has to hold INIT."}
	}
	return ranks, nil
}

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/torchleak/torchleak/internal/nccl"
	"github.com/torchleak/torchleak/internal/report/communicators"
	"github.com/torchleak/torchleak/internal/report/phrase"
)

type ncclCommand struct {
	colourless
	Logs   []string `arg:"" name:"log" help:"What a training printed under NCCL_DEBUG=INFO, of one rank or of several; - reads standard input."`
	JSON   string   `name:"json" output:"" placeholder:"FILE" help:"Write the result as JSON (- for standard output)."`
	FailOn string   `enum:"leak,any,never" default:"never" help:"Exit 1 when set-ups are repeated: leak or any; or never."`
	Quiet  bool     `short:"q" help:"Say nothing but errors."`
	Lang   string   `enum:"en,zh" default:"en" help:"Language of the text: en or zh."`
}

// Run says what communicators were set up.
func (c *ncclCommand) Run(stdio Stdio) error {
	var ranks []nccl.Rank
	var failed []error
	for _, logs := range rotations(c.Logs) {
		var job nccl.Logs
		for _, name := range logs {
			if err := readNCCL(&job, name, stdio.In); err != nil {
				failed = append(failed, err)
			}
		}
		ranks = append(ranks, job.Ranks()...)
	}
	if len(ranks) == 0 {
		if len(failed) > 0 {
			return failed[0]
		}
		return &UserError{fmt.Errorf("%s: NCCL speaks in it, but no communicator is set up", c.Logs[0]), "Take the log from the start of the job on; NCCL_DEBUG_SUBSYS has to hold INIT."}
	}
	for _, err := range failed {
		explain(err, stdio.Err, phrase.In(c.Lang))
	}
	slices.SortStableFunc(ranks, func(a, b nccl.Rank) int { return a.Rank - b.Rank })
	findings := nccl.Findings(ranks)
	err := tables{JSON: c.JSON, Quiet: c.Quiet}.write(stdio, func(w io.Writer) error { return communicators.WriteJSON(w, ranks, findings) },
		func(w io.Writer) error { return communicators.WriteText(w, ranks, findings, c.Lang) })
	switch {
	case err != nil || c.FailOn == "never":
		return err
	case len(findings) > 0:
		return exitStatus(exitFindings)
	case len(failed) > 0: // nothing was found in a part
		return exitStatus(exitFailed)
	}
	return nil
}

// readNCCL reads one log into those of its job.
func readNCCL(job *nccl.Logs, name string, stdin io.Reader) error {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return &UserError{err, "Name logs that can be read, or - for standard input."}
		}
		defer f.Close()
		in = f
	}
	err := job.Read(in, name)
	switch {
	case errors.Is(err, nccl.ErrNone):
		return &UserError{fmt.Errorf("%s: %w", name, err), "Run the training with NCCL_DEBUG=INFO, and NCCL_DEBUG_FILE=nccl.%h.%p.log to have one log a process."}
	case err != nil:
		return &UserError{fmt.Errorf("reading %s: %w", name, err), "Name a log, as text or packed by gzip."}
	}
	return nil
}

// rotated is the name of a log that a rotation has put aside: numbered, the oldest highest, or dated.
var rotated = regexp.MustCompile(`(?s)^(.+?)(?:\.(\d{1,6})|-(\d{8,}))?(?:\.gz)?$`)

// rotations puts the logs together that a rotation may have cut, each once and the oldest first.
func rotations(names []string) [][]string {
	type log struct {
		name     string
		turn     int // -1: the one that is written to
		sequence string
	}
	var order []string
	logs, seen := map[string][]log{}, map[string]bool{}
	for _, name := range names {
		clean := filepath.Clean(name)
		if seen[clean] && name != "-" {
			continue
		}
		seen[clean] = true
		m := rotated.FindStringSubmatch(clean)
		l := log{name: name, turn: -1, sequence: cmp.Or(m[3], "~")}
		if m[2] != "" {
			l.turn, _ = strconv.Atoi(m[2])
		}
		if logs[m[1]] == nil {
			order = append(order, m[1])
		}
		logs[m[1]] = append(logs[m[1]], l)
	}
	var all [][]string
	for _, base := range order {
		of := logs[base]
		slices.SortStableFunc(of, func(a, b log) int { return cmp.Or(cmp.Compare(a.sequence, b.sequence), cmp.Compare(b.turn, a.turn)) })
		var together []string
		for _, l := range of {
			together = append(together, l.name)
		}
		if live := of[len(of)-1]; live.turn >= 0 || live.sequence != "~" { // one a rank may be numbered too
			all = append(all, slices.Collect(slices.Chunk(together, 1))...)
			continue
		}
		all = append(all, together)
	}
	return all
}

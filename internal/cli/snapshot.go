package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/torchleak/torchleak/internal/pickle"
	"github.com/torchleak/torchleak/internal/report/holdings"
	"github.com/torchleak/torchleak/internal/report/snapshotpage"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
)

type snapshotCommand struct {
	Show    snapshotShow    `cmd:"" help:"Who holds memory: by line, module and category, at any moment; what grew over the trace."`
	Diff    snapshotDiff    `cmd:"" help:"What grew from one snapshot to another, by line and by stack."`
	Convert snapshotConvert `cmd:"" help:"Write a snapshot anew: other pickle protocol, a part of the trace, without paths."`

	Simulate snapshotSimulate `cmd:"" help:"What PyTorch's allocator would have reserved under other settings."`
}

// tables are the flags of commands that print tables.
type tables struct {
	colourless
	JSON  string `name:"json" output:"" placeholder:"FILE" help:"Write the result as JSON (- for standard output)."`
	Rows  int    `default:"15" fromone:"" placeholder:"N" help:"Lines of each table."`
	Quiet bool   `short:"q" help:"Say nothing but errors."`
	Lang  string `enum:"en,zh" default:"en" help:"Language for people: en or zh."`
}

func (t tables) options() holdings.Options { return holdings.Options{Rows: t.Rows, Lang: t.Lang} }

// write writes the result to where it was asked for.
func (t tables) write(stdio Stdio, asJSON, asText func(io.Writer) error) error {
	if t.JSON != "" {
		if err := made(writeMade(t.JSON, stdio.Out, asJSON)); err != nil {
			return err
		}
	}
	if t.Quiet || t.JSON == "-" {
		return nil
	}
	return asText(stdio.Out)
}

type snapshotShow struct {
	File string `arg:"" help:"What torch.cuda.memory._dump_snapshot wrote, also as .gz, .xz or .zst; - reads standard input."`
	At   string `default:"end" placeholder:"MOMENT" help:"end, peak, last (before the program let go at its end), step:N, or the number of a trace entry."`
	HTML string `name:"html" output:"" placeholder:"FILE" help:"Draw it as one offline HTML page: memory over the trace, segments, stacks (- for standard output)."`
	tables
}

// Run shows a snapshot.
func (c *snapshotShow) Run(stdio Stdio) error {
	s, err := openSnapshot(c.File, stdio.In)
	if err != nil {
		return err
	}
	summaries, err := residence.Summarize(s, c.At)
	if err != nil {
		return &usageError{"--at: " + err.Error()}
	}
	if err := c.draw(s, stdio); err != nil {
		return err
	}
	c.Quiet = c.Quiet || c.HTML == "-"
	return c.write(stdio, func(w io.Writer) error { return holdings.WriteJSON(w, summaries, s.Notes) },
		func(w io.Writer) error {
			return holdings.WriteText(w, summaries, s.Notes, c.options())
		})
}

// draw writes the page, where one was asked for.
func (c *snapshotShow) draw(s *snapshot.Snapshot, stdio Stdio) error {
	if c.HTML == "" {
		return nil
	}
	pictures, err := residence.Draw(s, c.At)
	if err != nil {
		return &usageError{"--at: " + err.Error()}
	}
	shown := snapshotpage.Snapshot{File: named(c.File), Version: Version, Devices: pictures, Notes: s.Notes}
	return made(writeMade(c.HTML, stdio.Out, func(w io.Writer) error { return snapshotpage.Write(w, shown, c.Lang) }))
}

// made says what to do where the result could not be written.
func made(err error) error {
	if err == nil {
		return nil
	}
	return &UserError{fmt.Errorf("writing the result: %w", err), "Name a file in a folder that can be written."}
}

type snapshotDiff struct {
	Files []string `arg:"" name:"file" help:"Two snapshots or more, the oldest first; - reads one from standard input."`
	At    string   `default:"last" placeholder:"MOMENT" help:"The moment of each that is compared, as for show. Default: last."`
	tables
}

// Run compares snapshots.
func (c *snapshotDiff) Run(stdio Stdio) error {
	if len(c.Files) < 2 {
		return &usageError{"to compare takes two snapshots or more"}
	}
	if first := slices.Index(c.Files, "-"); first >= 0 && slices.Contains(c.Files[first+1:], "-") {
		return &usageError{"standard input holds one snapshot: - stands for one of them only"}
	}
	var notes []string
	var unread error
	d, err := residence.Compare(len(c.Files), func(i int) (*snapshot.Snapshot, error) {
		s, err := openSnapshot(c.Files[i], stdio.In)
		if err != nil {
			unread = err
			return nil, err
		}
		for _, n := range s.Notes {
			notes = append(notes, named(c.Files[i])+": "+n)
		}
		return s, nil
	}, c.At)
	if unread != nil {
		return unread
	}
	if err != nil {
		return &usageError{"--at: " + err.Error()}
	}
	return c.write(stdio, func(w io.Writer) error { return holdings.WriteDiffJSON(w, d, c.Files, notes) },
		func(w io.Writer) error {
			return holdings.WriteDiff(w, d, c.Files, notes, c.options())
		})
}

// named is what a file is called.
func named(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// openSnapshot reads a snapshot, - from standard input, or says what to do.
func openSnapshot(path string, stdin io.Reader) (s *snapshot.Snapshot, err error) {
	if path == "-" {
		s, err = snapshot.Unpack(stdin)
	} else {
		s, err = snapshot.Open(path)
	}
	if err == nil {
		return s, nil
	}
	hint := "A snapshot is what torch.cuda.memory._dump_snapshot(\"FILE\") writes."
	var syntax *pickle.SyntaxError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		hint = "Name a file that is there."
	case errors.Is(err, fs.ErrPermission):
		hint = "Make it readable first."
	case errors.Is(err, snapshot.ErrPacking):
		hint = "The compressed file is damaged or cut short: copy it again."
	case errors.As(err, &syntax) && syntax.Code:
		hint = "No snapshot has such a thing in it. Do not load this file with Python: it comes from elsewhere, or was changed."
	case errors.As(err, &syntax) && syntax.Truncated:
		hint = "Copy it again, or dump it again: PyTorch may have been killed while it wrote."
	}
	var inPath *fs.PathError
	if errors.As(err, &inPath) {
		err = inPath.Err // the path is said already
	}
	return nil, &UserError{fmt.Errorf("reading %s: %w", named(path), err), hint}
}

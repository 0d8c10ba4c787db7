package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
)

type snapshotConvert struct {
	colourless
	File       string `arg:"" help:"The snapshot to read, also as .gz, .xz or .zst; - reads standard input."`
	Output     string `short:"o" required:"" output:"" placeholder:"FILE" help:"The snapshot to write (- for standard output); .gz and .zst are compressed."`
	Protocol   int    `enum:"2,4,5" default:"4" help:"Pickle protocol: 2, 4 or 5."`
	From       string `default:"0" placeholder:"MOMENT" help:"Where the part of the trace begins, as --at of show."`
	To         string `default:"end" placeholder:"MOMENT" help:"Where it ends."`
	StripPaths bool   `help:"Leave out of file names what says where the program lay."`
}

// Run converts a snapshot.
func (c *snapshotConvert) Run(stdio Stdio) error {
	if _, err := c.compress(io.Discard); err != nil {
		return &usageError{"--output " + c.Output + ": " + err.Error()}
	}
	s, err := openSnapshot(c.File, stdio.In)
	if err != nil {
		return err
	}
	if c.From != "0" || c.To != "end" {
		if err := residence.Cut(s, c.From, c.To); err != nil {
			return &usageError{"--from, --to: " + err.Error()}
		}
	}
	if c.StripPaths {
		s.Stacks.RenameFiles(residence.Strip(s.Stacks.Files()))
		s.ForgetTexts()
	}
	if len(s.LeftOut) > 0 {
		fmt.Fprintln(stdio.Err, "torchleak: keys that are not known, with lists or dictionaries in them, are left out:", plain.Text(strings.Join(s.LeftOut, ", ")))
	}
	if c.Output == "-" {
		return s.Write(stdio.Out, c.Protocol)
	}
	if err := writeTo(c.Output, 0o644, func(w io.Writer) error { return c.write(s, w) }); err != nil {
		return &UserError{fmt.Errorf("writing %s: %w", c.Output, err), "Name a file in a folder that can be written and has room."}
	}
	return nil
}

// write writes the snapshot, compressed as the file's name says.
func (c *snapshotConvert) write(s *snapshot.Snapshot, w io.Writer) error {
	packed, err := c.compress(w)
	if err != nil {
		return err
	}
	if packed == nil {
		return s.Write(w, c.Protocol)
	}
	return errors.Join(s.Write(packed, c.Protocol), packed.Close())
}

// compress returns what compresses as the file's name says, nil where it says nothing.
func (c *snapshotConvert) compress(w io.Writer) (io.WriteCloser, error) {
	return snapshot.Compress(w, strings.ToLower(filepath.Ext(c.Output)))
}

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/torchleak/torchleak/internal/oom"
	"github.com/torchleak/torchleak/internal/report/json"
	"github.com/torchleak/torchleak/internal/report/text"
)

type explainOOM struct {
	File  string `arg:"" placeholder:"FILE|-" help:"A text or a log that holds the message; - reads standard input."`
	JSON  string `name:"json" output:"" placeholder:"FILE" help:"Write the result as JSON (- for standard output)."`
	Lang  string `enum:"en,zh" default:"en" help:"Language of the text: en or zh."`
	Quiet bool   `short:"q" help:"Say nothing but errors."`

	NoColor bool `help:"No colours, also on a terminal."`
}

// Run says what the last message in a file says.
func (c *explainOOM) Run(stdio Stdio) error {
	log, err := c.read(stdio.In)
	if err != nil {
		return err
	}
	options := output{NoColor: c.NoColor, Lang: c.Lang}.textOptions("", stdio.Out)
	return tables{JSON: c.JSON, Quiet: c.Quiet}.write(stdio, func(w io.Writer) error { return json.Shortage(w, log) },
		func(w io.Writer) error { return text.Shortage(w, log, options) })
}

func (c *explainOOM) read(stdin io.Reader) (oom.Log, error) {
	in, name := stdin, "standard input"
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return oom.Log{}, &UserError{err, "Name a file that can be read, or - for standard input."}
		}
		defer f.Close()
		in, name = f, c.File
	}
	log, err := oom.Read(in)
	if errors.Is(err, oom.ErrNone) {
		return log, &UserError{fmt.Errorf("%s: %w", name, err),
			"Give the training's output, or the lines of `dmesg -T` where it ended without a word: torchleak explain oom FILE."}
	}
	if err != nil {
		return log, &UserError{fmt.Errorf("reading %s: %w", name, err), "Name a text file."}
	}
	return log, nil
}

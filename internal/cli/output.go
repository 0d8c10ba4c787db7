package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/report/html"
	"github.com/torchleak/torchleak/internal/report/json"
	"github.com/torchleak/torchleak/internal/report/sarif"
	"github.com/torchleak/torchleak/internal/report/text"
)

// output is the flags by which any command that makes a report says where it goes.
type output struct {
	JSON    string `name:"json" output:"" placeholder:"FILE" help:"Write the report as JSON (- for standard output)."`
	HTML    string `name:"html" output:"" placeholder:"FILE" help:"Write the report as one offline HTML page."`
	SARIF   string `name:"sarif" output:"" placeholder:"FILE" help:"Write the findings as SARIF (- for standard output)."`
	FailOn  string `enum:"leak,any,never" default:"${fail_on=never}" help:"Exit 1 on a leak, on any finding, or never."`
	Quiet   bool   `short:"q" help:"Say nothing but errors."`
	NoColor bool   `help:"No colours, also on a terminal."`
	Lang    string `enum:"en,zh" default:"en" help:"Language of the report for people: en or zh."`
}

// colourless is in commands whose text has no colours: --no-color means the same everywhere, so a script may give it always.
type colourless struct {
	NoColor bool `help:"No colours; this text has none on a terminal either."`
}

// write writes the files asked for.
func (o output) write(r finding.Report, stdio Stdio) error {
	for _, f := range []struct {
		path string
		make func(io.Writer, finding.Report) error
	}{{o.JSON, json.Write}, {o.HTML, o.page}, {o.SARIF, sarif.Write}} {
		if f.path == "" {
			continue
		}
		if err := writeReport(f.path, r, f.make, stdio.Out); err != nil {
			return &UserError{fmt.Errorf("writing the report: %w", err), "The recording is kept; `torchleak report` makes it again."}
		}
	}
	return nil
}

// page writes the HTML report in the language asked for.
func (o output) page(w io.Writer, r finding.Report) error { return html.Write(w, r, o.Lang) }

func writeReport(path string, r finding.Report, write func(io.Writer, finding.Report) error, stdout io.Writer) error {
	return writeMade(path, stdout, func(w io.Writer) error { return write(w, r) })
}

// writeMade writes what write makes, whole or not at all.
func writeMade(path string, stdout io.Writer, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if path == "-" {
		_, err := stdout.Write(b.Bytes())
		return err
	}
	return writeTo(path, 0o600, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}

// writeTo replaces a file; what is no file, such as /dev/null, a pipe or a link, stays and is written into. What is one of
// our streams, such as /dev/stdout, goes behind what it holds already.
func writeTo(path string, mode fs.FileMode, write func(io.Writer) error) error {
	for _, stream := range []*os.File{os.Stdout, os.Stderr} {
		if sameFile(path, stream) {
			return write(stream)
		}
	}
	if st, err := os.Lstat(path); err != nil || st.Mode().IsRegular() {
		return recording.Replace(path, mode, write)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// sameFile reports whether path leads to the open file f.
func sameFile(path string, f *os.File) bool {
	at, err := os.Stat(path)
	if err != nil {
		return false
	}
	open, err := f.Stat()
	return err == nil && os.SameFile(at, open)
}

// print shows the report to a person.
func (o output) print(r finding.Report, reportPath string, w *os.File) {
	if o.Quiet {
		return
	}
	_ = text.Write(w, r, o.textOptions(reportPath, w))
}

func (o output) textOptions(reportPath string, w *os.File) text.Options {
	return text.Options{Color: colored(o.NoColor, w), Width: width(w), Lang: o.Lang, ReportPath: reportPath}
}

// colored reports whether a stream wants colours.
func colored(never bool, w *os.File) bool {
	return !never && os.Getenv("NO_COLOR") == "" && isTerminal(w)
}

// fails reports whether a verdict is at or above --fail-on.
func (o output) fails(v finding.Verdict) bool {
	switch o.FailOn {
	case "leak":
		return v == finding.Leak
	case "any":
		return v.Rank() <= finding.Capacity.Rank()
	}
	return false
}

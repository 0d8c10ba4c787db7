// Package snapshotpage draws a memory snapshot as one file for a browser, without a network: live memory over the trace
// by site, what lies where in the segments at some moments, the same as a flame view and as tables. Figures and tables
// are in the markup; what is drawn comes as packed columns, at most as many as a browser turns over without delay.
// Texts from the snapshot pass html/template, or stand in a block of JSON in which every < is escaped.
package snapshotpage

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/torchleak/torchleak/internal/report/page"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/residence"
)

//go:embed page.html style.css *.js
var files embed.FS

var (
	style  = page.Style(page.CourseStyle + page.Read(files, "style.css"))
	script = page.Script(files, append(slices.Clone(page.Course), "ribbon.js", "main.js")...)
	pages  = page.Templates(files)
)

// Snapshot is what a page shows.
type Snapshot struct {
	File    string // its name
	Version string // of torchleak
	Devices []residence.Picture
	Notes   []string
}

// Write writes the page in a language: "en" or "zh".
func Write(w io.Writer, s Snapshot, lang string) error {
	say := phrase.In(lang)
	c := newContents(s, say)
	d, err := newData(s, say)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	block, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	c.Policy, c.Style, c.Script, c.Data = page.Policy(style, script), template.CSS(style), template.JS(script), template.JS(block)
	var out bytes.Buffer
	if err := pages(say.Lang).ExecuteTemplate(&out, "page.html", c); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

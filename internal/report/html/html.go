// Package html writes the report as one file for a browser: no network, no build step, readable years
// from now. Everything a reader needs is in the markup; the script only draws curves and the flame
// view, and copies patches. Texts from the target pass html/template, and the data block has every <
// escaped, so that nothing in them can become markup.
package html

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/page"
	"github.com/torchleak/torchleak/internal/report/phrase"
)

//go:embed page.html *.js
var files embed.FS

var (
	style      = page.Style("")
	script     = page.Script(files, "chart.js", "picker.js", "main.js")
	liveScript = page.Script(files, "chart.js", "picker.js", "main.js", "live.js")
	pages      = page.Templates(files)
)

// Write writes the page in a language: "en" or "zh".
func Write(w io.Writer, r finding.Report, lang string) error {
	return write(w, r, lang, script, page.Policy(style, script))
}

// WriteLive writes the page that is renewed while it is open, by what its address and "events" behind it sends: server-sent
// events whose data is what Renewal returns.
func WriteLive(w io.Writer, r finding.Report, lang string) error {
	return write(w, r, lang, liveScript, page.Policy(style, liveScript)+"; connect-src 'self'")
}

func write(w io.Writer, r finding.Report, lang, script, policy string) error {
	say := phrase.In(lang)
	d := newData(r, say)
	if script == liveScript {
		for _, key := range liveWords {
			d.Words[string(key)] = say.Say(key)
		}
	}
	data, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	p := newContents(r, say)
	p.Policy, p.Live = policy, script == liveScript
	p.Style, p.Script, p.Data = template.CSS(style), template.JS(script), template.JS(data)
	return execute(w, "page.html", p)
}

// Renewal is what has changed on a live page.
type Renewal struct {
	Title string `json:"title"`
	Main  string `json:"main"` // markup of all sections
	Data  any    `json:"data"`
}

// NewRenewal is what a live page shows of a report.
func NewRenewal(r finding.Report, lang string) (Renewal, error) {
	say := phrase.In(lang)
	p := newContents(r, say)
	var main bytes.Buffer
	if err := execute(&main, "sections", p); err != nil {
		return Renewal{}, err
	}
	return Renewal{p.Title, main.String(), newData(r, say)}, nil
}

func execute(w io.Writer, name string, p *contents) error {
	var out bytes.Buffer
	if err := pages(p.Lang).ExecuteTemplate(&out, name, p); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

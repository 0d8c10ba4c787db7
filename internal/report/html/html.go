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
	style  = page.Style("")
	script = page.Script(files, "chart.js", "picker.js", "main.js")
	pages  = page.Templates(files)
)

// Write writes the page in a language: "en" or "zh".
func Write(w io.Writer, r finding.Report, lang string) error {
	say := phrase.In(lang)
	data, err := json.Marshal(newData(r, say))
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	p := newContents(r, say)
	p.Policy = page.Policy(style, script)
	p.Style, p.Script, p.Data = template.CSS(style), template.JS(script), template.JS(data)
	var out bytes.Buffer
	if err := pages[say.Lang].ExecuteTemplate(&out, "page.html", p); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

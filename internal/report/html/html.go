// Package html writes the report as one file for a browser: no network, no build step, readable years
// from now. Everything a reader needs is in the markup; the script only draws curves and the flame
// view, and copies patches. Texts from the target pass html/template, and the data block has every <
// escaped, so that nothing in them can become markup.
package html

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
)

//go:embed page.html style.css *.js
var files embed.FS

// scripts are the parts of the page's script, in the order they are joined.
var scripts = []string{"format.js", "chart.js", "picker.js", "flame.js", "main.js"}

var (
	style  = read("style.css")
	script = join(scripts)
	// pages holds the page, parsed once a language: the words are functions of the template.
	pages = map[string]*template.Template{"en": parse("en"), "zh": parse("zh")}
)

// Write writes the page in a language: "en" or "zh".
func Write(w io.Writer, r finding.Report, lang string) error {
	say := phrase.In(lang)
	data, err := json.Marshal(newData(r, say))
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	p := newPage(r, say)
	p.Policy = policy(style, script)
	p.Style, p.Script, p.Data = template.CSS(style), template.JS(script), template.JS(data)
	var out bytes.Buffer
	if err := pages[say.Lang].ExecuteTemplate(&out, "page.html", p); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// policy lets the page run its own script and style and load nothing at all.
func policy(style, script string) string {
	return "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func parse(lang string) *template.Template {
	say := phrase.In(lang)
	functions := template.FuncMap{
		"say":   func(key string) string { return say.Say(phrase.Key(key)) },
		"clean": plain.Text,
	}
	return template.Must(template.New("page.html").Funcs(functions).ParseFS(files, "page.html"))
}

func read(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	return string(text)
}

// join makes one script of the parts, in a scope of its own.
func join(names []string) string {
	var out strings.Builder
	out.WriteString("\"use strict\";\n(() => {\n")
	for _, name := range names {
		out.WriteString(read(name))
	}
	out.WriteString("})();\n")
	return out.String()
}

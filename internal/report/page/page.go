// Package page is what pages for a browser have in common: the style, the parts of their scripts that print figures, draw
// the flame view and the course of memory, and the policy under which a page runs its own script and style and loads nothing.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
)

//go:embed *.css *.js
var files embed.FS

// Format is the part of a script that reads the page's data, prints figures and makes elements.
var Format = Read(files, "format.js")

// Style is the style of all pages; more is what one page has of its own.
func Style(more string) string { return Read(files, "style.css") + more }

// CourseStyle is the style of pages that draw the course of memory.
var CourseStyle = Read(files, "course.css")

// Course are the parts of a script that draw live memory as stacked bands, from what Pack has packed.
var Course = []string{"unpack.js", "span.js", "picture.js", "course.js"}

// CourseWords are the sentences that those parts say.
var CourseWords = []phrase.Key{"snap.entry", "snap.step", "snap.oom", "snap.least", "snap.most", "snap.total", "snap.keyscourse",
	"snap.whole", "snap.closer", "snap.wider"}

// Script makes one script of what all pages share and the parts of one, in their order, in a scope of its own. Those of Course
// are not the page's own.
func Script(own fs.FS, names ...string) string {
	var out strings.Builder
	out.WriteString("\"use strict\";\n(() => {\n")
	for _, name := range []string{"format.js", "axis.js", "flame.js"} {
		out.WriteString(Read(files, name))
	}
	for _, name := range names {
		if slices.Contains(Course, name) {
			out.WriteString(Read(files, name))
		} else {
			out.WriteString(Read(own, name))
		}
	}
	out.WriteString("})();\n")
	return out.String()
}

// Policy lets a page run its own script and style and load nothing at all.
func Policy(style, script string) string {
	return "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Templates parses page.html once a language, "en" or "zh", when it is first asked for: few runs draw a page. The words are
// functions of the template.
func Templates(own fs.FS) func(lang string) *template.Template {
	parsed := map[string]func() *template.Template{}
	for _, lang := range []string{"en", "zh"} {
		parsed[lang] = sync.OnceValue(func() *template.Template {
			say := phrase.In(lang)
			functions := template.FuncMap{
				"say":   func(key string) string { return say.Say(phrase.Key(key)) },
				"clean": plain.Text,
			}
			return template.Must(template.New("page.html").Funcs(functions).ParseFS(own, "page.html"))
		})
	}
	return func(lang string) *template.Template { return parsed[lang]() }
}

// Read returns a file that is part of the binary.
func Read(own fs.FS, name string) string {
	text, err := fs.ReadFile(own, name)
	if err != nil {
		panic(err)
	}
	return string(text)
}

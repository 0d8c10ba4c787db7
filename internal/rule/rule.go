// Package rule holds what a rule of the catalogue is. A rule is a folder below rules: its Markdown page is what
// `torchleak explain` prints and what the static checks are tested with, its Go file explains and fixes one case.
package rule

import (
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// Rule is one kind of fault, found by reading the source or by watching a run.
type Rule struct {
	ID    string // TL101
	Name  string // kept-activation; also what follows "allow" in a comment
	Title string // what is wrong, in a few words
	Doc   string // the page

	Why func(c *Case) string       // two sentences, with the figures of this run
	Fix func(c *Case) *finding.Fix // the change that ends the growth; nil when none is known

	Check func(p *Pass) // finds the fault in source that never ran; nil when only a run shows it
}

// Headings are the sections of a page, in order.
var Headings = []string{"What it does", "Why it leaks", "Example", "Use instead", "When it is fine", "References"}

// Section returns the text below a heading of the page, without surrounding blank lines.
func (r Rule) Section(heading string) string {
	_, after, found := strings.Cut(r.Doc, "\n## "+heading+"\n")
	if !found {
		return ""
	}
	body, _, _ := strings.Cut(after, "\n## ")
	return strings.TrimSpace(body)
}

// Explain returns the reason and the change for one case.
func (r Rule) Explain(c *Case) (why string, fix *finding.Fix) {
	if r.Why != nil {
		why = r.Why(c)
	}
	if r.Fix != nil {
		fix = r.Fix(c)
	}
	if fix != nil {
		fix.GraphFree = c.Group != nil && !c.HasGraph()
	}
	return why, fix
}

package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// directive is a comment that leaves findings out: `# torchleak: ignore`, `# torchleak: ignore[TL101, kept-loss]`,
// `# torchleak: ignore-file`.
type directive struct {
	line  int
	file  bool     // it holds for the whole file
	words []string // rules by number or name; none means all
	used  map[string]bool
}

// What follows the word must not make it another one: "ignored", "ignore-next-line".
var directiveRx = regexp.MustCompile(`#\s*torchleak:\s*(ignore-file|ignore)\s*(?:\[([^\]\n]*)\])?($|[^\w\[-])`)

// meantRx is what somebody writes who means to leave out a finding.
var meantRx = regexp.MustCompile(`(?i)#\s*torchleak\s*:?\s*(ignore|noqa|disable|skip)($|[^a-z])`)

// looseRx is an ignore whose rules stand in no brackets: it leaves out all.
var looseRx = regexp.MustCompile(`(?i)^[\s(:=]*(TL\d+)\b`)

// spelling is how the comments are written.
const spelling = "write # torchleak: ignore, # torchleak: ignore[TL102] or # torchleak: ignore-file"

// directives returns the suppressions of f, and what is wrong with them.
func directives(f *pysyntax.File) (found []*directive, wrong []string) {
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.Comment {
			continue
		}
		text := f.Text(r)
		if !strings.Contains(strings.ToLower(text), "torchleak") {
			continue
		}
		line := f.Line(f.Node(r).Start)
		m := directiveRx.FindStringSubmatchIndex(text)
		if m == nil {
			if meantRx.MatchString(text) {
				wrong = append(wrong, fmt.Sprintf("%d: this comment ignores nothing: %s", line, spelling))
			}
			continue
		}
		if rule := looseRx.FindStringSubmatch(text[m[6]:]); m[4] < 0 && rule != nil {
			wrong = append(wrong, fmt.Sprintf("%d: this comment ignores every rule, not %s alone: write ignore[%[2]s]", line, rule[1]))
		}
		d := &directive{line: line, file: text[m[2]:m[3]] == "ignore-file", used: map[string]bool{}}
		if m[4] >= 0 {
			for word := range strings.SplitSeq(text[m[4]:m[5]], ",") {
				if word = strings.TrimSpace(word); word == "" {
					continue
				}
				if !(ruleSet{}).add(word) {
					wrong = append(wrong, fmt.Sprintf("%d: there is no rule %q to ignore", line, word))
				}
				d.words = append(d.words, word)
			}
			if len(d.words) == 0 {
				wrong = append(wrong, fmt.Sprintf("%d: this comment ignores nothing: %s", line, spelling))
				continue
			}
		}
		found = append(found, d)
	}
	return found, wrong
}

// suppressed reports whether one of the directives leaves out a finding of r at node, and marks all that do as used.
func suppressed(f *pysyntax.File, all []*directive, r rule.Rule, node pysyntax.Ref) bool {
	if len(all) == 0 {
		return false
	}
	lines := statementLines(f, node)
	found := false
	for _, d := range all {
		if !d.file && !slices.Contains(lines, d.line) {
			continue
		}
		if len(d.words) == 0 {
			d.used[""], found = true, true
		}
		for _, word := range d.words {
			if set := (ruleSet{}); set.add(word) && set[r.ID] {
				d.used[word], found = true, true
			}
		}
	}
	return found
}

// statementLines returns the lines on which a comment speaks of the finding at node: the first and last line of its
// statement (of its head, where it has a body) and those of the node itself.
func statementLines(f *pysyntax.File, node pysyntax.Ref) []int {
	statement := f.Statement(node)
	first, last := f.Lines(statement)
	if f.Kind(statement).IsCompound() {
		end := f.Head(statement)
		for end > f.Node(statement).Start && strings.IndexByte(" \t\r\n\f", f.Source[end-1]) >= 0 {
			end--
		}
		last = f.Line(end - 1)
		if end <= f.Node(statement).Start {
			last = first
		}
	}
	from, to := f.Lines(node)
	if f.Kind(node).IsCompound() {
		to = from
	}
	return []int{first, last, from, to}
}

// unused says which directives left out nothing.
func unused(all []*directive) []string {
	var notes []string
	for _, d := range all {
		if len(d.words) == 0 && !d.used[""] {
			notes = append(notes, fmt.Sprintf("%d: nothing is found here to ignore", d.line))
		}
		for _, word := range d.words {
			if !d.used[word] {
				notes = append(notes, fmt.Sprintf("%d: %s is not found here to ignore", d.line, word))
			}
		}
	}
	return notes
}

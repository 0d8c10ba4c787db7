package phrase

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/torchleak/torchleak/internal/finding"
)

// The other packages give reasons, advice and notes in English: it is what programs get. In another language a text is
// recognised by the form it is made of, and said anew with the same names and figures.

// told is a form of English texts and what it is in another language.
type told struct {
	form *regexp.Regexp
	text string // {1} stands for the first thing that was filled in, {2} for the second
}

var verb = regexp.MustCompile(`%(\[\d\])?[sdvq]`)

// forms makes the English forms, with %s and %d where something is filled in, recognisable; the longest come first,
// since a form may begin as another one does.
func forms(texts map[string]string) []told {
	var out []told
	for _, english := range longestFirst(texts) {
		other := texts[english]
		pieces := verb.Split(english, -1)
		for i, piece := range pieces {
			pieces[i] = regexp.QuoteMeta(piece)
		}
		end := `\.?(?:\s+|$)`
		if last := len(pieces) - 1; last > 0 && pieces[last] == "" {
			end = `$` // an error's text may be of several words
		}
		out = append(out, told{regexp.MustCompile(`(?s)^(?i:` + strings.Join(pieces, `(.+?)`) + `)` + end), other})
	}
	return out
}

func longestFirst(texts map[string]string) []string {
	return slices.SortedFunc(maps.Keys(texts), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
}

// chineseForms are made when the first text is asked for: most runs speak English, and should not wait for them.
var chineseForms = sync.OnceValue(func() []told { return forms(chineseTexts) })

// Text says in the catalogue's language what another package says in English, sentence by sentence; what is not known
// stays English.
func (c *Catalogue) Text(english string) string {
	if c.Lang != "zh" {
		return english
	}
	var said []string
	for rest := strings.TrimSpace(english); rest != ""; {
		text, length := retold(rest)
		if length == 0 {
			text, length = rest, len(rest)
		}
		said = append(said, text)
		rest = rest[length:]
	}
	return c.Sentences(said...)
}

// Words is Text for what is no sentence.
func (c *Catalogue) Words(english string) string {
	if c.Lang != "zh" {
		return english
	}
	if text, length := retold(english); length == len(english) && length > 0 {
		return text
	}
	return english
}

// retold is the text that english begins with, in Chinese, and how long it was; 0 where no form fits.
func retold(english string) (text string, length int) {
	for _, t := range chineseForms() {
		found := t.form.FindStringSubmatch(english)
		if found == nil {
			continue
		}
		var filled []string
		for n, value := range found[1:] {
			if inner, length := retold(value); length == len(value) {
				value = inner
			}
			filled = append(filled, "{"+string(rune('1'+n))+"}", value)
		}
		return fillChinese(t.text, filled), len(found[0])
	}
	return "", 0
}

// Title is what a rule is about, in languages other than that of its name; empty in English and for an unknown rule.
func (c *Catalogue) Title(rule string) string {
	if c.Lang != "zh" {
		return ""
	}
	return chineseRules[rule].title
}

// Why is the reason of a finding, in Chinese that of its rule where one of its sentences is not known.
func (c *Catalogue) Why(f finding.Finding) string {
	if c.Lang != "zh" {
		return f.Why
	}
	if text, ok := c.chineseWhy(f.Why); ok {
		return text
	}
	if r, ok := chineseRules[f.Rule]; ok {
		return r.why
	}
	return f.Why
}

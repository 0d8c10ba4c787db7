// Package phrase holds every sentence the reports say, in every language they speak. It does not hold
// what the rules say (why and fix), which comes with the finding.
package phrase

import (
	"strings"
	"unicode"

	"github.com/torchleak/torchleak/internal/units"
)

// Key names one sentence. It may contain {names}, which Say fills in.
type Key string

// Catalogue says sentences in one language.
type Catalogue struct {
	Lang  string // "en" or "zh"
	texts map[Key]string
}

// In returns the catalogue of a language, English where lang is not known. "zh-CN" and "zh_CN.UTF-8"
// are Chinese too.
func In(lang string) *Catalogue {
	lang = strings.ToLower(lang)
	if lang == "zh" || strings.HasPrefix(lang, "zh-") || strings.HasPrefix(lang, "zh_") {
		return &Catalogue{Lang: "zh", texts: chinese}
	}
	return &Catalogue{Lang: "en", texts: english}
}

// Say returns the sentence called key, with pairs of name and value filled in. A value is never
// searched for names itself, nor changed.
func (c *Catalogue) Say(key Key, pairs ...string) string {
	text, known := c.texts[key]
	if !known {
		return string(key)
	}
	if len(pairs) == 0 {
		return text
	}
	named := make([]string, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		named[i], named[i+1] = "{"+pairs[i]+"}", pairs[i+1]
	}
	if c.Lang == "zh" {
		return fillChinese(text, named)
	}
	return strings.NewReplacer(named...).Replace(text)
}

// Sentences joins those that are not empty, each ended by a full stop of its own script: findings speak
// English inside a Chinese report.
func (c *Catalogue) Sentences(sentences ...string) string {
	var out strings.Builder
	for _, s := range sentences {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		if so := out.String(); so != "" && !strings.HasSuffix(so, "。") && !strings.HasSuffix(so, "？") {
			out.WriteByte(' ')
		}
		out.WriteString(s)
		switch {
		case strings.HasSuffix(s, "。"), strings.HasSuffix(s, "？"), strings.HasSuffix(s, "."), strings.HasSuffix(s, "?"):
		case c.Lang == "zh" && strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }):
			out.WriteString("。")
		default:
			out.WriteByte('.')
		}
	}
	return out.String()
}

// List joins items with the language's comma.
func (c *Catalogue) List(items ...string) string { return strings.Join(items, c.Say("text.comma")) }

// Plural says how many there are, by one sentence for one and another for {count} of them.
func (c *Catalogue) Plural(n int, one, many Key) string {
	if n == 1 {
		return c.Say(one)
	}
	return c.Say(many, "count", units.Count(int64(n)))
}

// Category is what memory is for, as the tables of a snapshot name it; a name that is not known stays.
func (c *Catalogue) Category(name string) string {
	if key := Key("category." + name); c.texts[key] != "" {
		return c.texts[key]
	}
	return name
}

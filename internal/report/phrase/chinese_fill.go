package phrase

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// fillChinese puts values in the place of their names, given in pairs. The text has spaces there, which set names and code apart; between
// two Chinese words they are left out. What stands in a value stays: it may be a path.
func fillChinese(text string, pairs []string) string {
	values := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	var said strings.Builder
	before, own, from := "", "", 0 // the value said last, and the text since
	for _, at := range filled.FindAllStringIndex(text, -1) {
		value, known := values[text[at[0]:at[1]]]
		if !known {
			continue
		}
		own += text[from:at[0]]
		from = at[1]
		if value != "" {
			said.WriteString(closed(before, own, value))
			said.WriteString(value)
			before, own = value, ""
		}
	}
	said.WriteString(closed(before, own+text[from:], ""))
	return said.String()
}

// apart are Chinese words that stand apart where a name or code stands in other texts.
var apart = regexp.MustCompile(`(\p{Han}) (\p{Han})`)

// closed is a text without the spaces between Chinese words, those included that stand beside it.
func closed(before, text, after string) string {
	_, n := utf8.DecodeLastRuneInString(before)
	_, m := utf8.DecodeRuneInString(after)
	beside := before[len(before)-n:]
	text = apart.ReplaceAllString(beside+text+after[:m], "$1$2")
	return text[n : len(text)-m]
}

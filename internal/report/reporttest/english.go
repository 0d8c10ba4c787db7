package reporttest

import (
	"regexp"
	"strings"
)

var (
	quoted  = regexp.MustCompile("`[^`]*`|\"[^\"]*\"")
	phrase3 = regexp.MustCompile(`\b[A-Za-z]+(?:'s)?,? [a-z]{2,}(?:'s)?,? [a-z]{2,}\b`)
)

// English returns three English words in a row that stand in a Chinese text outside code, quotes, patches and paths; empty for none.
func English(text string) string {
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "- ") || strings.HasPrefix(trimmed, "+ ") {
			continue
		}
		if found := phrase3.FindString(quoted.ReplaceAllString(line, "")); found != "" {
			return found
		}
	}
	return ""
}

package finding

import "strings"

// Script is what the target's command line is known by: its first word that is no interpreter and no flag, as it stands there.
func (t Target) Script() string {
	for _, word := range t.Argv {
		if strings.HasSuffix(word, ".py") {
			return word
		}
	}
	for i, word := range t.Argv {
		if word == "-m" && i+1 < len(t.Argv) {
			return t.Argv[i+1]
		}
	}
	if len(t.Argv) == 0 {
		return ""
	}
	return t.Argv[0]
}

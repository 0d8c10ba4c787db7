// Package units prints and reads the quantities torchleak speaks of: bytes, durations and counts.
// What it prints it reads back, up to the digits shown. It knows no locale: output is the same everywhere.
package units

import (
	"fmt"
	"strings"
	"unicode"
)

// SyntaxError says why a text is not a quantity.
type SyntaxError struct {
	Text string // what was to be read
	Want string // what it should have been, with an example
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%q is not %s", e.Text, e.Want) }

// splitNumber cuts s behind its leading number: digits, separators, a point and a sign.
func splitNumber(s string) (number, rest string) {
	s = strings.TrimSpace(s)
	end := strings.IndexFunc(s, func(r rune) bool {
		return !(r >= '0' && r <= '9') && !strings.ContainsRune("+-.,", r)
	})
	if end < 0 {
		end = len(s)
	}
	return s[:end], strings.TrimLeftFunc(s[end:], unicode.IsSpace)
}

// plain takes the thousands separators out of a number, or says false where they stand wrong.
func plain(number string) (string, bool) {
	if !strings.Contains(number, ",") {
		return number, true
	}
	whole, fraction, _ := strings.Cut(number, ".")
	if strings.Contains(fraction, ",") {
		return "", false
	}
	groups := strings.Split(strings.TrimLeft(whole, "+-"), ",")
	for i, g := range groups {
		if i > 0 && len(g) != 3 || len(g) == 0 || len(g) > 3 {
			return "", false
		}
	}
	return strings.ReplaceAll(number, ",", ""), true
}

// Package rules is the catalogue: every rule, by number and by name. The list is generated from the folders here;
// to add a rule, add a folder and run `go run ./internal/dev generate`.
package rules

import (
	"strings"

	"github.com/torchleak/torchleak/internal/rule"
)

// Find returns the rule with that number or name, whatever the case of its letters.
func Find(idOrName string) (rule.Rule, bool) {
	wanted := strings.TrimSpace(idOrName)
	for _, r := range All {
		if strings.EqualFold(r.ID, wanted) || strings.EqualFold(r.Name, wanted) {
			return r, true
		}
	}
	return rule.Rule{}, false
}

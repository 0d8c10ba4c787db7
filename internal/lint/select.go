package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/rule/rules"
)

// ruleSet is a set of rules by number.
type ruleSet map[string]bool

// allRules returns every rule that source can show.
func allRules() ruleSet {
	set := ruleSet{}
	for _, r := range rules.All {
		if r.Check != nil {
			set[r.ID] = true
		}
	}
	return set
}

// without returns the set less what other holds.
func (s ruleSet) without(other ruleSet) ruleSet {
	if len(other) == 0 {
		return s
	}
	left := maps.Clone(s)
	for id := range other {
		delete(left, id)
	}
	return left
}

// parseRules reads numbers (TL101), their beginnings (TL1), names (kept-loss) and ALL. The word that means nothing
// comes back with the error.
func parseRules(words []string) (set ruleSet, wrong string, err error) {
	set = ruleSet{}
	for _, list := range words {
		for word := range strings.SplitSeq(list, ",") {
			word = strings.TrimSpace(word)
			if word == "" {
				continue
			}
			if !set.add(word) {
				return nil, word, fmt.Errorf("there is no rule %q; `torchleak explain` lists all", word)
			}
		}
	}
	return set, "", nil
}

// add adds the rules that word means, false if there is none.
func (s ruleSet) add(word string) bool {
	if strings.EqualFold(word, "all") {
		maps.Copy(s, allRules())
		return true
	}
	if r, ok := rules.Find(word); ok {
		s[r.ID] = true
		return true
	}
	found := false
	upper := strings.ToUpper(word)
	for _, r := range rules.All {
		if len(upper) >= len("TL") && strings.HasPrefix(r.ID, upper) {
			s[r.ID] = true
			found = true
		}
	}
	return found
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

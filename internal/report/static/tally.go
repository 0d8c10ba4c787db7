package static

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
)

// tallied is how often a rule was found.
type tallied struct {
	rule, name string
	n          int
}

func tally(findings []finding.Static) []tallied {
	var all []tallied
	for _, f := range findings {
		i := slices.IndexFunc(all, func(t tallied) bool { return t.rule == f.Rule })
		if i < 0 {
			i, all = len(all), append(all, tallied{rule: f.Rule, name: f.Name})
		}
		all[i].n++
	}
	slices.SortFunc(all, func(a, b tallied) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.rule, b.rule)) })
	return all
}

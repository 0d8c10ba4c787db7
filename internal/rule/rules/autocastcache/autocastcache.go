// Package autocastcache is the rule TL122 autocast-cache: half-precision copies pile up in one long autocast region.
package autocastcache

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed autocastcache.md
var doc string

// Rule is TL122 autocast-cache.
var Rule = rule.Rule{
	ID:    "TL122",
	Name:  "autocast-cache",
	Title: "half-precision copies pile up in one long autocast region",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("Casts of weights pile up in autocast's cache, which is emptied only when the outermost region ends: %s%s."+
		" Weights made anew inside a region that spans many steps each leave a copy.", c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Enter `torch.autocast` once per step, around the forward only, or pass `cache_enabled=False`.")
}

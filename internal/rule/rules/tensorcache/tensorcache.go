// Package tensorcache is the rule TL110 tensor-cache: a cache keeps an entry per call.
package tensorcache

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed tensorcache.md
var doc string

// Rule is TL110 tensor-cache.
var Rule = rule.Rule{
	ID:    "TL110",
	Name:  "tensor-cache",
	Title: "a cache keeps an entry per call",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	text := fmt.Sprintf("%s gets a new entry %s and has no bound: %s%s.", c.HolderName(), c.Every(), c.Survival(), c.Cost())
	if c.Holder != nil && c.Holder.Kind != "cache" {
		return text + " Keys that are new again and again find nothing, and nothing takes the old entries out."
	}
	return text + " A tensor's hash is its identity, so a cache keyed by tensors (or by the step) never hits and keeps key and result."
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Bounded(c, "Key the cache by the plain numbers that the result depends on and give it a bound (`lru_cache(maxsize=32)`), or drop it.", rule.FewEntries)
}

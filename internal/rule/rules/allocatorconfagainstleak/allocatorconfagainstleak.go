// Package allocatorconfagainstleak is the rule TL305 allocator-conf-against-leak: an allocator setting that often costs memory and ends no leak.
package allocatorconfagainstleak

import (
	_ "embed"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed allocatorconfagainstleak.md
var doc string

// Rule is TL305 allocator-conf-against-leak.
var Rule = rule.Rule{
	ID:    "TL305",
	Name:  "allocator-conf-against-leak",
	Title: "an allocator setting that often costs memory and ends no leak",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

const reason = "The setting decides how free memory is cut and cached; a leak is memory in use. `max_split_size_mb` can multiply what is reserved, `garbage_collection_threshold` does nothing without a memory fraction."

const summary = "Use `expandable_segments:True` against fragmentation, and look for what is kept against a leak."

func why(*rule.Case) string { return reason }

func fix(*rule.Case) *finding.Fix { return rule.Advice(summary) }

// Package keptbatch is the rule TL120 kept-batch: input batches or observations are kept.
package keptbatch

import (
	_ "embed"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed keptbatch.md
var doc string

// Rule is TL120 kept-batch.
var Rule = rule.Rule{
	ID:    "TL120",
	Name:  "kept-batch",
	Title: "input batches or observations are kept",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	text := c.Gets()
	if c.Group != nil && c.Group.Shared {
		return text + " They come from loader workers and lie in shared memory: each keeps a segment, and on Linux a file descriptor."
	}
	return text + " A kept batch costs its full size."
}

func fix(c *rule.Case) *finding.Fix {
	if c.Group != nil && c.Group.Shared {
		return rule.WrapStored(c, "Copy the part that is needed (`.clone()`), so that the shared segment can go, and bound the rest.", ".clone()", true)
	}
	return rule.Bounded(c, "Bound the buffer (`collections.deque(maxlen=…)`, or a ring of fixed size), or keep only the part of each batch that is needed.", rule.FewEntries)
}

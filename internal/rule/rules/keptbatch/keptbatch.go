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
	switch {
	case views(c):
		return text + " They are views of one memory that is mapped or shared, so what they cost is no more than the Python objects."
	case c.Group != nil && c.Group.Shared:
		return text + " They come from loader workers and lie in shared memory: each keeps a segment, and on Linux a file descriptor."
	}
	return text + " A kept batch costs its full size."
}

// views reports tensors whose memory is there once for all: of a mapped file, or of a buffer that processes share.
func views(c *rule.Case) bool { return c.Group != nil && c.Group.Shared && c.TensorBytes == 0 }

func fix(c *rule.Case) *finding.Fix {
	switch {
	case views(c):
		return rule.Bounded(c, "Bound what is kept (`collections.deque(maxlen=…)`), or keep the indices from which the views are made.", rule.FewEntries)
	case c.Group != nil && c.Group.Shared:
		return rule.WrapStored(c, "Copy the part that is needed (`.clone()`), so that the shared segment can go, and bound the rest.", ".clone()", true)
	}
	return rule.Bounded(c, "Bound the buffer (`collections.deque(maxlen=…)`, or a ring of fixed size), or keep only the part of each batch that is needed.", rule.FewEntries)
}

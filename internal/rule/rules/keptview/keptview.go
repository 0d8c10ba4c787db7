// Package keptview is the rule TL113 kept-view: a small view keeps a large storage alive.
package keptview

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
	"github.com/torchleak/torchleak/internal/units"
)

//go:embed keptview.md
var doc string

// Rule is TL113 kept-view.
var Rule = rule.Rule{
	ID:    "TL113",
	Name:  "kept-view",
	Title: "a small view keeps a large storage alive",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	size := ""
	if c.Group != nil && c.Group.StorageBytes > 0 {
		size = fmt.Sprintf(": %s of tensor pin %s of storage", units.Bytes(c.Group.TensorBytes), units.Bytes(c.Group.StorageBytes))
	}
	return fmt.Sprintf("%s gets views of larger tensors %s%s; %s%s."+
		" A slice, and `detach()` too, shares the storage it was taken from, so the whole of it stays.",
		c.HolderName(), c.Every(), size, c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	suffix := ".clone()"
	if c.HasGraph() {
		suffix = ".detach().clone()"
	}
	return rule.WrapStored(c, "Copy what is kept, so that the large storage can go: `"+suffix+"`.", suffix, true)
}

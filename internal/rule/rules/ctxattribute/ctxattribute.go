// Package ctxattribute is the rule TL111 ctx-attribute: tensors are put on ctx as attributes.
package ctxattribute

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed ctxattribute.md
var doc string

// Rule is TL111 ctx-attribute.
var Rule = rule.Rule{
	ID:    "TL111",
	Name:  "ctx-attribute",
	Title: "tensors are put on ctx as attributes",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	chain := ""
	if c.Cycle != nil && len(c.Cycle.Sample) > 0 {
		chain = " (" + strings.Join(c.Cycle.Sample, " → ") + ")"
	}
	return fmt.Sprintf("A custom Function stores a tensor on `ctx` as an attribute, which ties output and graph node in a circle%s: %s%s."+
		" Only Python's cyclic collector can free it, and that starts by counting objects, not bytes.", chain, c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Hand the tensor to `ctx.save_for_backward(…)` and read it from `ctx.saved_tensors`; leave numbers and shapes as attributes.")
}

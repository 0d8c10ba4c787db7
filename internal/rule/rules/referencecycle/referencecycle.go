// Package referencecycle is the rule TL117 reference-cycle: circles of references hold tensors until the collector runs.
package referencecycle

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed referencecycle.md
var doc string

// Rule is TL117 reference-cycle.
var Rule = rule.Rule{
	ID:    "TL117",
	Name:  "reference-cycle",
	Title: "circles of references hold tensors until the collector runs",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	chain := ""
	if c.Cycle != nil && len(c.Cycle.Sample) > 0 {
		chain = " (" + strings.Join(c.Cycle.Sample, " → ") + ")"
	}
	return fmt.Sprintf("Objects that refer to each other%s hold tensors which nothing else refers to: %s%s."+
		" Reference counting never frees them; they wait for Python's collector, which counts objects and not bytes.",
		chain, c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Break the circle: refer back with `weakref.ref`, pass the owner where it is needed, or clear the reference at the end of the step.")
}

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

// frozen reports that the circles were hidden from the collector.
func frozen(c *rule.Case) bool { return c.Place.Target == "gc.freeze" }

func why(c *rule.Case) string {
	if frozen(c) {
		return fmt.Sprintf("%s hides all objects that are there from the collector, in every step: circles among them are never freed%s.", c.Statement("This"), c.Cost())
	}
	chain := ""
	if c.Cycle != nil && len(c.Cycle.Sample) > 0 {
		chain = " (" + strings.Join(c.Cycle.Sample, " → ") + ")"
	}
	return fmt.Sprintf("Objects that refer to each other%s hold tensors which nothing else refers to: %s%s."+
		" Reference counting never frees them; they wait for Python's collector, which counts objects and not bytes.",
		chain, c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	if frozen(c) {
		return rule.Advice("Call `gc.freeze()` once, before the loop: it is for what is there for good.")
	}
	return rule.Advice("Break the circle: refer back with `weakref.ref`, pass the owner where it is needed, or clear the reference at the end of the step.")
}

// Package fragmentation is the rule TL202 fragmentation: enough is free, in pieces too small.
package fragmentation

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed fragmentation.md
var doc string

// Rule is TL202 fragmentation.
var Rule = rule.Rule{
	ID:    "TL202",
	Name:  "fragmentation",
	Title: "enough is free, in pieces too small",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("Memory of %s is free in pieces too small for the requests, so the allocator reserves more while allocated memory is flat."+
		" Blocks of varied sizes, freed in another order than they came, leave such gaps.", c.Memory.Name)
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Pad or bucket the lengths. Try `expandable_segments:True` on a trace of your own first (`torchleak snapshot simulate`): some settings that are often advised make it worse.")
}

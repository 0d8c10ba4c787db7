// Package capacity is the rule TL203 capacity: nothing grows; one step needs about all there is.
package capacity

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
	"github.com/torchleak/torchleak/internal/units"
)

//go:embed capacity.md
var doc string

// Rule is TL203 capacity.
var Rule = rule.Rule{
	ID:    "TL203",
	Name:  "capacity",
	Title: "nothing grows; one step needs about all there is",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	limit := "its limit"
	if c.Memory.LimitBytes != nil {
		limit = "its limit of " + units.Bytes(*c.Memory.LimitBytes)
	}
	return fmt.Sprintf("Nothing grows: the peak of a single step comes close to %s of %s."+
		" The first larger batch, evaluation or checkpoint can fail.", limit, c.Memory.Name)
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Use a smaller batch with gradient accumulation, activation checkpointing or lower precision; `torchleak profile` shows what the peak consists of.")
}

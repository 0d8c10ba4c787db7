// Package allocatorcache is the rule TL201 allocator-cache: the allocator reserves more for new request sizes.
package allocatorcache

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed allocatorcache.md
var doc string

// Rule is TL201 allocator-cache.
var Rule = rule.Rule{
	ID:    "TL201",
	Name:  "allocator-cache",
	Title: "the allocator reserves more for new request sizes",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("Reserved memory of %s grows when a request is larger than any before, while allocated memory is flat."+
		" The caching allocator keeps freed blocks for later; this program can use all of them, others cannot.", c.Memory.Name)
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Nothing has to be changed as long as it fits. Running the largest batch first, or padding to a few lengths, makes it level off at once.")
}

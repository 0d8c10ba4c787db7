// Package workercopyonwrite is the rule TL123 worker-copy-on-write: loader workers copy the data set page by page.
package workercopyonwrite

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed workercopyonwrite.md
var doc string

// Rule is TL123 worker-copy-on-write.
var Rule = rule.Rule{
	ID:    "TL123",
	Name:  "worker-copy-on-write",
	Title: "loader workers copy the data set page by page",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("The private memory of loader workers grows while they read%s: reading a Python object changes its reference count, so the page it lies on is copied into each worker."+
		" It ends when all pages are copied, at the size of the data set times the number of workers.", c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("Hold the data set's entries in one array (numpy bytes, a tensor, Arrow) instead of a list of Python objects, or use fewer workers.")
}

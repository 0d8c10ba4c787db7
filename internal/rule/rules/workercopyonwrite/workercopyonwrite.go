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
	cause := "reading a Python object changes its reference count, so the page it lies on is copied into each worker."
	if c.Holder == nil { // no list of objects is in sight
		cause = "reading a Python object changes its reference count, and writing into an array that was made before, or into a file that is mapped with `mode=\"c\"`," +
			" changes its pages, so these are copied into each worker."
	}
	return fmt.Sprintf("The private memory of loader workers grows while they read%s: %s It ends when all pages are copied, at the size of the data set times the number of workers.",
		c.Cost(), cause)
}

func fix(c *rule.Case) *finding.Fix {
	if c.Holder == nil {
		return rule.Advice("Hold entries in arrays instead of Python objects, change copies of them only, and map files with `mode=\"r\"`; or use fewer workers.")
	}
	return rule.Advice("Hold the data set's entries in one array (numpy bytes, a tensor, Arrow) instead of a list of Python objects, or use fewer workers.")
}

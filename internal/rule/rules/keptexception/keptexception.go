// Package keptexception is the rule TL112 kept-exception: caught exceptions are stored with their frames.
package keptexception

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed keptexception.md
var doc string

// Rule is TL112 kept-exception.
var Rule = rule.Rule{
	ID:    "TL112",
	Name:  "kept-exception",
	Title: "caught exceptions are stored with their frames",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("%s keeps caught exceptions, whose tracebacks refer to the frames they went through and so to all local variables there: %s%s."+
		" Batch, outputs and graph of each failed step stay as long as its exception.", c.HolderName(), c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	const summary = "Store text instead of the exception: `repr(error)` or `traceback.format_exc()`; `error.with_traceback(None)` keeps the object without its frames."
	if c.Place.Value == "" || !rule.Wrappable(c.Place.Value) {
		return rule.Advice(summary)
	}
	return rule.WrapStored(c, summary, ".with_traceback(None)", true)
}

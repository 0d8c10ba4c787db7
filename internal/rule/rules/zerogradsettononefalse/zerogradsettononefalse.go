// Package zerogradsettononefalse is the rule TL304 zero-grad-set-to-none-false: gradients are zeroed and kept instead of freed.
package zerogradsettononefalse

import (
	_ "embed"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed zerogradsettononefalse.md
var doc string

// Rule is TL304 zero-grad-set-to-none-false.
var Rule = rule.Rule{
	ID:    "TL304",
	Name:  "zero-grad-set-to-none-false",
	Title: "gradients are zeroed and kept instead of freed",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
	Check: check,
}

const reason = "`zero_grad(set_to_none=False)` keeps the gradients of the last step allocated, as large as the model, while the next forward needs the room. It ends no leak: nothing grows by gradients."

const summary = "Leave out `set_to_none=False`: freed gradients make room for activations."

func why(*rule.Case) string { return reason }

func fix(*rule.Case) *finding.Fix { return rule.Advice(summary) }

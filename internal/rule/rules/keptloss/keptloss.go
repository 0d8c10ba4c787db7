// Package keptloss is the rule TL102 kept-loss: losses or statistics are kept with their graph.
package keptloss

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed keptloss.md
var doc string

// Rule is TL102 kept-loss.
var Rule = rule.Rule{
	ID:    "TL102",
	Name:  "kept-loss",
	Title: "losses or statistics are kept with their graph",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	text := fmt.Sprintf("%s gets %s with its graph (%s) %s: %s%s.",
		c.HolderName(), c.Tensor(), gradFn(c), c.Every(), c.Survival(), c.Cost())
	if c.GraphBytes > 0 && c.Retained {
		return text + " retain_graph=True has kept the activations, so those of the whole forward stay behind each number."
	}
	if c.GraphBytes > 0 {
		return text + " No backward has freed these graphs, so the activations of the whole forward stay behind each number."
	}
	return text + " backward() has freed the activations, but the graph's nodes live as long as a tensor refers to them."
}

func gradFn(c *rule.Case) string {
	if c.Group == nil || c.Group.GradFn == "" {
		return "grad_fn set"
	}
	return c.Group.GradFn
}

func fix(c *rule.Case) *finding.Fix {
	if c.Scalar() {
		return rule.Loosened(c, "Keep the value without its graph: `.detach()`, or `.item()` where a number will do.")
	}
	return rule.Loosened(c, "Keep the value without its graph: `.detach()`; a number made of it (`.mean().item()`) is smaller still.")
}

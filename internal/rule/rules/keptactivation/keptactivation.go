// Package keptactivation is the rule TL101 kept-activation: activations of every step are kept.
package keptactivation

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed keptactivation.md
var doc string

// Rule is TL101 kept-activation.
var Rule = rule.Rule{
	ID:    "TL101",
	Name:  "kept-activation",
	Title: "activations of every step are kept",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	text := fmt.Sprintf("%s gets %s from the forward %s and gives none back: %s%s.",
		c.HolderName(), c.Tensor(), c.Every(), c.Survival(), c.Cost())
	if c.HasGraph() {
		return text + " Each one also keeps its autograd graph, with whatever a backward would still need of that forward."
	}
	return text + " They carry no graph, so what stays is the activations themselves; only letting go of them ends the growth."
}

func fix(c *rule.Case) *finding.Fix {
	// Features are often kept for a loss of their own, so that the patch may change the training.
	switch {
	case c.HasGraph() && c.OffDevice():
		return rule.WrapStored(c, "Keep the activation without its graph and off the device, and empty "+holder(c)+" once it was used; or keep the newest one only.",
			".detach().cpu()", false)
	case c.HasGraph():
		return rule.WrapStored(c, "Keep the activation without its graph, and empty "+holder(c)+" once it was used; or keep the newest one only.", ".detach()", false)
	}
	return rule.Advice("Empty " + holder(c) + " once its activations were used, keep the newest one only, or keep a number made of each (`.mean().item()`).")
}

func holder(c *rule.Case) string {
	if c.Holder == nil || c.Holder.Path == "" {
		return "the holder"
	}
	return "`" + c.Holder.Path + "`"
}

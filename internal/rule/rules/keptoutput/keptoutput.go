// Package keptoutput is the rule TL104 kept-output: outputs or predictions of every step are kept.
package keptoutput

import (
	_ "embed"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed keptoutput.md
var doc string

// Rule is TL104 kept-output.
var Rule = rule.Rule{
	ID:    "TL104",
	Name:  "kept-output",
	Title: "outputs or predictions of every step are kept",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	text := c.Gets()
	if c.HasGraph() {
		return text + " Each output refers by its grad_fn to the graph that made it, which stays as well."
	}
	if one(c) {
		return text + " " + c.Longer()
	}
	return text + " They carry no graph; their number alone is what grows."
}

// one reports whether what grows is one tensor, and not their number.
func one(c *rule.Case) bool { return c.Holder != nil && c.Holder.Kind == "slot" && c.Tensors == 0 }

func fix(c *rule.Case) *finding.Fix {
	switch {
	case c.HasGraph() && c.OffDevice():
		return rule.WrapStored(c, "Keep the output without its graph and off the device, and start anew each epoch; a number made of it is smaller still.", ".detach().cpu()", false)
	case c.HasGraph():
		slot := c.Holder != nil && c.Holder.Kind == "slot"
		return rule.WrapStored(c, "Keep the outputs without their graph, and start anew each epoch; a number made of them is smaller still.", ".detach()", slot || c.Memory.Name == "host")
	}
	if one(c) {
		return rule.Advice(c.Cut())
	}
	return rule.Advice("Reduce each output to what is needed of it before it is stored (`argmax`, a count, a mean), and start anew each epoch.")
}

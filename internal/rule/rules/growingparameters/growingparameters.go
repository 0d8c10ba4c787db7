// Package growingparameters is the rule TL114 growing-parameters: parameters, groups or modules are added in every step.
package growingparameters

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed growingparameters.md
var doc string

// Rule is TL114 growing-parameters.
var Rule = rule.Rule{
	ID:    "TL114",
	Name:  "growing-parameters",
	Title: "parameters, groups or modules are added in every step",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("%s grows while the training runs: %s%s."+
		" Parameters that a module or an optimizer knows of are never let go, and each new one gets a gradient and optimizer state of its own.",
		c.HolderName(), c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	if c.Holder != nil && strings.HasSuffix(c.Holder.Path, "._modules") {
		return rule.Advice("Make the module once, before the loop, and begin anew with its values (`reset_parameters()`). Where many are needed, which of them may go is not to be seen: `del` those that nobody asks for any more, and take their parameters out of `optimizer.param_groups` and `optimizer.state`.")
	}
	return rule.Advice("Make the parameter or module once, before the loop, and change its value inside it; where one is replaced, take the old one out of `optimizer.param_groups` and `optimizer.state`.")
}

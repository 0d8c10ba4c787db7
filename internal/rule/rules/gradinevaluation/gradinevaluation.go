// Package gradinevaluation is the rule TL105 grad-in-evaluation: an evaluation runs with gradients on and its results are kept.
package gradinevaluation

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed gradinevaluation.md
var doc string

// Rule is TL105 grad-in-evaluation.
var Rule = rule.Rule{
	ID:    "TL105",
	Name:  "grad-in-evaluation",
	Title: "an evaluation runs with gradients on and its results are kept",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	text := fmt.Sprintf("The model runs here with gradients on and no backward follows, so each forward saves its activations for nothing; %s keeps a result of each: %s%s.",
		c.HolderName(), c.Survival(), c.Cost())
	if c.GradInEval {
		return text + " `model.eval()` does not stop graph building: the model was seen in eval mode with gradients on."
	}
	return text + " Nothing frees those activations as long as the result lives."
}

func fix(c *rule.Case) *finding.Fix {
	const summary = "Run the evaluation under `torch.no_grad()`."
	if c.Consumed {
		return rule.Alone("A backward pass reads what is kept, so its gradients are needed: empty it once that backward is done.")
	}
	if c.Trains {
		return rule.Advice("Run the evaluation under `torch.no_grad()`: around the call that evaluates, since this statement runs in training as well.")
	}
	if !c.Place.Readable() || c.Store.Location.File == "" {
		return rule.Advice(summary)
	}
	p, err := patch.WrapStatementsIn(c.Place, "with torch.no_grad():")
	if err != nil {
		p, err = patch.AddDecorator(c.Place, "@torch.no_grad()")
	}
	fix := rule.Patched(summary, c.Evaluating, p, err)
	if rest := c.RemainsWithoutGraph(); rest != "" {
		fix.Summary += " " + rest
	}
	return fix
}

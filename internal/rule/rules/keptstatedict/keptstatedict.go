// Package keptstatedict is the rule TL115 kept-state-dict: copies of models or state dicts are all kept.
package keptstatedict

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed keptstatedict.md
var doc string

// Rule is TL115 kept-state-dict.
var Rule = rule.Rule{
	ID:    "TL115",
	Name:  "kept-state-dict",
	Title: "copies of models or state dicts are all kept",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("%s gets another copy of model or optimizer tensors %s and keeps all of them: %s%s."+
		" Each copy is as large as what it was made of.", c.HolderName(), c.Every(), c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Bounded(c, "Keep a fixed number of copies (the best one, or `deque(maxlen=k)`), or write them to disk with `torch.save`.", rule.FewModels)
}

// Package nativegrowth is the rule TL130 native-growth: memory grows and nothing in Python was found to hold it.
package nativegrowth

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed nativegrowth.md
var doc string

// Rule is TL130 native-growth.
var Rule = rule.Rule{
	ID:    "TL130",
	Name:  "native-growth",
	Title: "memory grows and nothing in Python was found to hold it",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	text := fmt.Sprintf("%s memory grows", c.Memory.Name)
	if g := c.Growth(); g != "" {
		text += " by " + g
	}
	if c.Memory.Kind == "worker" {
		return text + ", window after window. No run looks into a loader worker, and the source of its data set, and of its `collate_fn`, shows nothing that keeps what it hands out." +
			" What it calls elsewhere is left: `worker_init_fn`, libraries that decode."
	}
	if c.Steps == 0 && c.Place.Location.File != "" && !c.Place.Seen {
		return text + fmt.Sprintf(", %s, and no evidence spans that many. %s is what the source does as often and what keeps something; nothing was seen of it.", c.Every(), c.Statement("This"))
	}
	text += ", window after window, and no Python object was found that holds it."
	if c.Place.Location.File != "" {
		return text + fmt.Sprintf(" What stays was allocated under %s.", c.Statement("this line"))
	}
	return text + " A library's registry or cache, an extension that takes a reference too many, or objects hidden from the search hold it."
}

func fix(c *rule.Case) *finding.Fix {
	if c.Memory.Kind == "worker" {
		return rule.Advice("Run once with `num_workers=0`: what grows is then in the training's own process, and who holds it can be found.")
	}
	return rule.Advice("Switch suspects off one at a time (`torchleak bisect`), extensions and the newest library first; repeat one batch to tell a per-shape cache from a leak.")
}

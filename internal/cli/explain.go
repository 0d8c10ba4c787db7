package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/rule/rules"
)

type explainCommand struct {
	Rule explainRule `cmd:"" default:"withargs" help:"Show the page of a rule; the word rule may be left out: torchleak explain TL101."`
	OOM  explainOOM  `cmd:"" name:"oom" help:"What an out-of-memory message says, and what to do."`
}

type explainRule struct {
	colourless
	Rule string `arg:"" optional:"" help:"Number or name of a rule, such as TL101 or kept-activation; none lists all."`
	Lang string `enum:"en,zh" default:"en" help:"Language of titles and reasons: en or zh. The page itself is English."`
}

// Run prints the rule's page, or the list of rules.
func (c *explainRule) Run(stdio Stdio) error {
	say := phrase.In(c.Lang)
	if c.Rule == "" {
		for _, r := range rules.All {
			fmt.Fprintf(stdio.Out, "%s  %-22s %s\n", r.ID, r.Name, cmp.Or(say.Title(r.ID), r.Title))
		}
		return nil
	}
	r, ok := rules.Find(c.Rule)
	if !ok {
		return &usageError{fmt.Sprintf("there is no rule %q; `torchleak explain` lists all", c.Rule)}
	}
	if title := say.Title(r.ID); title != "" {
		fmt.Fprintf(stdio.Out, "%s %s  %s\n\n%s\n\n", r.ID, r.Name, title, say.Why(finding.Finding{Rule: r.ID}))
	}
	fmt.Fprintln(stdio.Out, strings.TrimSpace(r.Doc))
	return nil
}

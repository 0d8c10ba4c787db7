package cli

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/rule/rules"
)

type explainCommand struct {
	Rule string `arg:"" optional:"" help:"Number or name of a rule, such as TL101 or kept-activation; none lists all."`
}

// Run prints the rule's page, or the list of rules.
func (c *explainCommand) Run(stdio Stdio) error {
	if c.Rule == "" {
		for _, r := range rules.All {
			fmt.Fprintf(stdio.Out, "%s  %-22s %s\n", r.ID, r.Name, r.Title)
		}
		return nil
	}
	r, ok := rules.Find(c.Rule)
	if !ok {
		return &UserError{fmt.Errorf("there is no rule %q", c.Rule), "`torchleak explain` lists all."}
	}
	fmt.Fprintln(stdio.Out, strings.TrimSpace(r.Doc))
	return nil
}

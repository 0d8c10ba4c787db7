// Package outsideallocator is the rule TL131 outside-allocator: the device fills up outside PyTorch's allocator.
package outsideallocator

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed outsideallocator.md
var doc string

// Rule is TL131 outside-allocator.
var Rule = rule.Rule{
	ID:    "TL131",
	Name:  "outside-allocator",
	Title: "the device fills up outside PyTorch's allocator",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

func why(c *rule.Case) string {
	return fmt.Sprintf("Memory of %s that the driver reports as used grows beyond what PyTorch has reserved%s, while allocated memory is flat."+
		" Communicators, library handles, contexts of other processes and other libraries take memory straight from the driver.",
		c.Memory.Name, cost(c))
}

func cost(c *rule.Case) string {
	if g := c.Growth(); g != "" {
		return ", by " + g
	}
	return ""
}

func fix(c *rule.Case) *finding.Fix {
	return rule.Advice("See with `nvidia-smi` which process grows; in this one count process groups and streams made per step (`torchleak nccl` reads NCCL's logs).")
}

// Package growingcontainer is the rule TL119 growing-container: a container grows in every step.
package growingcontainer

import (
	_ "embed"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed growingcontainer.md
var doc string

// Rule is TL119 growing-container.
var Rule = rule.Rule{
	ID:    "TL119",
	Name:  "growing-container",
	Title: "a container grows in every step",
	Doc:   doc,
	Why:   why,
	Fix:   fix,
}

// onePiece are types of values that become longer as a whole.
var onePiece = map[string]bool{"str": true, "bytes": true, "bytearray": true, "ndarray": true}

func lengthens(c *rule.Case) bool { return c.Holder != nil && onePiece[c.Holder.Type] }

func why(c *rule.Case) string {
	if lengthens(c) {
		return fmt.Sprintf("%s is made longer %s: %s%s. Nothing bounds it, so it grows as long as the training runs."+
			" Each time all of it is copied.", c.HolderName(), c.Every(), c.Survival(), c.Cost())
	}
	elements := "entries"
	if c.Holder != nil && c.Holder.Elements != "" {
		elements = "entries of type " + c.Holder.Elements
	}
	return fmt.Sprintf("%s gets new %s %s and none is taken out: %s%s."+
		" Nothing bounds it, so it grows as long as the training runs.", c.HolderName(), elements, c.Every(), c.Survival(), c.Cost())
}

func fix(c *rule.Case) *finding.Fix {
	if lengthens(c) {
		return rule.Advice("Write what is new to disk, or keep a summary or the newest part only.")
	}
	switch {
	case c.Memory.Kind == "shm" && c.Holder != nil && c.Holder.Elements == "descriptor":
		return rule.Advice("Close each descriptor of shared memory (`os.close()`) once it has been used, or write into a few of them in turn.")
	case c.Memory.Kind == "shm" && c.Holder != nil && c.Holder.Elements == "mmap":
		return rule.Advice("`close()` each mapping once it has been read, or use a few of them in turn.")
	case c.Memory.Kind == "shm":
		return rule.Advice("`close()` and `unlink()` each segment of shared memory once it has been read, or use a few of them in turn.")
	}
	return rule.Bounded(c, "Keep a summary or the newest entries (`collections.deque(maxlen=…)`), clear it each epoch, or write the rest to disk.", rule.FewEntries)
}

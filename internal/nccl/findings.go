package nccl

import (
	"cmp"
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/rule"
	"github.com/torchleak/torchleak/internal/rule/rules/processgroupperstep"
	"github.com/torchleak/torchleak/internal/units"
)

// Findings are the groups that ranks set up again and again, those of the first rank first. A log names no statement
// and no step: `torchleak run` does.
func Findings(ranks []Rank) []finding.Finding {
	found := []finding.Finding{}
	for _, r := range ranks {
		for _, g := range r.Repeated() {
			found = append(found, of(r, g))
		}
	}
	return found
}

func of(r Rank, g Group) finding.Finding {
	count := int64(g.Alive)
	f := finding.Finding{
		Rule: processgroupperstep.Rule.ID, Name: processgroupperstep.Rule.Name,
		Verdict: finding.Outside, Memory: "device", Confidence: finding.Possible,
		RetainedBytes: g.Bytes, Count: &count,
		AllocatedAt: []finding.Frame{}, Calls: []finding.Frame{},
		Why: why(r, g), Fix: processgroupperstep.Rule.Fix(&rule.Case{}),
	}
	if r.Device != nil {
		f.Memory = fmt.Sprintf("cuda:%d", *r.Device)
	}
	return f
}

func why(r Rank, g Group) string {
	same := fmt.Sprintf("groups of %s", units.Plural(g.Size, "rank"))
	if g.Color != nil {
		same = fmt.Sprintf("the same group of %s (color %d)", units.Plural(g.Size, "rank"), *g.Color)
	}
	return fmt.Sprintf("Rank %d set up %s %s, %s, and %d of the communicators were alive at one time."+
		" Each keeps device memory outside PyTorch's allocator, commonly hundreds of megabytes, until its group is destroyed.",
		r.Rank, same, units.Plural(g.Inits, "time"), where(r, g), g.Alive)
}

// where are the lines of the set-ups.
func where(r Rank, g Group) string {
	if g.FirstFile == "" && g.LastFile == "" {
		return fmt.Sprintf("in lines %d to %d", g.FirstLine, g.LastLine)
	}
	return fmt.Sprintf("from line %d of %s to line %d of %s", g.FirstLine, cmp.Or(g.FirstFile, r.File), g.LastLine, cmp.Or(g.LastFile, r.File))
}

// Package communicators shows what NCCL's logs say: as text for people and as JSON.
package communicators

import (
	"fmt"
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/nccl"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// WriteJSON writes schema 1.
func WriteJSON(w io.Writer, ranks []nccl.Rank, findings []finding.Finding) error {
	return plain.JSON(w, struct {
		Schema   int               `json:"schema"`
		Ranks    []nccl.Rank       `json:"ranks"`
		Findings []finding.Finding `json:"findings"`
	}{1, ranks, findings})
}

// WriteText writes for people.
func WriteText(w io.Writer, ranks []nccl.Rank, findings []finding.Finding) error {
	var out strings.Builder
	for _, r := range ranks {
		rank(&out, r)
	}
	for _, f := range findings {
		fmt.Fprintf(&out, "\n  %s %s\n  Why  %s\n  Fix  %s\n", f.Rule, f.Name, plain.Text(f.Why), f.Fix.Summary)
	}
	if len(findings) > 0 {
		out.WriteString("\n  The statement that makes them, and what each costs, says: torchleak run -- python train.py\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func rank(out *strings.Builder, r nccl.Rank) {
	fmt.Fprintf(out, "rank %d  %s, at most %d alive at one time, %d destroyed%s  (%s, process %d of %s)\n",
		r.Rank, units.Plural(r.Inits, "set-up"), r.Communicators, r.Destroyed, cost(r.InitSeconds, r.AllocatedBytes),
		plain.Text(r.File), r.PID, plain.Text(r.Host))
	if r.Unfinished > 0 {
		fmt.Fprintf(out, "        %s never finished: the log ends within, or another rank never came\n", units.Plural(r.Unfinished, "set-up"))
	}
	for _, g := range r.Groups {
		fmt.Fprintf(out, "        %5s  %s%s\n", units.Count(int64(g.Inits))+" ×", name(g), cost(g.Seconds, g.Bytes))
	}
}

func name(g nccl.Group) string {
	function := plain.Text(g.Function)
	if function == "" {
		function = "set-up"
	}
	if g.Color != nil {
		return fmt.Sprintf("%s of %s, color %d", function, units.Plural(g.Size, "rank"), *g.Color)
	}
	return fmt.Sprintf("%s of %s", function, units.Plural(g.Size, "rank"))
}

func cost(seconds *float64, bytes *int64) string {
	text := ""
	if seconds != nil {
		text += fmt.Sprintf(", %.2f s", *seconds)
	}
	if bytes != nil {
		text += ", " + units.Bytes(*bytes)
	}
	return text
}

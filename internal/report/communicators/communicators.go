// Package communicators shows what NCCL's logs say: as text for people and as JSON.
package communicators

import (
	"fmt"
	"io"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/nccl"
	"github.com/torchleak/torchleak/internal/report/phrase"
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

// WriteText writes for people, in a language.
func WriteText(w io.Writer, ranks []nccl.Rank, findings []finding.Finding, lang string) error {
	p := &printer{say: phrase.In(lang)}
	for _, r := range ranks {
		p.rank(r)
	}
	for _, f := range findings {
		title := strings.TrimSpace(f.Rule + " " + f.Name + "  " + p.say.Title(f.Rule))
		fmt.Fprintf(&p.out, "\n  %s\n  %s  %s\n  %s  %s\n", title, p.say.Say("nccl.why"), plain.Text(p.say.Why(f)),
			p.say.Say("nccl.fix"), p.say.Text(f.Fix.Summary))
	}
	if len(findings) > 0 {
		fmt.Fprintf(&p.out, "\n  %s\n", p.say.Say("nccl.further"))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

type printer struct {
	say *phrase.Catalogue
	out strings.Builder
}

func (p *printer) rank(r nccl.Rank) {
	p.out.WriteString(p.say.Say("nccl.rank", "rank", fmt.Sprint(r.Rank), "setups", p.setups(r.Inits), "alive", fmt.Sprint(r.Communicators),
		"destroyed", fmt.Sprint(r.Destroyed), "cost", p.cost(r.InitSeconds, r.AllocatedBytes),
		"file", plain.Text(r.File), "pid", fmt.Sprint(r.PID), "host", plain.Text(r.Host)) + "\n")
	if r.Unfinished > 0 {
		fmt.Fprintf(&p.out, "        %s\n", p.say.Say("nccl.unfinished", "setups", p.setups(r.Unfinished)))
	}
	for _, g := range r.Groups {
		fmt.Fprintf(&p.out, "        %5s  %s%s\n", units.Count(int64(g.Inits))+" ×", p.name(g), p.cost(g.Seconds, g.Bytes))
	}
}

func (p *printer) setups(n int) string { return p.say.Plural(n, "nccl.setups.one", "nccl.setups") }

func (p *printer) name(g nccl.Group) string {
	function := plain.Text(g.Function)
	if function == "" {
		function = p.say.Say("nccl.setup")
	}
	ranks := p.say.Plural(g.Size, "nccl.ranks.one", "nccl.ranks")
	if g.Color != nil {
		return p.say.Say("nccl.group.color", "function", function, "ranks", ranks, "color", fmt.Sprint(*g.Color))
	}
	return p.say.Say("nccl.group", "function", function, "ranks", ranks)
}

// cost is how long set-ups took, and the memory they took where the log says it, behind a comma.
func (p *printer) cost(seconds *float64, bytes *int64) string {
	text := ""
	if seconds != nil {
		text += p.say.Say("text.comma") + fmt.Sprintf("%.2f s", *seconds)
	}
	if bytes != nil {
		text += p.say.Say("text.comma") + units.Bytes(*bytes)
	}
	return text
}

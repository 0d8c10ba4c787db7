package text

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/diff"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// maxDiff bounds the changed lines shown of a patch.
const maxDiff = 16

// maxPlace is how wide a place may be to stand left of its code.
const maxPlace = 26

// narrow is the width below which facts stand under the place instead of beside it.
const narrow = 70

// finding writes one finding: rule, statement, holder, birth place, why, fix.
func (p *printer) finding(f finding.Finding, all []finding.Finding) {
	p.rule(f)
	indent := label + 2
	if p.width < narrow {
		indent = 4
	}
	if f.Location != nil {
		place := plain.Text(fmt.Sprintf("%s:%d", f.Location.File, f.Location.Line))
		if plain.Columns(place) <= maxPlace && p.width >= narrow {
			indent = max(indent, plain.Columns(place)+5)
		}
		p.statement(place, plain.Text(f.Location.Code), indent)
	}
	if h := f.Holder; h != nil {
		p.fact(p.say.Say("text.holder"), p.holder(*h), indent)
	}
	if len(f.AllocatedAt) > 0 {
		at := f.AllocatedAt[0]
		born := plain.Text(fmt.Sprintf("%s:%d %s", at.File, at.Line, at.Function))
		if f.Phase != "" && f.Phase != "rest" { // the rest of the step says nothing
			born += "  " + p.say.Say("text.phase", "phase", plain.Text(p.say.Phase(f.Phase)))
		}
		p.fact(p.say.Say("text.born"), born, indent)
	}
	switch f.Confidence {
	case finding.Likely:
		p.fact("", p.say.Say("text.likely"), indent)
	case finding.Possible:
		p.fact("", p.say.Say("text.possible"), indent)
	}
	if same := p.say.Same(f, all); same != "" {
		p.fact("", plain.Text(same), indent)
	}
	if why := p.say.Why(f); why != "" {
		p.labelled(p.say.Say("text.why"), bold, plain.Text(why))
	}
	if f.Fix != nil {
		p.fix(*f.Fix)
	}
}

// rule writes the rule on the left and what it costs on the right.
func (p *printer) rule(f finding.Finding) {
	left := plain.Text(strings.TrimSpace(f.Rule + " " + f.Name + "  " + p.say.Title(f.Rule)))
	right := p.say.List(append(p.say.Costs(f), cut(plain.Text(f.Memory), 24))...)
	painted := p.paint(verdictColor(f.Verdict)+bold, cut(left, p.width-2))
	if gap := p.width - 2 - plain.Columns(left) - plain.Columns(right); gap >= 2 {
		p.line("  " + painted + strings.Repeat(" ", gap) + right)
		return
	}
	p.line("  " + painted)
	p.hanging("    ", "    ", right)
}

// statement writes the place and its code, on two lines where the place is long.
func (p *printer) statement(place, code string, indent int) {
	room := p.width - indent
	head := "  " + p.paint(bold, cutLeft(place, p.width-2))
	if plain.Columns(place)+4 > indent {
		p.line(head)
		p.line(strings.Repeat(" ", indent) + cut(code, room))
		return
	}
	p.line(strings.TrimRight(head+strings.Repeat(" ", indent-2-plain.Columns(place))+cut(code, room), " "))
}

// fact writes a named fact below the statement.
func (p *printer) fact(name, value string, indent int) {
	wide := max(plain.Columns(p.say.Say("text.holder")), plain.Columns(p.say.Say("text.born"))) + 2
	head := strings.Repeat(" ", indent)
	if name != "" {
		head += p.paint(dim, name) + strings.Repeat(" ", wide-plain.Columns(name))
	} else {
		head += strings.Repeat(" ", wide)
	}
	p.hanging(head, strings.Repeat(" ", indent+wide), value)
}

// holder is its path, type and length, and how it is reached.
func (p *printer) holder(h finding.Holder) string {
	text := plain.Text(p.say.Holder(h))
	if h.Through != "" {
		text += "  " + p.say.Say("text.through", "path", plain.Text(p.say.Words(h.Through)))
	}
	return text
}

// fix writes the patch, or the advice in words where there is none.
func (p *printer) fix(f finding.Fix) {
	name := p.say.Say("text.fix")
	summary := p.say.Text(f.Summary)
	if f.Diff == "" {
		p.labelled(name, bold, plain.Text(summary))
		return
	}
	if summary != "" {
		p.labelled(name, bold, plain.Text(summary))
		name = ""
	}
	changed := changes(f.Diff)
	for i, line := range changed {
		if i == maxDiff {
			p.labelled("", "", p.more(len(changed)-i))
			break
		}
		color := green
		if line[0] == '-' {
			color = red
		}
		head := "  " + p.paint(bold, name) + strings.Repeat(" ", label-plain.Columns(name))
		// What changes is often at the end of a long line: it is broken, never cut.
		for _, piece := range broken(plain.Text(line[:1]+" "+line[1:]), p.width-label-2) {
			p.line(head + p.paint(color, piece))
			head = strings.Repeat(" ", label+2)
		}
		name = ""
	}
	if !f.Safe {
		p.labelled("", "", p.say.Say("text.review"))
	}
	if f.Apply != "" {
		p.whole(p.say.Say("text.apply"), plain.Text(f.Apply))
	}
}

// broken returns code in pieces of at most room columns; those behind the first are set in.
func broken(code string, room int) []string {
	const indent = "    "
	if room <= 2*len(indent) || plain.Columns(code) <= room {
		return []string{cut(code, room)}
	}
	n := max(1, fit(code, room))
	pieces := []string{code[:n]}
	for rest := code[n:]; rest != ""; {
		n := max(1, fit(rest, room-len(indent)))
		pieces = append(pieces, indent+rest[:n])
		rest = rest[n:]
	}
	return pieces
}

// changes returns the removed and added lines of a unified diff, with the indentation they share taken
// off, and other lines left out.
func changes(text string) []string {
	var out []string
	for _, line := range diff.Lines(text) {
		if line.Kind == diff.Added || line.Kind == diff.Removed {
			out = append(out, line.Text)
		}
	}
	shared := -1
	for _, line := range out {
		body := line[1:]
		if blank := len(body) - len(strings.TrimLeft(body, " \t")); body != "" && (shared < 0 || blank < shared) {
			shared = blank
		}
	}
	for i, line := range out {
		if len(line) > shared && shared > 0 {
			out[i] = line[:1] + line[1+shared:]
		}
	}
	return out
}

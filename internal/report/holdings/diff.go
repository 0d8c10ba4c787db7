package holdings

import (
	"fmt"
	"io"
	"slices"

	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/units"
)

// WriteDiff writes what changed between the files for people.
func WriteDiff(w io.Writer, d residence.Diff, files, notes []string, o Options) error {
	p := newPrinter(o)
	p.base = common(d.Sites, func(c residence.Change) string { return c.File })
	for i, f := range files {
		p.line("%s", p.say.Say("hold.moment", "size", fmt.Sprintf("%9s", units.Bytes(d.Totals[i])), "moment", p.say.Words(d.Moments[i]), "file", plain.Text(f)))
	}
	p.line("%s", p.say.Say("hold.difference", "size", fmt.Sprintf("%9s", units.SignedBytes(d.Totals[len(d.Totals)-1]-d.Totals[0]))))
	if !slices.ContainsFunc(d.Sites, func(c residence.Change) bool { return c.Bytes > 0 }) {
		p.line("\n  %s", p.say.Say("hold.same"))
	}
	p.changes("hold.changes", d.Sites)
	p.changes("hold.stacks", d.Stacks)
	return p.end(w, notes)
}

// changes lists what changed; what stayed is only counted.
func (p *printer) changes(title phrase.Key, list []residence.Change) {
	var changed []residence.Change
	for _, c := range list {
		if c.Bytes != 0 || c.Count != 0 {
			changed = append(changed, c)
		}
	}
	if !p.head(title, len(changed)) {
		return
	}
	for _, c := range changed[:min(len(changed), p.rows)] {
		p.line("    %9s %7s  %s%s", units.SignedBytes(c.Bytes), signed(c.Count), p.site(c.Site), p.course(c))
		for _, x := range c.Callers[:min(len(c.Callers), 3)] {
			p.line("    %9s %7s    %s", units.SignedBytes(x.Bytes), signed(x.Count), p.say.Say("hold.from", "site", p.site(x.Site)))
		}
		for _, f := range c.Frames[:min(len(c.Frames), 8)] {
			p.line("                         %s", plain.Text(fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Function)))
		}
		if len(c.Frames) > 8 {
			p.line("                         %s", p.say.Say("hold.more", "count", count(len(c.Frames)-8)))
		}
	}
	p.rest(len(changed))
}

// course shows what was held in each of more than two snapshots.
func (p *printer) course(c residence.Change) string {
	if len(c.Held) < 3 {
		return ""
	}
	text := " ("
	for i, t := range c.Held {
		if i > 0 {
			text += " → "
		}
		text += units.Bytes(t.Bytes)
	}
	return text + ")"
}

func signed(n int) string {
	if n > 0 {
		return "+" + count(n)
	}
	return count(n)
}

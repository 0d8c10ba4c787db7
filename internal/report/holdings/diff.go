package holdings

import (
	"fmt"
	"io"

	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/units"
)

// WriteDiff writes what changed between the files for people.
func WriteDiff(w io.Writer, d residence.Diff, files, notes []string, o Options) error {
	p := &printer{Options: o}
	p.base = common(d.Sites, func(c residence.Change) string { return c.File })
	for i, f := range files {
		p.line("%9s  allocated at %s of %s", units.Bytes(d.Totals[i]), d.Moments[i], plain.Text(f))
	}
	p.line("%9s  from the first to the last", units.SignedBytes(d.Totals[len(d.Totals)-1]-d.Totals[0]))
	grown := 0
	for _, c := range d.Sites {
		if c.Bytes > 0 {
			grown++
		}
	}
	if grown == 0 {
		p.line("\n  No line holds more than before.")
	}
	p.changes("By line", d.Sites)
	p.changes("By stack", d.Stacks)
	for _, n := range notes {
		p.line("\nNote: %s", plain.Text(n))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// changes lists what changed; what stayed is only counted.
func (p *printer) changes(title string, list []residence.Change) {
	var changed []residence.Change
	for _, c := range list {
		if c.Bytes != 0 || c.Count != 0 {
			changed = append(changed, c)
		}
	}
	if !p.head(title, len(changed)) {
		return
	}
	for _, c := range changed[:min(len(changed), p.Rows)] {
		p.line("    %9s %7s  %s%s", units.SignedBytes(c.Bytes), signed(c.Count), p.site(c.Site), p.course(c))
		for _, x := range c.Callers[:min(len(c.Callers), 3)] {
			p.line("    %9s %7s    from %s", units.SignedBytes(x.Bytes), signed(x.Count), p.site(x.Site))
		}
		for _, f := range c.Frames[:min(len(c.Frames), 8)] {
			p.line("                         %s", plain.Text(fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Function)))
		}
		if len(c.Frames) > 8 {
			p.line("                         … %s more", units.Count(int64(len(c.Frames)-8)))
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
		return "+" + units.Count(int64(n))
	}
	return units.Count(int64(n))
}

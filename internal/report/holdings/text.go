package holdings

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/units"
)

// Options say how a text looks.
type Options struct {
	// Rows is how many lines each table has at most.
	Rows int
	// Lang is the language: "en" or "zh".
	Lang string
}

type printer struct {
	rows int
	say  *phrase.Catalogue
	out  strings.Builder
	base string // the folder that the sites shown have in common
}

func newPrinter(o Options) *printer { return &printer{rows: o.Rows, say: phrase.In(o.Lang)} }

func (p *printer) line(format string, args ...any) { fmt.Fprintf(&p.out, format+"\n", args...) }

// fact is a line with a name, of a device.
func (p *printer) fact(name, key phrase.Key, pairs ...string) {
	label := p.say.Say(name)
	p.line("  %s%s %s", label, strings.Repeat(" ", max(0, 10-plain.Columns(label))), p.say.Say(key, pairs...))
}

func (p *printer) blocks(n int) string { return p.say.Plural(n, "snap.block", "snap.blocks") }

func (p *printer) steps(n int) string { return p.say.Plural(n, "hold.step", "hold.steps") }

func count(n int) string { return units.Count(int64(n)) }

// WriteText writes summaries for people.
func WriteText(w io.Writer, summaries []residence.Summary, notes []string, o Options) error {
	p := newPrinter(o)
	for i, s := range summaries {
		if i > 0 {
			p.line("")
		}
		p.base = common(s.Sites, func(r residence.Row) string { return r.File })
		p.device(s)
	}
	return p.end(w, notes)
}

// end writes what was printed, with the notes.
func (p *printer) end(w io.Writer, notes []string) error {
	for _, n := range notes {
		p.line("\n%s", p.say.Say("hold.note", "note", plain.Text(p.say.Text(n))))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

func (p *printer) device(s residence.Summary) {
	p.line("cuda:%d  %s", s.Index, p.moment(s))
	p.fact("hold.allocated", "hold.asked", "size", units.Bytes(s.Allocated), "blocks", p.blocks(s.Count), "asked", units.Bytes(s.Requested))
	if s.Active > s.Allocated {
		p.fact("hold.active", "hold.counts", "size", units.Bytes(s.Active))
	}
	p.fact("hold.reserved", "hold.size", "size", units.Bytes(s.Reserved))
	p.fact("hold.free", "hold.pieces", "size", units.Bytes(s.Free.Bytes), "pieces", p.say.Plural(s.Free.Count, "hold.one", "hold.many"),
		"largest", units.Bytes(s.Free.Largest), "beside", units.Bytes(s.Free.Pieces))
	p.whole(s)
	p.sites(s.Sites)
	p.groups("snap.bycategory", s.Categories, p.say.Category)
	p.groups("snap.bymodule", s.Modules, p.module)
	p.pools(s.Pools)
	p.survivors("hold.oldest", s.Oldest)
	p.survivors("hold.largest", s.Largest)
	p.growth(s)
}

// whole is what holds for the whole trace.
func (p *printer) whole(s residence.Summary) {
	if s.Events > 0 {
		p.fact("hold.peak", "hold.most", "allocated", units.Bytes(s.PeakAllocated), "entry", count(s.PeakEvent), "reserved", units.Bytes(s.PeakReserved))
	}
	if s.Before.Count > 0 && s.Events > 0 {
		p.fact("hold.before", "hold.inuse", "size", units.Bytes(s.Before.Bytes), "blocks", p.blocks(s.Before.Count))
	}
	if o := s.OutOfMemory; o != nil {
		p.fact("hold.oom", "hold.failed", "size", units.Bytes(int64(o.Size)), "free", units.Bytes(int64(o.Addr)))
	}
	if s.Teardown >= 0 && s.Moment.Event > s.Teardown {
		p.fact("hold.ended", "hold.letgo", "entry", count(s.Teardown))
	}
}

func (p *printer) moment(s residence.Summary) string {
	switch {
	case s.Events == 0:
		return p.say.Say("hold.only")
	case s.Moment.Event == s.Events:
		return p.say.Say("hold.end", "entries", p.say.Plural(s.Events, "hold.entry", "hold.entries"))
	}
	return p.say.Say("snap.at", "entry", count(s.Moment.Event), "entries", count(s.Events))
}

// head begins a table, and says whether there is one.
func (p *printer) head(title phrase.Key, n int) bool {
	if n > 0 {
		p.line("\n  %s", p.say.Say(title))
	}
	return n > 0
}

func (p *printer) rest(n int) {
	if n > p.rows {
		p.line("    %s", p.say.Say("hold.more", "count", count(n-p.rows)))
	}
}

func (p *printer) sites(rows []residence.Row) {
	if !p.head("hold.byline", len(rows)) {
		return
	}
	for _, r := range rows[:min(len(rows), p.rows)] {
		p.line("    %9s %7s  %s  %s", units.Bytes(r.Bytes), "× "+count(r.Count), p.site(r.Site), p.say.Category(string(r.Category)))
		for _, c := range r.Callers[:min(len(r.Callers), 3)] {
			p.line("    %9s %7s    %s", units.Bytes(c.Bytes), "× "+count(c.Count), p.say.Say("hold.from", "site", p.site(c.Site)))
		}
	}
	p.rest(len(rows))
}

func (p *printer) module(name string) string {
	if name == "" {
		return p.say.Say("snap.nomodule")
	}
	return plain.Text(name)
}

func (p *printer) groups(title phrase.Key, groups []residence.Group, name func(string) string) {
	if !p.head(title, len(groups)) {
		return
	}
	for _, g := range groups[:min(len(groups), p.rows)] {
		p.line("    %9s %7s  %s", units.Bytes(g.Bytes), "× "+count(g.Count), name(g.Name))
	}
	p.rest(len(groups))
}

func (p *printer) pools(uses []residence.PoolUse) {
	if !p.head("hold.pools", len(uses)) {
		return
	}
	for _, u := range uses[:min(len(uses), p.rows)] {
		lane := p.say.Say("hold.lane", "pool", fmt.Sprintf("(%d, %d)", u.Pool[0], u.Pool[1]), "stream", fmt.Sprint(u.Stream))
		p.line("    %s", p.say.Say("hold.pool", "reserved", fmt.Sprintf("%9s", units.Bytes(u.Reserved)), "used", units.Bytes(u.Bytes), "lane", lane))
	}
	p.rest(len(uses))
}

func (p *printer) survivors(title phrase.Key, list []residence.Survivor) {
	if !p.head(title, len(list)) {
		return
	}
	few := min(len(list), max(p.rows/2, 1))
	for _, s := range list[:few] {
		born := p.say.Say("hold.older")
		if s.Born >= 0 {
			born = p.say.Say("snap.entry", "entry", count(s.Born))
		}
		p.line("    %9s  %s  %s", units.Bytes(int64(s.Size)), p.say.Say("hold.born", "entry", fmt.Sprintf("%-18s", born)), p.site(s.Site))
	}
}

func (p *printer) growth(s residence.Summary) {
	if s.Events == 0 {
		return
	}
	if len(s.Steps.Ends) == 0 {
		p.line("\n  %s", p.say.Say("snap.nosteps"))
		return
	}
	p.line("\n  %s", p.say.Say("hold.growth", "steps", p.steps(len(s.Steps.Ends)), "by", plain.Text(p.say.Words(s.Steps.By))))
	if len(s.Growth) == 0 {
		p.line("    %s", p.say.Say("hold.nogrowth"))
	}
	for _, g := range s.Growth[:min(len(s.Growth), p.rows)] {
		how := p.say.Say("snap.rose", "rises", count(g.Rises), "steps", p.steps(g.Steps), "falls", count(g.Falls))
		p.line("    %9s %16s  %s  %s", units.SignedBytes(g.Bytes), p.say.Say("text.step", "size", units.SignedBytes(g.PerStep)), p.site(g.Site), how)
	}
	p.rest(len(s.Growth))
	if len(s.Growth) > 0 {
		p.line("    %s", p.say.Say("snap.noproof"))
	}
}

// site names a place, without the folder that all have in common.
func (p *printer) site(s residence.Site) string {
	if !s.Known() {
		return p.say.Say("snap.noframes")
	}
	name := plain.Text(fmt.Sprintf("%s:%d %s", strings.TrimPrefix(s.File, p.base), s.Line, s.Function))
	if s.Backward {
		return p.say.Say("snap.backward", "site", name)
	}
	return name
}

// common returns the folder that all files lie in, with the separator.
func common[T any](list []T, file func(T) string) string {
	base, begun := "", false
	for _, x := range list {
		f := file(x)
		if f == "" {
			continue
		}
		dir := path.Dir(f) + "/"
		if !begun {
			base, begun = dir, true
		}
		for !strings.HasPrefix(dir, base) {
			base = base[:strings.LastIndex(strings.TrimSuffix(base, "/"), "/")+1]
		}
	}
	return base
}

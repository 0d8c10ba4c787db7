package holdings

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/units"
)

// Options say how a text looks.
type Options struct {
	// Rows is how many lines each table has at most.
	Rows int
}

type printer struct {
	Options
	out  strings.Builder
	base string // the folder that the sites shown have in common
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(&p.out, format+"\n", args...) }

// WriteText writes summaries for people.
func WriteText(w io.Writer, summaries []residence.Summary, notes []string, o Options) error {
	p := &printer{Options: o}
	for i, s := range summaries {
		if i > 0 {
			p.line("")
		}
		p.base = common(s.Sites, func(r residence.Row) string { return r.File })
		p.device(s)
	}
	for _, n := range notes {
		p.line("\nNote: %s", plain.Text(n))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

func (p *printer) device(s residence.Summary) {
	p.line("cuda:%d  %s", s.Index, moment(s))
	blocks := 0
	for _, r := range s.Sites {
		blocks += r.Count
	}
	p.line("  allocated  %s in %s, asked for %s", units.Bytes(s.Allocated), units.Plural(blocks, "block"), units.Bytes(s.Requested))
	if s.Active > s.Allocated {
		p.line("  active     %s: what is freed and still used by a stream counts", units.Bytes(s.Active))
	}
	p.line("  reserved   %s", units.Bytes(s.Reserved))
	p.line("  free       %s in %s, the largest %s; %s lies beside memory in use", units.Bytes(s.Free.Bytes),
		units.Plural(s.Free.Count, "piece"), units.Bytes(s.Free.Largest), units.Bytes(s.Free.Pieces))
	if s.Events > 0 {
		p.line("  peak       %s allocated, at entry %s; %s reserved", units.Bytes(s.PeakAllocated), units.Count(int64(s.PeakEvent)), units.Bytes(s.PeakReserved))
	}
	if s.Before.Count > 0 && s.Events > 0 {
		p.line("  before     %s in %s were in use when the trace began", units.Bytes(s.Before.Bytes), units.Plural(s.Before.Count, "block"))
	}
	if o := s.OutOfMemory; o != nil {
		p.line("  OOM        a request of %s failed with %s free on the device", units.Bytes(int64(o.Size)), units.Bytes(int64(o.Addr)))
	}
	if s.Teardown >= 0 && s.Moment.Event > s.Teardown {
		p.line("  ended      behind entry %s the program only let go: --at last shows what it held until then", units.Count(int64(s.Teardown)))
	}
	p.sites(s.Sites)
	p.groups("By category", s.Categories)
	p.groups("By module", s.Modules)
	p.pools(s.Pools)
	p.survivors("Oldest", s.Oldest)
	p.survivors("Largest", s.Largest)
	p.growth(s)
}

func moment(s residence.Summary) string {
	switch {
	case s.Events == 0:
		return "as it was when the snapshot was made; there is no trace"
	case s.Moment.Event == s.Events:
		return fmt.Sprintf("at the end of the trace, %s entries", units.Count(int64(s.Events)))
	}
	return fmt.Sprintf("in front of entry %s of %s", units.Count(int64(s.Moment.Event)), units.Count(int64(s.Events)))
}

// head begins a table, and says whether there is one.
func (p *printer) head(title string, n int) bool {
	if n > 0 {
		p.line("\n  %s", title)
	}
	return n > 0
}

func (p *printer) rest(n int) {
	if n > p.Rows {
		p.line("    … %s more", units.Count(int64(n-p.Rows)))
	}
}

func (p *printer) sites(rows []residence.Row) {
	if !p.head("Live memory by line", len(rows)) {
		return
	}
	for _, r := range rows[:min(len(rows), p.Rows)] {
		p.line("    %9s %7s  %s  %s", units.Bytes(r.Bytes), "× "+units.Count(int64(r.Count)), p.site(r.Site), r.Category)
		for _, c := range r.Callers[:min(len(r.Callers), 3)] {
			p.line("    %9s %7s    from %s", units.Bytes(c.Bytes), "× "+units.Count(int64(c.Count)), p.site(c.Site))
		}
	}
	p.rest(len(rows))
}

func (p *printer) groups(title string, groups []residence.Group) {
	if !p.head(title, len(groups)) {
		return
	}
	for _, g := range groups[:min(len(groups), p.Rows)] {
		name := plain.Text(g.Name)
		if name == "" {
			name = "(in no module's forward)"
		}
		p.line("    %9s %7s  %s", units.Bytes(g.Bytes), "× "+units.Count(int64(g.Count)), name)
	}
	p.rest(len(groups))
}

func (p *printer) pools(uses []residence.PoolUse) {
	if !p.head("Private pools and streams", len(uses)) {
		return
	}
	for _, u := range uses[:min(len(uses), p.Rows)] {
		p.line("    %9s reserved, %s in use  pool (%d, %d), stream %d", units.Bytes(u.Reserved), units.Bytes(u.Bytes), u.Pool[0], u.Pool[1], u.Stream)
	}
	p.rest(len(uses))
}

func (p *printer) survivors(title string, list []residence.Survivor) {
	if !p.head(title, len(list)) {
		return
	}
	few := min(len(list), max(p.Rows/2, 1))
	for _, s := range list[:few] {
		born := "before the trace"
		if s.Born >= 0 {
			born = "entry " + units.Count(int64(s.Born))
		}
		p.line("    %9s  born %-18s  %s", units.Bytes(int64(s.Size)), born, p.site(s.Site))
	}
}

func (p *printer) growth(s residence.Summary) {
	if s.Events == 0 {
		return
	}
	if len(s.Steps.Ends) == 0 {
		p.line("\n  No steps can be seen in the trace, so nothing is said of growth.")
		return
	}
	p.line("\n  Growth over %s, told by %s", units.Plural(len(s.Steps.Ends), "step"), plain.Text(s.Steps.By))
	if len(s.Growth) == 0 {
		p.line("    no line holds more at the end of the steps than after the first ones")
	}
	for _, g := range s.Growth[:min(len(s.Growth), p.Rows)] {
		how := fmt.Sprintf("rose in %d of %s, fell in %d", g.Rises, units.Plural(g.Steps, "step"), g.Falls)
		p.line("    %9s %16s  %s  %s", units.SignedBytes(g.Bytes), units.Rate(g.PerStep), p.site(g.Site), how)
	}
	p.rest(len(s.Growth))
	if len(s.Growth) > 0 {
		p.line("    Whether that is a leak a trace cannot say: `torchleak run` watches who holds it.")
	}
}

// site names a place, without the folder that all have in common.
func (p *printer) site(s residence.Site) string {
	if !s.Known() {
		return "(no Python frames)"
	}
	name := fmt.Sprintf("%s:%d %s", strings.TrimPrefix(s.File, p.base), s.Line, s.Function)
	if s.Backward {
		name += " (in its backward)"
	}
	return plain.Text(name)
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

package snapshotpage

import (
	"html/template"
	"path/filepath"

	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/units"
)

// contents is what the template shows: texts only, ready to be read.
type contents struct {
	Lang, File, Version string
	Policy              string
	Style               template.CSS
	Script, Data        template.JS

	Devices []device
	Notes   []string
}

type device struct {
	Name, Headline string
	Facts          []fact
	Traced         bool
	Moments        []moment
	Growth         []growthRow
	GrowthNote     string
}

// fact is a named figure.
type fact struct{ Name, Value, Detail string }

type moment struct {
	Name, Entry string
	Facts       []fact
	Sites       []siteRow
	More        string // how many sites are not listed
	Groups      []groups
}

type siteRow struct {
	Bytes, Count, Site, Category string
	Callers                      []string
}

// groups is one way to sum memory up.
type groups struct {
	Title string
	Rows  []groupRow
}

type groupRow struct {
	Name, Value string
	Share       float64 // of the largest, in per cent
}

type growthRow struct{ Bytes, PerStep, Site, How string }

const (
	maxRows    = 50
	maxGroups  = 12
	maxCallers = 3
)

// view makes the contents in one language.
type view struct{ names }

func newContents(s Snapshot, say *phrase.Catalogue) *contents {
	v := view{newNames(s, say)}
	c := &contents{Lang: say.Lang, File: plain.Text(filepath.Base(s.File)), Version: plain.Text(s.Version)}
	for i := range s.Devices {
		c.Devices = append(c.Devices, v.device(&s.Devices[i]))
	}
	for _, note := range s.Notes {
		c.Notes = append(c.Notes, plain.Text(say.Text(note)))
	}
	return c
}

func (v view) device(p *residence.Picture) device {
	s := p.Moments[p.Asked].Summary
	d := device{Name: "cuda:" + units.Count(int64(s.Index)), Traced: s.Events > 0, Facts: v.course(s)}
	d.Headline = v.say.Say("snap.state", "allocated", units.Bytes(s.Allocated), "reserved", units.Bytes(s.Reserved))
	if d.Traced {
		d.Headline = v.say.Say("snap.headline", "allocated", units.Bytes(s.PeakAllocated), "reserved", units.Bytes(s.PeakReserved))
		d.Growth, d.GrowthNote = v.growth(s)
	}
	for _, state := range p.Moments {
		d.Moments = append(d.Moments, v.at(state.Summary))
	}
	return d
}

// course is what is known of the whole trace.
func (v view) course(s residence.Summary) (facts []fact) {
	if s.Events == 0 {
		return nil
	}
	entry := func(n int) string { return v.say.Say("snap.entry", "entry", units.Count(int64(n))) }
	facts = append(facts,
		fact{v.say.Say("snap.peakallocated"), units.Bytes(s.PeakAllocated), entry(s.PeakEvent)},
		fact{v.say.Say("snap.peakreserved"), units.Bytes(s.PeakReserved), ""},
		fact{v.say.Say("snap.entries"), units.Count(int64(s.Events)), ""})
	if n := len(s.Steps.Ends); n > 0 {
		facts = append(facts, fact{v.say.Say("page.steps"), units.Count(int64(n)), v.say.Say("snap.toldby", "by", plain.Text(v.say.Words(s.Steps.By)))})
	}
	if s.Before.Count > 0 {
		facts = append(facts, fact{v.say.Say("snap.before"), units.Bytes(s.Before.Bytes), v.blocks(s.Before.Count)})
	}
	if o := s.OutOfMemory; o != nil {
		facts = append(facts, fact{v.say.Say("snap.oom"), units.Bytes(int64(o.Size)), v.say.Say("snap.oomfree", "size", units.Bytes(int64(o.Addr)))})
	}
	return facts
}

func (v view) blocks(n int) string { return v.say.Plural(n, "snap.block", "snap.blocks") }

func (v view) at(s residence.Summary) moment {
	m := moment{Name: v.moment(s), Facts: []fact{
		{v.say.Say("snap.allocated"), units.Bytes(s.Allocated), v.blocks(s.Count)},
		{v.say.Say("snap.requested"), units.Bytes(s.Requested), ""},
		{v.say.Say("snap.reserved"), units.Bytes(s.Reserved), ""},
		{v.say.Say("snap.free"), units.Bytes(s.Free.Bytes), v.say.Say("snap.largest", "size", units.Bytes(s.Free.Largest))},
	}}
	if s.Moment.Event < s.Events {
		m.Entry = v.say.Say("snap.at", "entry", units.Count(int64(s.Moment.Event)), "entries", units.Count(int64(s.Events)))
	}
	if s.Active > s.Allocated {
		m.Facts = append(m.Facts, fact{v.say.Say("snap.pending"), units.Bytes(s.Active - s.Allocated), ""})
	}
	for _, r := range s.Sites[:min(len(s.Sites), maxRows)] {
		m.Sites = append(m.Sites, v.row(r))
	}
	if more := len(s.Sites) - maxRows; more > 0 {
		m.More = v.say.Say("snap.more", "count", units.Count(int64(more)))
	}
	m.Groups = v.groups(s)
	return m
}

func (v view) row(r residence.Row) siteRow {
	row := siteRow{Bytes: units.Bytes(r.Bytes), Count: units.Count(int64(r.Count)), Site: v.site(r.Site), Category: v.say.Category(string(r.Category))}
	for _, c := range r.Callers[:min(len(r.Callers), maxCallers)] {
		row.Callers = append(row.Callers, v.site(c.Site)+"  "+units.Bytes(c.Bytes))
	}
	return row
}

func (v view) groups(s residence.Summary) (all []groups) {
	add := func(title phrase.Key, list []residence.Group, name func(residence.Group) string) {
		g := groups{Title: v.say.Say(title)}
		for _, x := range list[:min(len(list), maxGroups)] {
			g.Rows = append(g.Rows, groupRow{name(x), units.Bytes(x.Bytes), 100 * float64(x.Bytes) / float64(max(list[0].Bytes, 1))})
		}
		if len(list) > 0 {
			all = append(all, g)
		}
	}
	add("snap.bycategory", s.Categories, func(g residence.Group) string { return v.say.Category(g.Name) })
	add("snap.bymodule", s.Modules, func(g residence.Group) string {
		if g.Name == "" {
			return v.say.Say("snap.nomodule")
		}
		return plain.Text(g.Name)
	})
	var lanes []residence.Group
	for _, p := range s.Pools {
		lanes = append(lanes, residence.Group{Name: v.lane(p.Lane), Tally: residence.Tally{Bytes: p.Reserved, Count: p.Count}})
	}
	add("snap.bypool", lanes, func(g residence.Group) string { return g.Name })
	return all
}

// growth lists what grew from step to step, and what is to be said of it.
func (v view) growth(s residence.Summary) (rows []growthRow, note string) {
	switch {
	case len(s.Steps.Ends) == 0:
		return nil, v.say.Say("snap.nosteps")
	case len(s.Growth) == 0:
		return nil, v.say.Say("snap.nogrowth")
	}
	for _, g := range s.Growth[:min(len(s.Growth), maxRows)] {
		rows = append(rows, growthRow{units.SignedBytes(g.Bytes), v.say.Say("text.step", "size", units.SignedBytes(g.PerStep)), v.site(g.Site),
			v.say.Say("snap.rose", "rises", units.Count(int64(g.Rises)), "steps", v.say.Plural(g.Steps, "hold.step", "hold.steps"), "falls", units.Count(int64(g.Falls)))})
	}
	return rows, v.say.Say("snap.noproof")
}

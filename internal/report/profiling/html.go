package profiling

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"

	"github.com/torchleak/torchleak/internal/profile"
	"github.com/torchleak/torchleak/internal/report/page"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

//go:embed page.html *.js
var files embed.FS

var (
	style  = page.Style(page.CourseStyle + "th .through { font-weight: 400; }\n")
	script = page.Script(files, append(slices.Clone(page.Course), "timeline.js", "main.js")...)
	pages  = page.Templates(files)
)

// contents is what the template shows: texts only, ready to be read.
type contents struct {
	Lang, Version, Target, Steps string
	Policy                       string
	Style                        template.CSS
	Script, Data                 template.JS

	Memories []memoryView
	Others   []string // the peaks of other processes
	Notes    []string
}

type memoryView struct {
	Name, Headline, At, Told string
	Facts                    []fact
	Tables                   []table
	Removable                []removableView
	More                     string // how many are not listed
}

// fact is a named figure.
type fact struct{ Name, Value, Detail string }

// table is one way to sum the peak up.
type table struct {
	Title string
	Rows  []row
	More  string
}

type row struct {
	Name, Code, Value string
	Share             float64 // of the peak, in per cent
}

type removableView struct{ Saves, Share, Operator, Place, Code, Why string }

// WriteHTML writes one page for a browser that needs no network: the process with the highest peak in full, of the others
// their peaks. Target is the command that ran, version torchleak's.
func WriteHTML(w io.Writer, all []profile.Process, target, version string, o Options) error {
	n, main := newNames(o), highest(all)
	of := &all[main]
	d, err := n.data(of)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	block, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	c := contents{Lang: n.say.Lang, Version: plain.Text(version), Target: plain.Text(target), Steps: n.steps(of), Policy: page.Policy(style, script),
		Style: template.CSS(style), Script: template.JS(script), Data: template.JS(block)}
	v := view{n, o.Rows}
	for i := range of.Memories {
		c.Memories = append(c.Memories, v.memory(of, &of.Memories[i]))
	}
	for i := range all {
		if i != main {
			c.Others = append(c.Others, n.peaks(&all[i])...)
		}
	}
	for _, note := range of.Notes {
		c.Notes = append(c.Notes, plain.Text(n.say.Text(note)))
	}
	var out bytes.Buffer
	if err := pages(n.say.Lang).ExecuteTemplate(&out, "page.html", c); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	_, err = w.Write(out.Bytes())
	return err
}

// view makes the contents, each table with at most so many rows.
type view struct {
	names
	rows int
}

func (v view) memory(of *profile.Process, m *profile.Memory) memoryView {
	one := memoryView{Name: plain.Text(m.Name), Told: v.told(m), Headline: v.say.Say("profile.peakbefore", "size", units.Bytes(m.Peak))}
	if m.PeakOp >= 0 {
		at := of.Calls[m.PeakOp].Origin()
		one.Headline = v.say.Say("profile.peakin", "size", units.Bytes(m.Peak), "step", v.step(of, m.PeakOp))
		one.At = v.say.List(v.operator(at), v.place(at.Site, at.Inside))
	}
	for i, peak := range m.Steps {
		one.Facts = append(one.Facts, fact{v.say.Say("snap.step", "step", units.Count(of.FirstStep+int64(i))), units.Bytes(peak), v.say.Say("profile.peakword")})
	}
	shares := profile.SharesOf(of.Rows(m))
	one.Tables = []table{
		v.table("profile.bycategory", m, shares.Categories, v.category),
		v.table("profile.byoperator", m, shares.Operators, func(s profile.Share) string { return v.operator(s.Origin) }),
		v.table("profile.byline", m, shares.Lines, func(s profile.Share) string { return v.say.List(v.lineOf(s), v.category(s)) }),
		v.table("profile.bymodule", m, shares.Modules, v.module),
	}
	found := of.Removables(m)
	for _, r := range found[:min(len(found), v.rows)] {
		one.Removable = append(one.Removable, removableView{units.Bytes(r.Saves), percent(r.Saves, m), v.operator(r.Origin), v.place(r.Site, r.Inside), v.code(r.Site), v.why(r)})
	}
	one.More = v.more(len(found))
	return one
}

func (v view) table(title phrase.Key, m *profile.Memory, shares []profile.Share, name func(profile.Share) string) table {
	t := table{Title: v.say.Say(title)}
	there := atPeak(shares)
	for _, s := range there[:min(len(there), v.rows)] {
		t.Rows = append(t.Rows, row{name(s), v.code(s.Site), units.Bytes(s.Bytes), 100 * float64(s.Bytes) / float64(m.Peak)})
	}
	t.More = v.more(len(there))
	return t
}

// more says how many rows of so many are not listed.
func (v view) more(n int) string {
	if n <= v.rows {
		return ""
	}
	return v.say.Say("hold.more", "count", units.Count(int64(n-v.rows)))
}

func percent(bytes int64, m *profile.Memory) string {
	return strconv.FormatFloat(100*float64(bytes)/float64(m.Peak), 'f', 1, 64)
}

package html

import (
	"cmp"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/curve"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// maxPoints bounds the points of a curve: more than a screen has columns for.
const maxPoints = 2000

// data is what the script draws. No list in it is ever null, so the script need not ask.
type data struct {
	Curves []curveData       `json:"curves"`
	Warmup int64             `json:"warmup"`
	Marks  []finding.Mark    `json:"marks"`
	Sites  []siteData        `json:"sites"`
	Words  map[string]string `json:"words"`
}

// curveData is one memory to draw; absent steps and figures are -1.
type curveData struct {
	Name       string       `json:"name"`
	Group      string       `json:"group"` // the rank it belongs to; empty for the report's own
	Verdict    string       `json:"verdict"`
	Grows      bool         `json:"grows"` // the scale may leave out zero, so that the growth shows
	Rate       int64        `json:"rate"`
	Since      int64        `json:"since"`
	Until      int64        `json:"until"`
	Detected   int64        `json:"detected"`
	Limit      int64        `json:"limit"`
	Series     []seriesData `json:"series"`
	Comparison bool         `json:"comparison"` // one series a rank, all of equal weight
}

type seriesData struct {
	Name   string  `json:"name"`
	Steps  []int64 `json:"steps"`
	Values []int64 `json:"values"`
}

type siteData struct {
	Memory string      `json:"memory"`
	Bytes  int64       `json:"bytes"`
	Stack  []frameLine `json:"stack"` // outermost first
}

// words are the sentences the script says itself.
var words = []phrase.Key{"page.warmup", "page.onset", "page.detected", "page.until", "page.limit",
	"page.choose", "page.nocurve", "page.copied", "page.copyfailed", "page.all", "page.keys", "page.share", "page.zero",
	"mark.evaluation", "mark.epoch", "mark.evidence", "live.step"}

// liveWords are those that only a live page says.
var liveWords = []phrase.Key{"page.live", "page.liveended", "page.livegone", "page.livelost"}

func newData(r finding.Report, say *phrase.Catalogue) data {
	d := data{Curves: []curveData{}, Warmup: r.Steps.Warmup, Marks: []finding.Mark{}, Sites: []siteData{}, Words: map[string]string{}}
	for _, m := range ordered(r.Memories) {
		d.Curves = append(d.Curves, newCurve(m, ""))
	}
	drawn := telling(r, maxCurves)
	if len(drawn) > 1 {
		d.Curves = append(d.Curves, compare(drawn, say)...)
	}
	for _, rank := range drawn {
		for _, m := range rank.Memories {
			d.Curves = append(d.Curves, newCurve(m, say.Rank(rank)))
		}
	}
	d.Marks = append(d.Marks, r.Steps.Marks...)
	for _, s := range sites(r) {
		stack := frames(s.Frames)
		slices.Reverse(stack)
		d.Sites = append(d.Sites, siteData{plain.Text(s.Memory), s.BytesPerStep, stack})
	}
	for _, key := range words {
		d.Words[string(key)] = say.Say(key)
	}
	return d
}

// ordered returns the memories, the one the headline speaks of first.
func ordered(memories []finding.Memory) []finding.Memory {
	out := slices.Clone(memories)
	if worst := phrase.Worst(out); worst != nil {
		first := *worst
		out = slices.DeleteFunc(out, func(m finding.Memory) bool { return m.Name == first.Name && m.Kind == first.Kind })
		out = slices.Insert(out, 0, first)
	}
	return out
}

func newCurve(m finding.Memory, group string) curveData {
	c := curveData{Name: plain.Text(m.Name), Group: group, Verdict: string(m.Verdict), Grows: phrase.Grows(m.Verdict) || m.Verdict == finding.Bounded,
		Rate: or(m.BytesPerStep, 0), Since: or(m.SinceStep, -1), Until: or(m.UntilStep, -1), Detected: or(m.DetectedAtStep, -1),
		Limit: or(m.LimitBytes, -1), Series: []seriesData{}}
	for _, name := range curve.Names(m) {
		c.Series = append(c.Series, thinned(name, m.Steps, m.Series[name]))
	}
	return c
}

// compare draws the worst memory of every rank in one picture.
func compare(ranks []finding.Report, say *phrase.Catalogue) []curveData {
	c := curveData{Name: say.Say("page.allranks"), Since: -1, Until: -1, Detected: -1, Limit: -1, Series: []seriesData{}, Comparison: true}
	for _, r := range ranks {
		m := phrase.Worst(r.Memories)
		if m == nil || len(curve.Names(*m)) == 0 {
			continue
		}
		name := say.Rank(r) + " " + m.Name
		c.Series = append(c.Series, thinned(name, m.Steps, curve.Judged(*m)))
		c.Grows = c.Grows || phrase.Grows(m.Verdict)
	}
	if len(c.Series) < 2 {
		return nil
	}
	return []curveData{c}
}

// thinned pairs steps and values, as many as a screen can show; what has no partner is left out.
func thinned(name string, steps, values []int64) seriesData {
	n := min(len(steps), len(values))
	s := seriesData{Name: plain.Text(name), Steps: []int64{}, Values: []int64{}}
	for _, i := range curve.Thin(values[:n], maxPoints) {
		s.Steps = append(s.Steps, steps[i])
		s.Values = append(s.Values, values[i])
	}
	return s
}

// sites is the growth by site: as it was measured, else as far as the findings tell it.
func sites(r finding.Report) []finding.Site {
	out := slices.Clone(r.Sites)
	if len(out) == 0 {
		for _, f := range r.Findings {
			if f.BytesPerStep != nil && len(f.AllocatedAt) > 0 {
				out = append(out, finding.Site{Memory: f.Memory, Frames: f.AllocatedAt, BytesPerStep: *f.BytesPerStep})
			}
		}
	}
	out = slices.DeleteFunc(out, func(s finding.Site) bool { return s.BytesPerStep <= 0 || len(s.Frames) == 0 })
	slices.SortStableFunc(out, func(a, b finding.Site) int { return cmp.Compare(b.BytesPerStep, a.BytesPerStep) })
	return out[:min(len(out), maxSites)]
}

// maxSites bounds the flame view; smaller growth would be too thin to see.
const maxSites = 200

func or(x *int64, otherwise int64) int64 {
	if x == nil {
		return otherwise
	}
	return *x
}

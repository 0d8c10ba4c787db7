package html

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/units"
)

// contents is what the template shows: texts only, ready to be read.
type contents struct {
	Lang, Title, Command string
	Policy               string
	Live                 bool // it is renewed while it is open
	Style                template.CSS
	Script, Data         template.JS

	Report   finding.Report
	Tone     string // how alarming: bad, warn, good, info
	Label    string
	State    string // the last word, or how far it has come
	RankNote string
	Headline string
	Sub      string
	Facts    []fact

	Culprit, CulpritCode string // the statement to change first

	Memories   []memoryRow
	Findings   []findingCard
	NoFindings string
	PostMortem *postMortem
	Host       hostView
	HasSites   bool
	Phases     []phaseRow
	Job        jobView
	Ranks      []rankRow
	Measured   []fact
	Notes      []prose
}

// fact is a named figure.
type fact struct{ Name, Value, Detail string }

type memoryRow struct{ Name, Tone, Label, Spark, Says, Last, Limit string }

type phaseRow struct {
	Name, Value string
	Share       float64 // of the largest, in per cent
}

// view makes a page of a report in one language.
type view struct{ say *phrase.Catalogue }

func newContents(r finding.Report, say *phrase.Catalogue) *contents {
	v := view{say}
	worst := phrase.Worst(r.Memories)
	p := &contents{
		Lang: say.Lang, Command: plain.Text(strings.Join(r.Target.Argv, " ")), Report: r,
		Tone: tone(r.Verdict), Label: plain.Text(say.Label(r.Verdict)), State: plain.Text(say.State(r)), RankNote: plain.Text(rankNote(r, say)),
		Headline: plain.Text(say.Sentences(say.Headline(r))), Sub: plain.Text(v.sub(r, worst)),
		HasSites: len(sites(r)) > 0, Measured: v.measured(r),
	}
	p.Title = plain.Text(cmp.Or(say.Label(r.Verdict), "torchleak")) + " · " + cmp.Or(p.Command, "torchleak")
	switch {
	case speaksOfAll(r):
		p.Facts = v.levels(r.Memories)
	case worst != nil:
		p.Facts = v.facts(*worst)
	}
	if worst != nil {
		p.Phases = v.phases(*worst)
	}
	for _, m := range r.Memories {
		p.Memories = append(p.Memories, v.memory(m, r.Steps.Warmup))
	}
	for _, f := range r.Findings {
		p.Findings = append(p.Findings, v.finding(f, r.Findings))
	}
	p.Job = v.job(r)
	for _, rank := range telling(r, maxRows) {
		p.Ranks = append(p.Ranks, v.rank(rank))
	}
	for _, note := range r.Notes {
		p.Notes = append(p.Notes, newProse(say.Sentences(plain.Upper(say.Text(note)))))
	}
	if len(p.Findings) > 0 {
		p.Culprit, p.CulpritCode = p.Findings[0].Place, p.Findings[0].Code
	}
	p.NoFindings = v.noFindings(r.Verdict)
	p.PostMortem = v.postMortem(r.OOM)
	p.Host = v.host(r.Host)
	return p
}

// tone is how alarming a verdict is; the style sheet gives it a colour.
func tone(verdict finding.Verdict) string {
	switch verdict {
	case finding.Leak, finding.Outside:
		return "bad"
	case finding.Cycle, finding.Fragmentation, finding.Cache, finding.Capacity:
		return "warn"
	case finding.Bounded, finding.Healthy:
		return "good"
	}
	return "info"
}

// sub is the sentence under the headline: how long it lasts, what the verdict rests on, what to do.
func (v view) sub(r finding.Report, worst *finding.Memory) string {
	if r.Steps.Seen == 0 {
		return v.say.Sentences(v.say.NoSteps(r))
	}
	if worst == nil || speaksOfAll(r) {
		return ""
	}
	return v.say.Sentences(plain.Upper(v.say.Reason(*worst)))
}

// speaksOfAll says whether the headline is about all memories, not about one.
func speaksOfAll(r finding.Report) bool { return r.Verdict == finding.Healthy && len(r.Memories) > 1 }

func (v view) noFindings(verdict finding.Verdict) string {
	switch {
	case phrase.Grows(verdict):
		return v.say.Sentences(v.say.Say("text.none"))
	case verdict == finding.Undecided:
		return v.say.Sentences(v.say.Say("page.tooearly"))
	}
	return v.say.Sentences(v.say.Say("page.nofindings"))
}

// maxLevels bounds the levels shown beside a headline about all memories.
const maxLevels = 4

// levels are what the memories hold now.
func (v view) levels(memories []finding.Memory) []fact {
	var facts []fact
	for _, m := range memories {
		if m.LastBytes == nil || len(facts) == maxLevels {
			continue
		}
		f := fact{Name: plain.Text(m.Name), Value: units.Bytes(*m.LastBytes)}
		if m.LimitBytes != nil {
			f.Detail = v.say.Say("page.of", "limit", units.Bytes(*m.LimitBytes))
		}
		facts = append(facts, f)
	}
	return facts
}

// facts are the figures of the memory the headline speaks of.
func (v view) facts(m finding.Memory) []fact {
	var facts []fact
	add := func(key phrase.Key, value, detail string) {
		facts = append(facts, fact{v.say.Say(key), value, detail})
	}
	if m.BytesPerStep != nil {
		add("page.growth", units.SignedBytes(*m.BytesPerStep)+v.say.Say("live.per_step"), v.interval(m.Interval))
	}
	if m.SinceStep != nil && phrase.Grows(m.Verdict) {
		detail := ""
		if m.DetectedAtStep != nil {
			detail = v.say.Say("page.found", "step", units.Count(*m.DetectedAtStep))
		}
		add("page.since", v.say.Say("live.step", "step", units.Count(*m.SinceStep)), detail)
	}
	if m.LastBytes != nil {
		detail := ""
		if m.LimitBytes != nil {
			detail = v.say.Say("page.of", "limit", units.Bytes(*m.LimitBytes))
		}
		add("page.last", units.Bytes(*m.LastBytes), detail)
	}
	if m.StepsToOOM != nil {
		var details []string
		if m.SecondsToOOM != nil {
			details = append(details, v.say.Say("page.about", "time", v.say.Time(*m.SecondsToOOM)))
		}
		if m.EndsBy != "" {
			details = append(details, v.say.Say("page.by", "limit", v.say.Bounding(m.EndsBy)))
		}
		add("page.oom", v.say.Say("when.steps", "steps", units.Count(*m.StepsToOOM)), v.say.List(details...))
	}
	return facts
}

// interval says how sure a rate is, by its bounds where they print differently.
func (v view) interval(bounds *[2]int64) string {
	if bounds == nil {
		return ""
	}
	low, high := units.SignedBytes(bounds[0]), units.SignedBytes(bounds[1])
	switch {
	case bounds[0] == bounds[1]:
		return v.say.Say("page.exact")
	case low == high:
		return v.say.Say("page.within", "size", units.Bytes((bounds[1]-bounds[0]+1)/2))
	}
	return v.say.Say("page.interval", "low", low, "high", high)
}

func (v view) memory(m finding.Memory, warmup int64) memoryRow {
	row := memoryRow{Name: plain.Text(m.Name), Tone: tone(m.Verdict), Label: plain.Text(v.say.Label(m.Verdict)), Spark: sparkPath(m, judged(m, warmup)),
		Says: plain.Text(plain.Upper(v.say.Sentences(v.say.Verdict(m), plain.Upper(v.say.Reason(m)))))}
	if m.LastBytes != nil {
		row.Last = units.Bytes(*m.LastBytes)
	}
	if m.LimitBytes != nil {
		row.Limit = units.Bytes(*m.LimitBytes)
	}
	return row
}

// phases are the parts of the step by their growth. What the watch did not lay at any part has a row of its own, so that
// the rows add up to the growth of the memory.
func (v view) phases(m finding.Memory) []phaseRow {
	if len(m.Phases) == 0 {
		return nil
	}
	phases, seen, largest := slices.Clone(m.Phases), int64(0), int64(1)
	for _, p := range phases {
		seen += p.BytesPerStep
	}
	if unseen := or(m.BytesPerStep, 0) - seen; m.BytesPerStep != nil && max(unseen, -unseen)*100 >= or(m.BytesPerStep, 0) {
		phases = append(phases, finding.PhaseGrowth{Phase: "unseen", BytesPerStep: unseen})
	}
	for _, p := range phases {
		largest = max(largest, p.BytesPerStep)
	}
	var rows []phaseRow
	for _, p := range phases {
		share := max(0, float64(p.BytesPerStep)/float64(largest)*100)
		rows = append(rows, phaseRow{plain.Text(v.say.Phase(p.Phase)), units.SignedBytes(p.BytesPerStep) + v.say.Say("live.per_step"), share})
	}
	return rows
}

// measured says what was watched, how, and what it cost.
func (v view) measured(r finding.Report) []fact {
	var facts []fact
	add := func(key phrase.Key, value string) {
		if value != "" {
			facts = append(facts, fact{Name: v.say.Say(key), Value: plain.Text(value)})
		}
	}
	add("page.command", strings.Join(r.Target.Argv, " "))
	versions := []string{}
	if r.Target.Torch != "" {
		versions = append(versions, "PyTorch "+r.Target.Torch)
	}
	if r.Target.Python != "" {
		versions = append(versions, "Python "+r.Target.Python)
	}
	add("page.versions", v.say.List(versions...))
	if r.Target.WorldSize > 1 {
		add("page.process", fmt.Sprintf("rank %d / %d", r.Target.Rank, r.Target.WorldSize))
	}
	if r.Target.Exit != nil {
		status := units.Count(int64(*r.Target.Exit))
		if signal := *r.Target.Exit - 128; signal > 0 {
			status += " (" + v.say.Say("page.signal", "signal", units.Count(int64(signal))) + ")"
		}
		add("page.exit", status)
	}
	if r.Steps.Seen > 0 {
		add("page.steps", v.say.Steps(r.Steps))
	}
	add("page.cost", v.say.Sentences(plain.Upper(v.say.Cost(r.Cost)), plain.Upper(v.say.Attached(r.Target.Attached))))
	return facts
}

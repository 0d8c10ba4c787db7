package html

import (
	"fmt"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/diff"
	"github.com/torchleak/torchleak/internal/report/phrase"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// findingCard is one finding as the page shows it.
type findingCard struct {
	Rule, Name, Title, Tone, Label, Confidence, Memory string
	Costs                                              []string
	Place, Code                                        string
	Lines                                              []sourceLine
	Holder, Through                                    string
	Born, Calls                                        []frameLine
	Phase                                              string
	Why, Advice                                        prose
	Diff                                               []diffLine
	Patch                                              string // the diff as it is, to be copied
	Safe                                               bool
	Same                                               string // another finding's fix is enough
	Apply                                              string // the command that applies the patch
}

// sourceLine is one line of an excerpt; Mark is set on the statement to change.
type sourceLine struct {
	No   int
	Text string
	Mark bool
}

// diffLine is one line of a patch; Kind is one of package diff.
type diffLine struct{ Kind, Text string }

type frameLine struct {
	Place    string `json:"place"`
	Function string `json:"function"`
}

// maxFrames bounds the frames shown of a stack.
const maxFrames = 12

// maxLine bounds how much of a line of source is shown.
const maxLine = 400

func (v view) finding(f finding.Finding, all []finding.Finding) findingCard {
	card := findingCard{Rule: plain.Text(f.Rule), Name: plain.Text(f.Name), Tone: tone(f.Verdict), Label: plain.Text(v.say.Label(f.Verdict)),
		Confidence: plain.Text(v.confidence(f.Confidence)), Memory: plain.Text(f.Memory), Costs: v.say.Costs(f),
		Born: frames(f.AllocatedAt), Phase: plain.Text(v.say.Phase(f.Phase)), Why: newProse(v.say.Why(f)), Title: plain.Text(v.say.Title(f.Rule)),
		Same: plain.Text(v.say.Sentences(plain.Upper(v.say.Same(f, all))))}
	if len(f.Calls) > 1 { // the first frame is the statement shown above
		card.Calls = frames(f.Calls[1:])
	}
	if f.Location != nil {
		card.Place = place(f.Location.File, f.Location.Line)
		card.Code, card.Lines = code(f.Location.Code), excerpt(f)
	}
	if h := f.Holder; h != nil {
		card.Holder = plain.Text(v.say.Holder(*h))
		if h.Through != "" {
			card.Through = v.say.Say("text.through", "path", plain.Text(v.say.Words(h.Through)))
		}
	}
	if f.Fix != nil {
		card.Advice, card.Safe, card.Patch = newProse(v.say.Text(f.Fix.Summary)), f.Fix.Safe, f.Fix.Diff
		card.Diff, card.Apply = diffLines(f.Fix.Diff), plain.Text(f.Fix.Apply)
	}
	return card
}

func (v view) confidence(c finding.Confidence) string {
	switch c {
	case finding.Proven, finding.Likely, finding.Possible:
		return v.say.Say(phrase.Key("confidence." + string(c)))
	}
	return string(c)
}

func place(file string, line int) string { return plain.Text(fmt.Sprintf("%s:%d", file, line)) }

func frames(stack []finding.Frame) []frameLine {
	var out []frameLine
	for _, f := range stack[:min(len(stack), maxFrames)] {
		out = append(out, frameLine{Place: place(f.File, f.Line), Function: plain.Text(f.Function)})
	}
	return out
}

// excerpt is the source around the statement: as it was recorded, else what the patch shows of it,
// else the statement alone.
func excerpt(f finding.Finding) []sourceLine {
	at := *f.Location
	var lines []sourceLine
	add := func(no int, text string) {
		lines = append(lines, sourceLine{no, code(text), no >= at.Line && no <= max(at.Line, at.EndLine)})
	}
	if at.Excerpt != nil {
		for i, text := range at.Excerpt.Lines {
			add(at.Excerpt.Line+i, text)
		}
		return lines
	}
	if f.Fix != nil {
		for _, l := range diff.Lines(f.Fix.Diff) {
			if l.Path == at.File && l.Old > 0 {
				add(l.Old, l.Source())
			}
		}
		for _, l := range lines {
			if l.Mark {
				return lines
			}
		}
		lines = nil
	}
	if at.Code != "" {
		add(at.Line, at.Code)
	}
	return lines
}

// diffLines are the lines of a patch by what they do.
func diffLines(patch string) []diffLine {
	var out []diffLine
	for _, line := range diff.Lines(patch) {
		out = append(out, diffLine{string(line.Kind), code(line.Text)})
	}
	return out
}

// Package trials shows what several runs of one training came to: the statements without which its memory does not grow,
// or whether a change of its source ends the growth. Its words come in one language, made by whoever made the runs.
package trials

// Result is what there is to show, in words.
type Result struct {
	Lang       string // of the words: "en" or "zh"
	Version    string // of torchleak
	Name       string // what was done: "bisect"
	Argv       string // the training's command
	Outcome    Outcome
	Headline   string // the outcome in a sentence
	Statements []Statement
	Curves     []Curve // the first is the training as it is
	Facts      []Fact
	Runs       []Run
}

// Outcome is how good the news is.
type Outcome string

// Outcomes; they are classes of the page's style too.
const (
	Good Outcome = "good" // there is an answer, and it is the one hoped for
	Bad  Outcome = "bad"
	Open Outcome = "warn" // the runs did not tell
)

// Statement is a statement of the training.
type Statement struct{ Place, Code string }

// Curve is how much the memory has grown since the first step that counts, step by step.
type Curve struct {
	Name   string
	Values []int64
	Amount string // growth a step
	Bars   string // the same for a terminal, to one scale with the others
}

// Fact is a named figure.
type Fact struct{ Name, Value string }

// Run is one run: what ran otherwise than it is, and what came of it.
type Run struct{ What, Amount, Outcome string }

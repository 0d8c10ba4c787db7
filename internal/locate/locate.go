// Package locate goes from evidence to the statement of the user's source that has to change: the one that
// stores the reference, registers the hook, carries the state or runs the evaluation with gradients on.
// Statements seen in the watch come first; what was not seen is searched for in the parsed source.
package locate

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

// Locator finds statements. It parses each file once and is for one goroutine.
type Locator struct {
	open func(path string) ([]byte, error)
	cwd  string
}

// New returns a Locator that reads sources with open and shortens paths below cwd.
func New(open func(path string) ([]byte, error), cwd string) *Locator {
	return &Locator{open: open, cwd: cwd}
}

// Consider adds files to those searched for writes that were not seen. Files named by evidence given to
// Writes are considered anyway.
func (l *Locator) Consider(paths ...string) {}

// Writes returns the statements that put something into the holder, best first.
func (l *Locator) Writes(h evidence.Holder) []Place { return nil }

// At returns the statement of the innermost user frame.
func (l *Locator) At(frames []finding.Frame) (Place, bool) { return Place{}, false }

// Evaluation returns the statement that runs the model whose output p keeps, so that no_grad can go around it.
// It returns false where that would take gradients away from a backward pass.
func (l *Locator) Evaluation(p Place) (Place, bool) { return Place{}, false }

// Origin returns where the stored value is made inside the function of p, nearest first.
func (l *Locator) Origin(p Place) []finding.Frame { return nil }

// Warnings returns what could not be read, one sentence each.
func (l *Locator) Warnings() []string { return nil }

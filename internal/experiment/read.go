package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/recording"
)

// Place is where a statement begins, as Python counts: the real path of its file, lines from 1, columns in bytes from 0.
type Place struct {
	File   string
	Line   int
	Column int
}

// MarshalJSON writes the place as the probe reads it.
func (p Place) MarshalJSON() ([]byte, error) { return json.Marshal([]any{p.File, p.Line, p.Column}) }

// Kind says what a statement does, as far as its form tells.
type Kind string

// Kinds of statements.
const (
	Keep   Kind = "keep"   // a call that by its name stores something
	Store  Kind = "store"  // assigns to an attribute or an item
	Carry  Kind = "carry"  // gives a name a value that is used in the next round of the loop
	Call   Kind = "call"   // any other call whose result nobody takes
	Update Kind = "update" // moves the training on: backward, step, zero_grad
	Value  Kind = "value"  // computes what later statements use
)

// Statement is one statement that ran again and again.
type Statement struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Column  int    `json:"column"`
	Kind    Kind   `json:"kind"`
	// ResultOf is the line of the decorated function that the statement returns from, 0 for others: what decorates it,
	// a cache for one, is what keeps the result.
	ResultOf int   `json:"result_of"`
	Steps    int64 `json:"steps"` // in which it ran, of the steady ones
	Order    int64 `json:"order"` // where in its step it begins
	End      int64 `json:"end"`   // and ends: what begins in between ran in a call of it
	Ticks    bool  `json:"ticks"` // a step ended in it: without it the training would not step
}

// Place is where it begins.
func (s Statement) Place() Place { return Place{s.File, s.Line, s.Column} }

// Shown is the line to show for it.
func (s Statement) Shown() int {
	if s.ResultOf > 0 {
		return s.ResultOf
	}
	return s.Line
}

// Inside reports whether s ran in a call that outer made.
func (s Statement) Inside(outer Statement) bool {
	return s.Place() != outer.Place() && outer.Order < s.Order && s.End <= outer.End
}

// maxRead bounds what is read of a file that the target's process wrote.
const maxRead = 64 << 20

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRead+1))
	if err == nil && len(text) > maxRead {
		err = fmt.Errorf("larger than %d MiB", maxRead>>20)
	}
	return text, err
}

// statements reads what a process listed; none when it made too few steps to list any.
func statements(dir recording.Dir, pid int) ([]Statement, error) {
	text, err := readBounded(dir.File(fmt.Sprintf("%d.statements.json", pid)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list struct{ Statements []Statement }
	return list.Statements, json.Unmarshal(text, &list)
}

// numbers reads the losses that a process wrote down.
func numbers(dir recording.Dir, pid int) []string {
	text, err := readBounded(dir.File(fmt.Sprintf("%d.numbers", pid)))
	if err != nil {
		return nil // a training that calls no backward
	}
	return strings.Fields(string(text))
}

// listed reads the lines that any process wrote about the files that run as something else: which did ("replaced"), and
// which could not and why ("refused").
func listed(dir recording.Dir, what string) []string {
	entries, _ := os.ReadDir(dir.Path)
	var lines []string
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), "."+what) {
			continue
		}
		if text, err := readBounded(dir.File(entry.Name())); err == nil {
			lines = append(lines, strings.Split(strings.TrimSpace(string(text)), "\n")...)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

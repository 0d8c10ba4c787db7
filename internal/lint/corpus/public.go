package corpus

import (
	"bytes"
	_ "embed" // judgements are a part of the package
	"fmt"
	"strconv"
	"strings"
)

//go:embed public/judgements.tsv
var judged []byte

//go:embed public/repositories.tsv
var read []byte

// Verdict is what a reader of the source says of a finding.
type Verdict string

// Verdicts.
const (
	True       Verdict = "true"       // memory grows, or a graph is kept, as the finding says
	Defensible Verdict = "defensible" // it does under a use that the source allows, or its bound is out of sight
	Wrong      Verdict = "false"
)

// Judgement is one finding in public code, read by hand.
type Judgement struct {
	File    string
	Line    int
	Rule    string
	Verdict Verdict
	Reason  string
}

// WantPublic is the share of findings in public code that has to be true or defensible.
const WantPublic = 0.80

// Repository is one public repository that was linted as a whole.
type Repository struct {
	Name, Version string
	Files         int // in Python, of those that were linted
	Judgements    []Judgement
}

// Count is how many findings in the repository got a verdict.
func (r Repository) Count(v Verdict) (n int) {
	for _, j := range r.Judgements {
		if j.Verdict == v {
			n++
		}
	}
	return n
}

// Public returns the repositories with what was judged in them.
func Public() ([]Repository, error) {
	var all []Repository
	known := map[string]int{}
	err := rows(read, 3, func(f []string) error {
		n, err := strconv.Atoi(f[2])
		known[f[0]] = len(all)
		all = append(all, Repository{Name: f[0], Version: f[1], Files: n})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("repositories.tsv: %w", err)
	}
	err = rows(judged, 6, func(f []string) error {
		i, ok := known[f[0]]
		if !ok || all[i].Version != f[1] {
			return fmt.Errorf("%s %s is not in repositories.tsv", f[0], f[1])
		}
		j, err := judgement(f)
		all[i].Judgements = append(all[i].Judgements, j)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("judgements.tsv: %w", err)
	}
	return all, nil
}

// rows calls each for the lines behind the head of a table.
func rows(table []byte, columns int, each func([]string) error) error {
	for i, line := range bytes.Split(bytes.TrimSuffix(table, []byte("\n")), []byte("\n")) {
		f := strings.Split(string(line), "\t")
		if len(f) != columns {
			return fmt.Errorf("line %d: %d columns instead of %d", i+1, len(f), columns)
		}
		if i == 0 {
			continue
		}
		if err := each(f); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}

func judgement(f []string) (Judgement, error) {
	file, number, _ := strings.Cut(f[2], ":")
	line, err := strconv.Atoi(number)
	if err != nil {
		return Judgement{}, fmt.Errorf("%q is no file and line", f[2])
	}
	j := Judgement{file, line, f[3], Verdict(f[4]), f[5]}
	switch {
	case j.Verdict != True && j.Verdict != Defensible && j.Verdict != Wrong:
		return j, fmt.Errorf("%q is no verdict", j.Verdict)
	case j.Reason == "":
		return j, fmt.Errorf("no reason")
	}
	return j, nil
}

// Package leaks is the public benchmark: real leaking trainings and look-alikes that do not leak, one folder
// a case, and what it takes to score torchleak on them. A case is a folder with a case.json (type Case), a
// train.py that `# leak` comments mark, and where a small change ends the growth, a fixed.py without it.
package leaks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// Case is what is expected of one folder, and why the case exists.
type Case struct {
	Name    string            `json:"-"` // the folder's name
	Dir     string            `json:"-"`
	Family  string            `json:"family"`
	Cases   []string          `json:"cases"` // public reports it is modelled after, by their number in reports.tsv
	Verdict finding.Verdict   `json:"verdict"`
	Also    []finding.Verdict `json:"also,omitempty"` // verdicts that are right as well
	Memory  string            `json:"memory"`         // where it grows without an accelerator: host, shm or worker
	Rules   []string          `json:"rules"`          // any of them is right
	Holder  []string          `json:"holder"`         // a right holder's path, type or way matches one of them; none where nothing in Python holds it
	Onset   *int64            `json:"onset"`          // first step that grows; null: with the training
	Period  int64             `json:"period"`         // steps between growths
	Steps   int64             `json:"steps"`
	Kept    int64             `json:"kept,omitempty"`  // bytes a step that leaks/measure must find at least; 2048 when 0
	Clock   string            `json:"clock,omitempty"` // what leaks/measure counts as a step; optimizer when empty
	Ranks   int               `json:"ranks,omitempty"` // processes that train, 1 when 0; leaks/measure leaves several out
	About   string            `json:"about"`

	Marks  []Mark           `json:"-"`
	holder []*regexp.Regexp // Holder, compiled
}

// Mark is a statement that a `# leak` comment names as the one to change; `# leak?` makes it acceptable.
type Mark struct {
	File string // relative to the case's folder
	Line int
	Best bool
}

// Leaks says whether the case grows without end.
func (c *Case) Leaks() bool { return c.Verdict == finding.Leak || c.Verdict == finding.Cycle }

// Fixed says whether the case has a fixed.py.
func (c *Case) Fixed() bool {
	_, err := os.Stat(filepath.Join(c.Dir, "fixed.py"))
	return err == nil
}

// Load reads all cases below dir whose name matches the pattern; an empty pattern matches all.
func Load(dir, pattern string) ([]*Case, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
	if err != nil {
		return nil, err
	}
	var cases []*Case
	for _, path := range paths {
		name := filepath.Base(filepath.Dir(path))
		if ok, err := filepath.Match(pattern, name); err != nil {
			return nil, fmt.Errorf("pattern %q: %w", pattern, err)
		} else if pattern != "" && !ok {
			continue
		}
		c, err := load(path)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func load(path string) (*Case, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &Case{Dir: filepath.Dir(path), Name: filepath.Base(filepath.Dir(path))}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(c); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	for _, pattern := range c.Holder {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		c.holder = append(c.holder, re)
	}
	sources, err := c.sources()
	if err != nil {
		return nil, err
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		_, marks := unmark(string(text), filepath.Base(source))
		c.Marks = append(c.Marks, marks...)
	}
	return c, nil
}

// sources lists the Python files of a case. The folder's name is no pattern.
func (c *Case) sources() ([]string, error) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".py" {
			paths = append(paths, filepath.Join(c.Dir, entry.Name()))
		}
	}
	return paths, nil
}

var mark = regexp.MustCompile(`[ \t]*# leak(\??)[ \t]*$`)

// unmark takes the marks out of a source, so that a tool cannot read the answers, and returns them.
func unmark(text, file string) (string, []Mark) {
	lines := strings.Split(text, "\n")
	var marks []Mark
	for i, line := range lines {
		if m := mark.FindStringSubmatchIndex(line); m != nil {
			marks = append(marks, Mark{File: file, Line: i + 1, Best: m[2] == m[3]})
			lines[i] = line[:m[0]]
		}
	}
	return strings.Join(lines, "\n"), marks
}

// Lay copies the sources of a case to dir as a user would have them: without marks, the program as train.py,
// and without the other program or what only that imports. program is train.py or fixed.py.
func (c *Case) Lay(dir, program string) error {
	sources, err := c.sources()
	if err != nil {
		return err
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		name := filepath.Base(source)
		switch name {
		case program:
			name = "train.py"
		case "train.py", "fixed.py":
			continue
		}
		if program == "train.py" && strings.HasPrefix(name, "fixed_") {
			continue
		}
		clean, _ := unmark(string(text), name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(clean), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Package corpus measures the linter: small trainings with marked statements, the blocks of the rules' pages, and
// what was judged by hand in public code.
package corpus

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/rule"
)

//go:embed testdata
var files embed.FS

// Case is one small training, in one file or several that lie in one folder.
type Case struct {
	Name  string            // kept-loss/script; page:kept-loss/Example 1 for a block of a page
	Files map[string]string // sources without their marks, by name
	Marks []Mark
}

// Page reports whether the case is a block of a rule's page.
func (c *Case) Page() bool { return strings.HasPrefix(c.Name, pagePrefix) }

// Fault reports whether something is to be found in the case; the others are look-alikes.
func (c *Case) Fault() bool {
	return slices.ContainsFunc(c.Marks, func(m Mark) bool { return !m.Also })
}

// Mark is a statement to change.
type Mark struct {
	File  string
	Line  int
	Rules []string // the names that are right for it
	Also  bool     // a second statement of a fault: it may be reported, and stands in for the first
}

const pagePrefix = "page:"

var marker = regexp.MustCompile(`  # (finding|also): ([a-z|-]+)\n`)

// unmark takes the marks out of a source, so that nothing in it tells where they were.
func unmark(file, source string) (string, []Mark) {
	var marks []Mark
	for i, line := range strings.SplitAfter(source, "\n") {
		if m := marker.FindStringSubmatch(line); m != nil {
			marks = append(marks, Mark{file, i + 1, strings.Split(m[2], "|"), m[1] == "also"})
		}
	}
	return marker.ReplaceAllString(source, "\n"), marks
}

func (c *Case) add(file, source string) {
	text, marks := unmark(file, source)
	c.Files[file] = text
	c.Marks = append(c.Marks, marks...)
}

// Load returns the cases of testdata: each file below the folder of a rule, and each folder there.
func Load() ([]Case, error) {
	var cases []Case
	at := map[string]int{}
	err := fs.WalkDir(files, "testdata", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		source, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		parts := strings.Split(name, "/")
		if len(parts) < 3 || path.Ext(name) != ".py" {
			return fmt.Errorf("%s: not in the folder of a rule, or not Python", name)
		}
		key := parts[1] + "/" + strings.TrimSuffix(parts[2], ".py")
		i, known := at[key]
		if !known {
			i = len(cases)
			at[key] = i
			cases = append(cases, Case{Name: key, Files: map[string]string{}})
		}
		cases[i].add(path.Base(name), string(source))
		return nil
	})
	return cases, err
}

// Pages returns the Python blocks of the rules that are checked without a run.
func Pages(all []rule.Rule) []Case {
	var cases []Case
	for _, r := range all {
		if r.Check == nil {
			continue
		}
		for _, heading := range rule.Headings {
			for i, block := range blocks(r.Section(heading)) {
				c := Case{Name: fmt.Sprintf("%s%s/%s %d", pagePrefix, r.Name, heading, i+1), Files: map[string]string{}}
				c.add("page.py", block)
				cases = append(cases, c)
			}
		}
	}
	return cases
}

func blocks(section string) []string {
	var all []string
	for {
		_, rest, found := strings.Cut("\n"+section, "\n```py\n")
		if !found {
			return all
		}
		block, after, _ := strings.Cut(rest, "\n```")
		all, section = append(all, block+"\n"), after
	}
}

package rules_test

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
	"github.com/torchleak/torchleak/internal/rule/rules"
)

// block is one piece of Python on a page.
type block struct {
	heading string
	source  string
}

func blocks(page string) []block {
	var all []block
	heading, open := "", false
	var text strings.Builder
	for _, line := range strings.Split(page, "\n") {
		switch {
		case strings.HasPrefix(line, "## ") && !open:
			heading = strings.TrimPrefix(line, "## ")
		case line == "```py":
			open = true
			text.Reset()
		case line == "```" && open:
			open = false
			all = append(all, block{heading, text.String()})
		case open:
			text.WriteString(line + "\n")
		}
	}
	return all
}

// marks runs every check over source and returns what they report as "line: rule", sorted.
func marks(t *testing.T, source string) (found []string, all []rule.Mark) {
	t.Helper()
	f, err := pysyntax.Parse("page.py", []byte(source))
	if err != nil || f.HasError {
		t.Fatalf("the block does not parse: %v", err)
	}
	flow := pyflow.NewIndex().Module(f)
	for _, r := range rules.All {
		if r.Check == nil {
			continue
		}
		r.Check(&rule.Pass{Flow: flow, File: f, Report: func(m rule.Mark) {
			line, _ := f.Lines(m.At)
			found = append(found, fmt.Sprintf("%d: %s", line, r.Name))
			all = append(all, m)
			if m.Severity == "" || !strings.HasSuffix(m.Why, ".") {
				t.Errorf("%s: incomplete mark %+v", r.Name, m)
			}
			if m.Fix != nil && len(m.Fix.Edits) > 0 {
				if _, err := patch.Apply(f, m.Fix.Edits); err != nil {
					t.Errorf("%s: its fix cannot be applied: %v", r.Name, err)
				}
			}
		}})
	}
	sort.Strings(found)
	return found, all
}

// fixed applies each fix by itself: the result parses, and what a safe one mends is not found any more.
func fixed(t *testing.T, source string) {
	t.Helper()
	before, all := marks(t, source)
	for _, m := range all {
		if m.Fix == nil || len(m.Fix.Edits) == 0 {
			continue
		}
		f, err := pysyntax.Parse("page.py", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		p, err := patch.Apply(f, slices.Clone(m.Fix.Edits))
		if err != nil {
			t.Errorf("%q cannot be applied: %v", m.Fix.Summary, err)
			continue
		}
		gone := before[:0:0]
		after, _ := marks(t, string(p.Source))
		for _, name := range before {
			if !slices.Contains(after, name) {
				gone = append(gone, name)
			}
		}
		if m.Fix.Safe && len(gone) == 0 {
			t.Errorf("%q mends nothing: %v, then %v in\n%s", m.Fix.Summary, before, after, p.Source)
		}
	}
}

// Each block of each page is a test: the checks report the marked lines under the names that stand there, and
// nothing else.
func TestPagesAreChecked(t *testing.T) {
	for _, r := range rules.All {
		if r.Check == nil {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			for i, b := range blocks(r.Doc) {
				fixed(t, b.source)
				var want []string
				for n, line := range strings.Split(b.source, "\n") {
					if m := marker.FindStringSubmatch(line); m != nil {
						want = append(want, fmt.Sprintf("%d: %s", n+1, m[1]))
					}
				}
				sort.Strings(want)
				if got, _ := marks(t, b.source); strings.Join(got, ", ") != strings.Join(want, ", ") {
					t.Errorf("block %d, %q: found [%s], want [%s] in\n%s", i+1, b.heading, strings.Join(got, ", "), strings.Join(want, ", "), b.source)
				}
			}
		})
	}
}

// Package sarif writes findings as SARIF 2.1.0, which code scanning and editors read. Findings of the linter and of a
// run look alike; what was not checked stands among the notifications.
package sarif

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/rule"
	"github.com/torchleak/torchleak/internal/rule/rules"
)

const home = "https://github.com/torchleak/torchleak"

// writer collects the results of one run.
type writer struct {
	run   run
	lines map[string]int // by fingerprint: how often the same finding stood on the same text
}

// WriteLint writes what the linter found.
func WriteLint(w io.Writer, l finding.Lint) error {
	s := newWriter(l.Tool)
	for _, f := range l.Findings {
		place, message := spanOf(f.Location), f.Why
		if f.Location.Cell > 0 { // its lines are not those of the file
			message = fmt.Sprintf("cell %d, line %d: %s", f.Location.Cell, f.Location.Line, message)
			place.Region = nil
		}
		s.add(f.Rule, f.Severity, message, place, f.Location.Code, fixesOf(f))
	}
	for _, skip := range l.Skipped {
		place := location{physical{Artifact: artifactOf(skip.File)}}
		if skip.Line > 0 {
			place.Physical.Region = &region{StartLine: skip.Line}
		}
		s.run.Invocations[0].Notifications = append(s.run.Invocations[0].Notifications,
			notification{"warning", message{skip.Reason}, []location{place}})
	}
	return s.write(w)
}

// levels are SARIF's words for what a verdict calls for.
var levels = map[finding.Verdict]string{finding.Leak: "error", finding.Outside: "error"}

// Write writes the findings of a run. One whose statement is not known cannot be shown in a file and is left out.
func Write(w io.Writer, r finding.Report) error {
	s := newWriter(r.Tool)
	for _, f := range r.Findings {
		if f.Location == nil || f.Location.File == "" {
			continue
		}
		level := levels[f.Verdict]
		if level == "" {
			level = "warning"
		}
		at := f.Location
		place := physical{artifactOf(at.File), &region{StartLine: max(at.Line, 1), EndLine: max(at.EndLine, at.Line, 1)}}
		s.add(f.Rule, level, f.Why, place, at.Code, nil)
	}
	return s.write(w)
}

func newWriter(t finding.Tool) *writer {
	return &writer{lines: map[string]int{}, run: run{
		Tool:        tool{driver{Name: t.Name, Version: t.Version, URI: home, Rules: []ruleModel{}}},
		Invocations: []invocation{{Successful: true}},
		ColumnKind:  "unicodeCodePoints",
		Results:     []result{},
	}}
}

func (s *writer) write(w io.Writer) error {
	err := plain.JSON(w, document{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []run{s.run}})
	if err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

func (s *writer) add(id, level, text string, place physical, code string, fixes []fix) {
	key := fmt.Sprintf("%x", sha256.Sum256([]byte(id+"\x00"+place.Artifact.URI+"\x00"+code)))[:16]
	s.lines[key]++
	s.run.Results = append(s.run.Results, result{
		RuleID: id, RuleIndex: s.rule(id), Level: level, Message: message{text}, Locations: []location{{place}},
		// A finding is the same one when lines above it come and go.
		Fingerprints: map[string]string{"primaryLocationLineHash": fmt.Sprintf("%s:%d", key, s.lines[key])},
		Fixes:        fixes,
	})
}

// rule returns the index of a rule among those described, and describes it the first time.
func (s *writer) rule(id string) int {
	known := s.run.Tool.Driver.Rules
	if i := slices.IndexFunc(known, func(r ruleModel) bool { return r.ID == id }); i >= 0 {
		return i
	}
	r, ok := rules.Find(id)
	if !ok {
		r = rule.Rule{ID: id, Name: id, Title: id, Doc: id}
	}
	s.run.Tool.Driver.Rules = append(known, ruleModel{
		ID: r.ID, Name: r.Name, Short: message{r.Title}, Full: message{full(r)},
		Help: help{Text: r.Doc, Markdown: r.Doc}, HelpURI: home + "/blob/main/docs/rules.md", Default: configuration{"warning"},
	})
	return len(known)
}

func full(r rule.Rule) string {
	if does := r.Section("What it does"); does != "" {
		return does
	}
	return r.Title
}

func spanOf(s finding.Span) physical {
	r := &region{StartLine: s.Line, StartColumn: s.Column, EndLine: s.EndLine, EndColumn: s.EndColumn}
	if s.Code != "" {
		r.Snippet = &message{s.Code}
	}
	return physical{artifactOf(s.File), r}
}

// artifactOf names a file: relative ones below the root of the sources.
func artifactOf(path string) artifact {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
		return artifact{URI: u.String()}
	}
	return artifact{URI: u.String(), Base: "%SRCROOT%"}
}

func fixesOf(f finding.Static) []fix {
	if f.Fix == nil || len(f.Fix.Edits) == 0 || f.Location.Cell > 0 {
		return nil
	}
	c := change{Artifact: artifactOf(f.Location.File)}
	for _, e := range f.Fix.Edits {
		r := replacement{Deleted: region{StartLine: e.Line, StartColumn: e.Column, EndLine: e.EndLine, EndColumn: e.EndColumn}}
		if e.Text != "" {
			r.Inserted = &message{e.Text}
		}
		c.Replacements = append(c.Replacements, r)
	}
	return []fix{{message{f.Fix.Summary}, []change{c}}}
}

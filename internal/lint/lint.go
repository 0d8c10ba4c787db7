// Package lint finds leak patterns in Python source that never ran: it finds the files, reads them, hands them to the
// rules' static checks, honours what comments and pyproject.toml leave out, and applies fixes.
package lint

import (
	"path/filepath"

	"github.com/torchleak/torchleak/internal/finding"
)

// Options say what to lint and how.
type Options struct {
	Paths     []string // files and folders; "-" is Stdin
	Dir       string   // what relative paths stand in; also what paths are shown relative to
	Stdin     []byte
	StdinName string // what the source on stdin is called

	Select, Ignore         []string // rules on top of the configuration; Select replaces it
	Exclude, ExtendExclude []string
	ForceExclude           bool   // files that the user named are left out too where a pattern says so
	Config                 string // use this file instead of looking for one
	Isolated               bool   // use no configuration file
	FailOn                 string // leak, any or never; empty: the configuration's
	WarnUnused             bool   // say which suppressions suppress nothing
	// Only are the fixes to apply, of those found in the files as they are; nil: all, and those that they bring to light.
	Only []Choice

	Tool finding.Tool
}

// Result is what a run found.
type Result struct {
	Report finding.Lint

	sources []*source
	fixes   []fixable // of the findings that have an edit
}

// Run lints the files of opts. An error means that nothing could be done: a path that is not there, a configuration
// that cannot be read.
func Run(opts Options) (*Result, error) { return run(opts, nil) }

// run reads changed sources from overlay, by path, instead of the disk.
func run(opts Options, overlay map[string][]byte) (*Result, error) {
	configs := &configs{opts: opts, byFolder: map[string]*config{}}
	if err := configs.check(); err != nil {
		return nil, err
	}
	found, notes, err := discover(opts, configs)
	if err != nil {
		return nil, err
	}
	sources := readAll(found, opts, overlay)
	defer roomForGarbage()()
	r := &Result{sources: sources}
	r.Report = finding.Lint{Schema: finding.Schema, Tool: opts.Tool, Files: len(sources),
		Findings: []finding.Static{}, Skipped: []finding.Skipped{}, Notes: append([]string{}, notes...)}
	for _, checked := range checkAll(sources, opts) {
		r.Report.Findings = append(r.Report.Findings, checked.findings...)
		r.Report.Notes = append(r.Report.Notes, checked.notes...)
		r.fixes = append(r.fixes, checked.fixes...)
	}
	for _, s := range sources {
		r.Report.Skipped = append(r.Report.Skipped, s.skipped...)
	}
	return r, nil
}

// shown is how a path is shown to people: relative to the folder they stand in where it is below.
func shown(path, dir string) string {
	if dir == "" || !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

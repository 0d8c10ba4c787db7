package lint

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// manyFiles is how many files of a folder are checked at most to find the patch of one statement.
const manyFiles = 40

// Offer gives findings of a run that say in words only what to do the patch that the static checks have for the same fault.
// Paths that are not absolute begin at dir.
func Offer(findings []finding.Finding, dir string) {
	folders := map[string][]finding.Static{}
	for i := range findings {
		f := &findings[i]
		if f.SameGrowthAs != nil { // the fix of the other one ends it, and its own may need that one first
			continue
		}
		if f.Location == nil || f.Location.File == "" || f.Fix == nil || f.Fix.Diff != "" || strings.Contains(f.Location.File, "-packages"+string(filepath.Separator)) {
			continue
		}
		folder := filepath.Dir(f.Location.File)
		static, known := folders[folder]
		if !known {
			static = beside(folder, dir)
			folders[folder] = static
		}
		if fix := fixOf(static, *f); fix != nil {
			f.Fix.Diff, f.Fix.Safe = fix.Diff, fix.Safe
		}
	}
}

// beside is what the checks say of the files in a folder.
func beside(folder, dir string) []finding.Static {
	at := folder
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return nil
	}
	opts := Options{Dir: dir, Isolated: true}
	if filepath.IsAbs(folder) {
		opts.Dir = "" // as the run names them
	}
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".py" {
			opts.Paths = append(opts.Paths, filepath.Join(at, e.Name()))
		}
	}
	if len(opts.Paths) == 0 || len(opts.Paths) > manyFiles {
		return nil
	}
	r, err := Run(opts)
	if err != nil {
		return nil
	}
	return r.Report.Findings
}

// fixOf returns the patch for the statement of f, or else the one patch of its rule that changes the statement's file.
func fixOf(all []finding.Static, f finding.Finding) *finding.StaticFix {
	var other *finding.StaticFix
	several := false
	for _, s := range all {
		if s.Rule != f.Rule || s.Fix == nil || s.Fix.Diff == "" || !strings.HasPrefix(s.Fix.Diff, "--- a/"+f.Location.File+"\n") && !strings.HasPrefix(s.Fix.Diff, "--- "+f.Location.File+"\n") {
			continue
		}
		if s.Location.File == f.Location.File && s.Location.Line <= f.Location.Line && f.Location.Line <= max(s.Location.EndLine, s.Location.Line) {
			return s.Fix
		}
		several = other != nil
		other = s.Fix
	}
	if several {
		return nil
	}
	return other
}

package lint

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/patch"
)

// manyFiles is how many files of a folder are checked at most to find the patch of one statement.
const manyFiles = 40

// Offer gives findings of a run that say in words only what to do the patch that the static checks have for the same fault,
// and its words: they say what the patch does. Where the run knows better, there is none; where lint has none, the run's other
// one is taken.
// Paths that are not absolute begin at dir. The run may have had other text in the place of some files: replaced has it by
// their real paths.
func Offer(findings []finding.Finding, dir string, replaced map[string][]byte) {
	folders := map[string][]finding.Static{}
	for i := range findings {
		f := &findings[i]
		if f.SameGrowthAs != nil { // the fix of the other one ends it, and its own may need that one first
			continue
		}
		if f.Location == nil || f.Location.File == "" || f.Fix == nil || f.Fix.Diff != "" || f.Fix.Alone || strings.Contains(f.Location.File, "-packages"+string(filepath.Separator)) {
			continue
		}
		folder := filepath.Dir(f.Location.File)
		static, known := folders[folder]
		if !known {
			static = beside(folder, dir, replaced)
			folders[folder] = static
		}
		if fix := fixOf(static, *f); fix != nil {
			f.Fix.Summary, f.Fix.Diff, f.Fix.Raw, f.Fix.Safe = fix.Summary, fix.Diff, fix.Raw, fix.Safe
			if fix.CutsGraph {
				f.Fix.Summary = finding.Sentences(fix.Summary, f.Fix.Remains)
			}
		} else if other := f.Fix.Else; other != nil && other.Diff != "" {
			f.Fix = other
		}
	}
}

// beside is what the checks say of the files in a folder.
func beside(folder, dir string, replaced map[string][]byte) []finding.Static {
	at := folder
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return nil
	}
	opts := Options{Dir: dir, Isolated: true}
	overlay := map[string][]byte{}
	if filepath.IsAbs(folder) {
		opts.Dir = "" // as the run names them
	}
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".py" {
			path := filepath.Join(at, e.Name())
			opts.Paths = append(opts.Paths, path)
			if real, err := filepath.EvalSymlinks(path); err == nil && replaced[real] != nil {
				overlay[path] = replaced[real] // of a run, whose folder is absolute
			}
		}
	}
	if len(opts.Paths) == 0 || len(opts.Paths) > manyFiles {
		return nil
	}
	r, err := run(opts, overlay)
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
		fix := s.Fix
		if fix != nil && fix.CutsGraph && f.Fix.GraphFree {
			fix = fix.Further
		}
		if s.Rule != f.Rule || fix == nil || !changes(fix.Diff, f.Location.File) {
			continue
		}
		if s.Location.File == f.Location.File && s.Location.Line <= f.Location.Line && f.Location.Line <= max(s.Location.EndLine, s.Location.Line) {
			return fix
		}
		several = other != nil
		other = fix
	}
	if several {
		return nil
	}
	return other
}

// changes reports whether a diff is of the file.
func changes(diff, file string) bool {
	return strings.HasPrefix(diff, "--- "+patch.FileName("a/"+file)+"\n") || strings.HasPrefix(diff, "--- "+patch.FileName(file)+"\n")
}

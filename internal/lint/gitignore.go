package lint

import (
	"os"
	"path/filepath"
	"strings"
)

// maxIgnoreFile bounds a .gitignore; larger ones are none that a person wrote.
const maxIgnoreFile = 1 << 20

// ignoreFile is one .gitignore.
type ignoreFile struct {
	folder string
	rules  []ignoreRule
	outer  *ignoreFile
}

// ignoreRule is one line of it.
type ignoreRule struct {
	pattern  glob
	negated  bool
	folders  bool // matches folders only
	anchored bool // matches the path from the file's folder, else any name below it
}

// readIgnore reads the .gitignore of folder; outer is the one of the folders above.
func readIgnore(folder string, outer *ignoreFile) *ignoreFile {
	path := filepath.Join(folder, ".gitignore")
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnoreFile {
		return outer
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return outer
	}
	file := &ignoreFile{folder: folder, outer: outer}
	for line := range strings.Lines(string(text)) {
		if r, ok := parseIgnore(line); ok {
			file.rules = append(file.rules, r)
		}
	}
	return file
}

func parseIgnore(line string) (r ignoreRule, ok bool) {
	line = strings.TrimRight(strings.TrimRight(line, "\r\n"), " \t")
	if line == "" || line[0] == '#' {
		return r, false
	}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	r.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	r.pattern = newGlob(line)
	return r, line != ""
}

// ignoresAbove reads the .gitignore files that hold for folder: those of the repository's folders down to it. Where
// they leave out folder itself, a person who names it wants it all the same, and they do not count.
func ignoresAbove(folder string) *ignoreFile {
	var folders []string
	for at := folder; ; at = filepath.Dir(at) {
		folders = append(folders, at)
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			break
		}
		if at == filepath.Dir(at) {
			return nil // not in a repository
		}
	}
	var file *ignoreFile
	for i := len(folders) - 1; i > 0; i-- {
		file = readIgnore(folders[i], file)
		if file.ignores(folders[i-1], true) {
			return nil
		}
	}
	return file
}

// ignores reports whether path is left out: the last rule that matches decides, inner files come last.
func (f *ignoreFile) ignores(path string, folder bool) bool {
	for ; f != nil; f = f.outer {
		rel, err := filepath.Rel(f.folder, path)
		if err != nil {
			continue
		}
		rel = filepath.ToSlash(rel)
		name := rel[strings.LastIndexByte(rel, '/')+1:]
		for i := len(f.rules) - 1; i >= 0; i-- {
			r := f.rules[i]
			if r.folders && !folder {
				continue
			}
			if r.anchored && r.pattern.match(rel) || !r.anchored && r.pattern.match(name) {
				return !r.negated
			}
		}
	}
	return false
}

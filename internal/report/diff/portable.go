package diff

import (
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
)

// Portable is a diff as `git apply` and `patch -p1` take it.
type Portable struct {
	Text  string
	Dir   string   // where it has to be applied; empty where the diff's own paths are relative
	Paths []string // the files it changes, from there
}

// NewPortable makes a diff applicable: absolute paths, which both tools refuse, become relative to the folder that
// holds all the files. It returns false where absolute and relative paths stand side by side.
func NewPortable(text string) (Portable, bool) {
	lines := Lines(text)
	p := Portable{Dir: common(lines)}
	var out strings.Builder
	rest := text
	for _, line := range lines {
		whole := rest
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			whole, rest = rest[:n+1], rest[n+1:]
		}
		if line.Kind != File {
			out.WriteString(whole)
			continue
		}
		prefix, path := "a/", line.Path
		if strings.HasPrefix(line.Text, "+++ ") {
			prefix, path = "b/", name(line.Text, "b/")
		}
		if filepath.IsAbs(path) != (p.Dir != "") {
			return Portable{}, false
		}
		if rel, err := filepath.Rel(p.Dir, path); p.Dir != "" && err == nil {
			path = rel
		}
		if prefix == "a/" {
			p.Paths = append(p.Paths, path)
		}
		out.WriteString(line.Text[:len("--- ")] + patch.FileName(prefix+filepath.ToSlash(path)) + "\n")
	}
	p.Text = out.String()
	return p, len(p.Paths) > 0
}

// common is the deepest folder that holds all absolute paths of a diff; empty where there are none.
func common(lines []Line) string {
	dir := ""
	for _, line := range lines {
		if line.Kind != File || !strings.HasPrefix(line.Text, "--- ") || !filepath.IsAbs(line.Path) {
			continue
		}
		if dir == "" {
			dir = filepath.Dir(line.Path)
		}
		for rel, err := filepath.Rel(dir, line.Path); err == nil && strings.HasPrefix(rel, ".."); rel, err = filepath.Rel(dir, line.Path) {
			dir = filepath.Dir(dir)
		}
	}
	return dir
}

// Fits reports whether the file called path is, where the diff touches it, as the diff says.
func Fits(text, path string, source []byte) bool {
	lines := strings.SplitAfter(string(source), "\n")
	found := false
	for _, line := range Lines(text) {
		if line.Path != path || line.Old == 0 {
			continue
		}
		if line.Old > len(lines) || strings.TrimRight(lines[line.Old-1], "\r\n") != line.Source() {
			return false
		}
		found = true
	}
	return found
}

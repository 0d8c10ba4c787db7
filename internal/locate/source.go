package locate

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// maxSources bounds how many files one Locator parses.
const maxSources = 200

// source is one file with what the searches need of it.
type source struct {
	*pysyntax.File
	scopes  *pysyntax.Scopes
	effects []effect
	kinds   map[pysyntax.Kind][]pysyntax.Ref // nodes of each kind, filled when first asked for
}

// source returns the parsed file at path, nil where it cannot be had; the warning is given once.
func (l *Locator) source(path string) *source {
	if path == "" || strings.HasPrefix(path, "<") {
		return nil
	}
	path = l.absolute(path)
	if s, ok := l.sources[path]; ok {
		return s
	}
	if len(l.sources) >= maxSources {
		return nil
	}
	s, err := l.read(path)
	if err != nil {
		l.warn("%s", err)
	}
	l.sources[path] = s
	return s
}

func (l *Locator) read(path string) (*source, error) {
	data, err := l.open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && inArchive(path):
		return nil, fmt.Errorf("%s is inside an archive: the statement is named, its text is not shown", l.short(path))
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s is gone: its statements are named by line only", l.short(path))
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", l.short(path), err)
	}
	f, err := pysyntax.Parse(l.short(path), data)
	if err != nil {
		return nil, err
	}
	if f.HasError {
		l.warn("%s has parts that do not parse; the rest of it was used", f.Path)
	}
	s := &source{File: f, scopes: pysyntax.NewScopes(f)}
	s.effects = s.allEffects()
	return s, nil
}

func (l *Locator) warn(format string, args ...any) {
	l.warnings = append(l.warnings, fmt.Sprintf(format, args...))
}

func (l *Locator) absolute(path string) string {
	if !filepath.IsAbs(path) && l.cwd != "" {
		path = filepath.Join(l.cwd, path)
	}
	return filepath.Clean(path)
}

// short returns path relative to the working directory if it lies below it.
func (l *Locator) short(path string) string {
	if !filepath.IsAbs(path) || l.cwd == "" {
		return path
	}
	rel, err := filepath.Rel(l.cwd, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return rel
}

var (
	archive = regexp.MustCompile(`\.(zip|egg|whl|pyz|par|pex)[/\\]`)
	library = regexp.MustCompile(`(^|[/\\])(site-packages|dist-packages)[/\\]|[/\\]lib[/\\]python3\.\d+[/\\]|^<frozen `)
)

func inArchive(path string) bool { return archive.MatchString(path) }

// user reports whether path is the user's own code: not an installed package, not the standard library.
func (l *Locator) user(path string) bool {
	return path != "" && !library.MatchString(l.short(path))
}

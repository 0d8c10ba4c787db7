package verify

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/report/diff"
)

// Why a patch cannot be tried.
var (
	ErrNoDiff   = errors.New("it is no unified diff")
	ErrApart    = errors.New("the file is not as the diff says")
	ErrKind     = errors.New("only changes to the text of source files that are there can be tried")
	ErrNoChange = errors.New("it changes nothing")
	ErrBroken   = errors.New("is no Python")
)

// Patched reads the files that a patch changes and makes of them what it says; nothing is written. Paths that are not
// absolute begin at dir. A patch is taken whole or not at all: what was not understood would be missing in the trial.
func Patched(text []byte, dir string) ([]File, error) { return Onto(nil, text, dir) }

// Onto is Patched for a patch of files that were changed already: it returns all that are changed then.
func Onto(changed []File, text []byte, dir string) ([]File, error) {
	if windows(text) {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	parsed, _, err := gitdiff.Parse(bytes.NewReader(text))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %s", ErrNoDiff, strings.TrimPrefix(err.Error(), "gitdiff: "))
	case len(parsed) == 0:
		return nil, ErrNoDiff
	case !whole(text, parsed):
		return nil, fmt.Errorf("%w: a part of it was not understood", ErrNoDiff)
	}
	files, now := slices.Clone(changed), map[string]*File{}
	for i := range files {
		path, err := real(files[i].Path)
		if err != nil {
			return nil, err
		}
		now[path] = &files[i]
	}
	var more []File
	var seen []string
	changes := false
	for _, p := range parsed {
		f, err := patched(p, dir, now)
		if err != nil {
			return nil, err
		}
		path, err := real(f.Path)
		if err != nil {
			return nil, err
		}
		if slices.Contains(seen, path) {
			return nil, fmt.Errorf("it changes %s twice: %w", f.Path, ErrKind)
		}
		seen, changes = append(seen, path), changes || !bytes.Equal(f.Before, f.After)
		if now[path] != nil {
			now[path].After = f.After
		} else {
			more = append(more, f)
		}
	}
	if !changes {
		return nil, ErrNoChange
	}
	return append(files, more...), nil
}

// windows reports whether all of a diff, and not only the lines of a file in it, went through a system that ends lines in CRLF:
// the lines that name the files end so too.
func windows(text []byte) bool {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("--- ")) && bytes.HasSuffix(line, []byte("\r\n")) {
			return true
		}
	}
	return false
}

// whole reports whether all that looks like a change of a file was read as one: the parser passes over what it does not know.
func whole(text []byte, parsed []*gitdiff.File) bool {
	files, hunks := 0, 0
	for _, p := range parsed {
		hunks -= len(p.TextFragments)
		if len(p.TextFragments) > 0 {
			files--
		}
	}
	lines := diff.Lines(string(text))
	for i, line := range lines {
		switch {
		case line.Kind == diff.Hunk:
			hunks++
		case line.Kind == diff.File && strings.HasPrefix(line.Text, "+++ ") && i > 0 && strings.HasPrefix(lines[i-1].Text, "--- "):
			files++
		}
	}
	return files == 0 && hunks == 0
}

// patched is one file, as it is now, and what the patch makes of it.
func patched(p *gitdiff.File, dir string, now map[string]*File) (File, error) {
	name := p.OldName
	switch {
	case p.IsNew:
		return File{}, fmt.Errorf("it makes the file %s: %w", p.NewName, ErrKind)
	case p.IsDelete:
		return File{}, fmt.Errorf("it removes the file %s: %w", name, ErrKind)
	case p.IsRename, p.IsCopy, p.OldName != p.NewName:
		return File{}, fmt.Errorf("it gives the file %s the name %s: %w", name, p.NewName, ErrKind)
	case p.IsBinary, len(p.TextFragments) == 0:
		return File{}, fmt.Errorf("it changes no text of %s: %w", name, ErrKind)
	}
	var last error
	for _, name := range names(p.OldName) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, name)
		}
		before, err := source(path, name, now)
		if err == nil {
			var after []byte
			if after, err = applied(before, p); err == nil {
				return File{path, before, after}, parses(name, before, after)
			}
			err = fmt.Errorf("%s: %w", name, ErrApart)
		}
		if last == nil || !errors.Is(err, os.ErrNotExist) {
			last = err
		}
	}
	return File{}, last
}

// names are the paths that a name in a diff may mean: tools put a letter before it, and folders may be called so.
func names(name string) []string {
	for _, prefix := range []string{"a/", "b/"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return []string{rest, name}
		}
	}
	return []string{name}
}

func source(path, name string, now map[string]*File) ([]byte, error) {
	if path, err := real(path); err == nil && now[path] != nil {
		return now[path].After, nil
	}
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular() || st.Size() > pysyntax.MaxSize:
		return nil, fmt.Errorf("%s is no source file: %w", name, ErrKind)
	}
	return os.ReadFile(path)
}

// applied is what the change makes of a source. Where it does not fit byte for byte, lines may end otherwise in the diff
// than in the file.
func applied(source []byte, p *gitdiff.File) ([]byte, error) {
	var out bytes.Buffer
	if gitdiff.Apply(&out, bytes.NewReader(source), p) == nil {
		return out.Bytes(), nil
	}
	end := "\n"
	if first, _, _ := bytes.Cut(source, []byte("\n")); bytes.HasSuffix(first, []byte("\r")) {
		end = "\r\n"
	}
	for _, hunk := range p.TextFragments {
		for i, line := range hunk.Lines {
			if text, ended := strings.CutSuffix(line.Line, "\n"); ended {
				hunk.Lines[i].Line = strings.TrimSuffix(text, "\r") + end
			}
		}
	}
	out.Reset()
	err := gitdiff.Apply(&out, bytes.NewReader(source), p)
	return out.Bytes(), err
}

// parses says where a change leaves Python: an interpreter that cannot read the changed file would run the old one.
func parses(name string, before, after []byte) error {
	if filepath.Ext(name) != ".py" {
		return nil
	}
	was, err := pysyntax.Parse(name, before)
	if err != nil || was.HasError {
		return nil // what is broken already cannot be told from what the change breaks
	}
	is, err := pysyntax.Parse(name, after)
	if err != nil {
		return err
	}
	if is.HasError {
		return fmt.Errorf("what it makes of %s %w: line %d does not parse", name, ErrBroken, is.Line(is.ErrorAt))
	}
	return nil
}

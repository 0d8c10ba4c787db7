package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// defaultExclude are folders that hold what nobody wrote by hand, or what is not this project's.
var defaultExclude = []string{"__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules",
	"site-packages", "dist-packages", "venv", "*.egg-info"}

// file is one file to lint.
type file struct {
	path   string // as it is opened; "-" for stdin
	size   int64  // as it was found
	named  bool   // the user named it, it was not found in a folder
	config *config
	reason string // why it cannot be linted, empty where it can
}

// finder walks folders.
type finder struct {
	opts    Options
	configs *configs
	seen    map[string]bool
	files   []file
	notes   []string
	empty   bool // the folder that the user named, so far
}

// discover returns the files that opts name, in the order of the paths and of the names in a folder.
func discover(opts Options, configs *configs) ([]file, []string, error) {
	d := &finder{opts: opts, configs: configs, seen: map[string]bool{}}
	for _, path := range opts.Paths {
		if path == "-" {
			name := opts.StdinName
			if name == "" {
				name = "stdin.py"
			}
			c, err := configs.of(d.abs(filepath.Dir(name)))
			if err != nil {
				return nil, nil, err
			}
			d.add(file{path: "-", named: true, config: c})
			continue
		}
		if err := d.argument(path); err != nil {
			return nil, nil, err
		}
	}
	return d.files, d.notes, nil
}

// NotThere is a path that does not exist.
type NotThere struct{ Path string }

func (e *NotThere) Error() string { return "there is no " + e.Path }

// argument adds what one path of the command line names.
func (d *finder) argument(path string) error {
	abs := d.abs(path)
	info, err := os.Stat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		if _, linkErr := os.Lstat(abs); linkErr != nil {
			return &NotThere{path}
		}
	}
	folder := filepath.Dir(abs)
	if err == nil && info.IsDir() {
		folder = abs
	}
	c, configErr := d.configs.of(folder)
	if configErr != nil {
		return configErr
	}
	if d.opts.ForceExclude && d.excludedAbove(abs, c) {
		return nil
	}
	if err != nil {
		d.add(file{path: abs, named: true, config: c, reason: unreadable(err)})
		return nil
	}
	if info.IsDir() {
		d.empty = true
		err := d.walk(abs, c, ignoresAbove(abs), 0)
		if err == nil && d.empty {
			d.notes = append(d.notes, "warning: no Python files found in "+path)
		}
		return err
	}
	d.add(file{path: abs, size: info.Size(), named: true, config: c, reason: irregular(info)})
	return nil
}

// maxDepth bounds how deep folders are walked.
const maxDepth = 256

// walk adds the Python files below folder. Links to folders are not followed, so there are no loops.
func (d *finder) walk(folder string, c *config, ignored *ignoreFile, depth int) error {
	entries, err := os.ReadDir(folder)
	if err != nil || depth > maxDepth {
		reason := "folders are nested too deep"
		if err != nil {
			reason = unreadable(err)
		}
		d.add(file{path: folder, named: depth == 0, config: c, reason: reason})
		return nil
	}
	ignored = readIgnore(folder, ignored)
	for _, entry := range entries {
		name, path := entry.Name(), filepath.Join(folder, entry.Name())
		if strings.HasPrefix(name, ".") || !entry.IsDir() && !isSource(name) ||
			d.excluded(path, name, c) || ignored.ignores(path, entry.IsDir()) {
			continue
		}
		if !entry.IsDir() {
			info, err := os.Stat(path)
			switch {
			case err != nil:
				d.add(file{path: path, config: c, reason: unreadable(err)})
			case info.IsDir(): // a link to a folder that is called like a file
			default:
				d.add(file{path: path, size: info.Size(), config: c, reason: irregular(info)})
			}
			continue
		}
		inner, err := d.configs.of(path)
		if err != nil {
			return err
		}
		if err := d.walk(path, inner, ignored, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// isSource reports whether a file called name is Python source or a notebook.
func isSource(name string) bool {
	switch filepath.Ext(name) {
	case ".py", ".ipynb":
		return true
	}
	return false
}

func (d *finder) excluded(path, name string, c *config) bool {
	rel := path
	if r, err := filepath.Rel(c.folder, path); err == nil {
		rel = r
	}
	return excludes(c.exclude, filepath.ToSlash(rel), name)
}

// excludedAbove reports whether path, or a folder it stands in up to the configuration's, is left out.
func (d *finder) excludedAbove(path string, c *config) bool {
	for at := path; at != c.folder && at != filepath.Dir(at); at = filepath.Dir(at) {
		if d.excluded(at, filepath.Base(at), c) {
			return true
		}
	}
	return false
}

func (d *finder) add(f file) {
	d.empty = false
	if !d.seen[f.path] {
		d.seen[f.path] = true
		d.files = append(d.files, f)
	}
}

func (d *finder) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(d.opts.Dir, path)
}

// irregular says why a file cannot be read without harm, empty where it can.
func irregular(info fs.FileInfo) string {
	if info.Mode().IsRegular() {
		return ""
	}
	return "it is no regular file"
}

// unreadable is the reason in err without the path, which stands beside it.
func unreadable(err error) string { return fmt.Sprintf("it cannot be read: %v", withoutPath(err)) }

// withoutPath is what the system said.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

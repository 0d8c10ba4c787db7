// Package skeleton holds trainings that do not leak, to start one's own from: each is a few Python files on data that
// every machine has, with a sentinel and a smoke test. They are tested as what they are, by torchleak's own smoke.
package skeleton

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

//go:embed templates
var templates embed.FS

// Skeleton is one training to start from.
type Skeleton struct {
	Name string
	Run  string // the command that starts it
}

// All are the skeletons there are, the usual one first. Each is a folder below templates.
var All = []Skeleton{
	{"plain", "python3 train.py"},
	{"evaluation", "python3 evaluate.py"},
	{"ddp", "python3 -m torch.distributed.run --standalone --nproc_per_node 2 train.py"},
}

// Find returns the skeleton of that name.
func Find(name string) (Skeleton, bool) {
	for _, s := range All {
		if s.Name == name {
			return s, true
		}
	}
	return Skeleton{}, false
}

// common are the files that all skeletons have.
const common = "common"

// Files are the skeleton's files by name.
func (s Skeleton) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, folder := range []string{common, s.Name} {
		folder = path.Join("templates", folder)
		entries, err := fs.ReadDir(templates, folder)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			text, err := fs.ReadFile(templates, path.Join(folder, entry.Name()))
			if err != nil {
				return nil, err
			}
			files[entry.Name()] = text
		}
	}
	return files, nil
}

// ErrExists says that a file is in the way.
var ErrExists = errors.New("already there")

// Write writes the skeleton into dir, which is made, and returns the files' paths. Unless force is set nothing is written
// when any of its files is there.
func (s Skeleton) Write(dir string, force bool) ([]string, error) {
	files, err := s.Files()
	if err != nil {
		return nil, err
	}
	var paths, there []string
	for name := range files {
		paths = append(paths, filepath.Join(dir, name))
	}
	sort.Strings(paths)
	for _, p := range paths {
		st, err := os.Lstat(p)
		if err == nil && (!force || !st.Mode().IsRegular()) {
			there = append(there, p)
		}
	}
	if len(there) > 0 {
		return nil, fmt.Errorf("%s: %w", strings.Join(there, ", "), ErrExists)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for _, p := range paths {
		if err := write(p, files[filepath.Base(p)]); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// write makes a file anew; a script may be executed. The user's umask says who may read it.
func write(path string, text []byte) error {
	mode := os.FileMode(0o666)
	if strings.HasSuffix(path, ".sh") {
		mode = 0o777
	}
	if _, err := os.Lstat(path); err == nil { // what is there is to be overwritten
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

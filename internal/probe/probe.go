// Package probe holds the Python that is put into the target: standard library only, for Python 3.8 to
// 3.14 and torch 1.13 to the newest.
package probe

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/torchleak/torchleak/internal/backend/backends"
)

//go:embed all:py
var files embed.FS

// Layout writes the probe's files below dir, which becomes an entry of the target's PYTHONPATH. dir must not be there
// yet, and only the user can read it: whoever could change its files would run code in the target.
func Layout(dir string) error {
	tree, err := fs.Sub(files, "py")
	if err != nil {
		return err
	}
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if entry.Name() == "__pycache__" {
				return fs.SkipDir
			}
			return os.Mkdir(filepath.Join(dir, filepath.FromSlash(name)), 0o700)
		}
		if path.Ext(name) != ".py" {
			return nil
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		return create(filepath.Join(dir, filepath.FromSlash(name)), data)
	})
	if err != nil {
		return fmt.Errorf("laying out the probe: %w", err)
	}
	for _, backend := range backends.All {
		file := filepath.Join(dir, "_torchleak", "backends", backend.Name+".py")
		if err := create(file, []byte(backend.Reader)); err != nil {
			return fmt.Errorf("laying out the probe: %w", err)
		}
	}
	return nil
}

// create writes a file that must not be there yet.
func create(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

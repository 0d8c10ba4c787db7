// Package probe holds the Python that is put into the target: standard library only, for Python 3.8 to
// 3.14 and torch 1.13 to the newest.
package probe

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/torchleak/torchleak/internal/backend/backends"
)

//go:embed all:py
var files embed.FS

// Layout writes the probe's files below dir, which becomes an entry of the target's PYTHONPATH. Only the
// user can read them: whoever could change them would run code in the target.
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
			return os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o700)
		}
		if path.Ext(name) != ".py" {
			return nil
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), data, 0o600)
	})
	if err != nil {
		return fmt.Errorf("laying out the probe: %w", err)
	}
	for _, backend := range backends.All {
		file := filepath.Join(dir, "_torchleak", "backends", backend.Name+".py")
		if err := os.WriteFile(file, []byte(backend.Reader), 0o600); err != nil {
			return fmt.Errorf("laying out the probe: %w", err)
		}
	}
	return nil
}

// Package probe holds the Python that is put into the target: standard library only, for Python 3.8 to
// 3.14 and torch 1.13 to the newest.
package probe

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
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
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		err = each(func(name string, text []byte) error {
			file := filepath.Join(dir, filepath.FromSlash(name))
			return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), create(file, text))
		})
	}
	if err != nil {
		return fmt.Errorf("laying out the probe: %w", err)
	}
	return nil
}

// Version names the probe by its text.
func Version() string {
	sum := sha256.New()
	_ = each(func(name string, text []byte) error {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil))
}

// each calls do with every file of the probe, named by its path below the probe's folder.
func each(do func(name string, text []byte) error) error {
	tree, err := fs.Sub(files, "py")
	if err != nil {
		return err
	}
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".py" {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		return do(name, text)
	})
	for _, backend := range backends.All {
		if err == nil {
			err = do(path.Join("_torchleak/backends", backend.Name+".py"), []byte(backend.Reader))
		}
	}
	return err
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

package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Write puts the fixed file in the place of the old one, whole or not at all. Mode and owner stay; a link stays a link. A
// file that has been fixed already, since two paths lead to it, is left.
func (f FixedFile) Write() error {
	path, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		return withoutPath(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return withoutPath(err)
	}
	now, err := os.ReadFile(path)
	switch {
	case err != nil:
		return withoutPath(err)
	case bytes.Equal(now, f.After):
		return nil
	case !bytes.Equal(now, f.Before):
		return errors.New("it was changed by somebody else meanwhile; run the command again")
	}
	old, err := os.OpenFile(path, os.O_WRONLY, 0) // renaming would not ask
	if err != nil {
		return fmt.Errorf("it is write-protected: %w", withoutPath(err))
	}
	defer old.Close()
	return replace(path, f.After, info)
}

// replace writes a file beside path, as info says, and renames it.
func replace(path string, content []byte, info fs.FileInfo) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".torchleak-*")
	if err != nil {
		return fmt.Errorf("nothing can be written into its folder: %w", withoutPath(err))
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(content)
	if err = errors.Join(withoutPath(err), keep(tmp, info), withoutPath(tmp.Close())); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// keep gives the new file the mode and, where that is allowed, the owner of the old one.
func keep(tmp *os.File, info fs.FileInfo) error {
	if owner, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = tmp.Chown(int(owner.Uid), int(owner.Gid)) // only root may give files away
	}
	return tmp.Chmod(info.Mode().Perm())
}

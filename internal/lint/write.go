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

// Write puts the fixed file in the place of the old one, whole or not at all. Mode and owner stay; a link stays a link.
func (f FixedFile) Write() error {
	path, err := filepath.EvalSymlinks(f.Path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, f.Before) {
		return errors.Join(err, fmt.Errorf("%s was changed by somebody else meanwhile", f.Name))
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".torchleak-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(f.After)
	if err = errors.Join(err, keep(tmp, info), tmp.Close()); err != nil {
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

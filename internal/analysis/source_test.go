package analysis

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestReadSource(t *testing.T) {
	dir := t.TempDir()
	plain, pipe, archive := filepath.Join(dir, "train.py"), filepath.Join(dir, "pipe"), filepath.Join(dir, "app.zip")
	if err := os.WriteFile(plain, []byte("x = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range map[string]string{"__main__.py": "y = 2\n", "pkg/mod.py": "z = 3\n"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		plain:                     "x = 1\n",
		archive + "/__main__.py":  "y = 2\n",
		archive + "/pkg/mod.py":   "z = 3\n",
		archive + "/none.py":      "",
		plain + "/__main__.py":    "",
		pipe:                      "",
		dir:                       "",
		"/dev/zero":               "",
		"/proc/self/environ":      "",
		filepath.Join(dir, "not"): "",
	} {
		got, err := readSource(path)
		if string(got) != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if want == "" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want one that says there is none", path, err)
		}
	}
}

// A recording may name any file; what is no Python source of a training here is not opened.
func TestReadSourceOfOthers(t *testing.T) {
	elsewhere, here := t.TempDir(), t.TempDir()
	t.Chdir(here)
	put := func(dir, name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(dir, name, to string) string {
		path := filepath.Join(dir, name)
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	secret := put(elsewhere, "id_rsa", "secret\n")
	for path, readable := range map[string]bool{
		secret:                          false,
		link(elsewhere, "a.py", secret): false,
		link(here, "b", secret):         false,
		put(elsewhere, "c.py", "x\n"):   true,
		put(elsewhere, "train", "#!/usr/bin/env python3\nx\n"): true,
		put(elsewhere, "notes", "#!/bin/sh\n"):                 false,
		put(here, "train", "x\n"):                              true,
	} {
		got, err := readSource(path)
		if (err == nil) != readable || !readable && (got != nil || !errors.Is(err, errForeign)) {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}

func TestReadSourceTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.py")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err)
	}
	if data, err := readSource(path); err == nil {
		t.Errorf("%d bytes were read", len(data))
	}
}

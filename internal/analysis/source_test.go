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

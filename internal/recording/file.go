package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxSmallFile bounds run.json and hello files; they are a few KiB.
const maxSmallFile = 4 << 20

// save writes a value as JSON that a person can read.
func save(path string, v any) error {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return WriteFile(path, append(b, '\n'))
}

// load reads what save wrote into v, of which version is a part; newest is the one that is known here. Without the file
// found is false and nothing wrong; errors begin with what the file is about.
func load(path, about string, v any, version *int, newest int) (found bool, err error) {
	b, err := ReadFile(path, maxSmallFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = Fault(json.Unmarshal(b, v))
	}
	if err == nil && *version > newest {
		err = fmt.Errorf("it is of version %d, and this torchleak reads version %d", *version, newest)
	}
	if err != nil {
		return true, fmt.Errorf("%s: %w", about, err)
	}
	return true, nil
}

// Fault says in words of JSON, not of Go, what is wrong with a file.
func Fault(err error) error {
	var other *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &other):
		return err
	case other.Field == "":
		return fmt.Errorf("it holds one %s", other.Value)
	}
	return fmt.Errorf("its %q is of the type %s", other.Field, other.Value)
}

// WriteFile writes a file whole: readers see the old or the new one. It is private to the user.
func WriteFile(path string, b []byte) error {
	return Replace(path, 0o600, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// Replace puts what write makes in the place of path, whole or not at all.
func Replace(path string, mode fs.FileMode, write func(io.Writer) error) error {
	stem := "." + filepath.Base(path) + "-"
	tmp, err := os.CreateTemp(filepath.Dir(path), stem)
	if err == nil {
		defer os.Remove(tmp.Name())
		err = errors.Join(write(tmp), tmp.Chmod(mode), tmp.Close())
	}
	if err != nil {
		var of *fs.PathError
		if errors.As(err, &of) && strings.HasPrefix(filepath.Base(of.Path), stem) {
			of.Path = path // the name that the user knows
		}
		return err
	}
	err = os.Rename(tmp.Name(), path)
	if of := (*os.LinkError)(nil); errors.As(err, &of) {
		return &fs.PathError{Op: "replace", Path: path, Err: of.Err}
	}
	return err
}

// ReadFile reads a file of so many bytes at most. One that is none, such as a pipe, would keep who reads it waiting for ever.
func ReadFile(path string, most int64) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > most {
		return nil, fmt.Errorf("%s: not a file of at most %d MiB", path, most>>20)
	}
	return os.ReadFile(path)
}

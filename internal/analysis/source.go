package analysis

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/torchleak/torchleak/internal/pysyntax"
)

// errForeign is said of a file that a recording names and that is no Python source of a training here.
var errForeign = errors.New("it is no Python file, and not below the working directory: it was not opened")

// readSource reads what runs as the file at path.
func (o Options) readSource(path string) ([]byte, error) {
	if len(o.Replaced) > 0 {
		if real, err := filepath.EvalSymlinks(path); err == nil && o.Replaced[real] != "" {
			path = o.Replaced[real]
		}
	}
	return readSource(path)
}

// readSource reads one of the target's sources, also out of a zip archive. Paths come from the target and may
// name anything: a pipe (`python <(…)`) or a device would be read for ever, and by us instead of the target. A recording
// made elsewhere may name a file that is none of its business, which would stand in a report that is passed on.
func readSource(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if errors.Is(err, syscall.ENOTDIR) {
		return readArchived(path)
	}
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || private(path) {
		return nil, fmt.Errorf("%w: it was no file to read again", fs.ErrNotExist)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !python(path, f) {
		return nil, errForeign
	}
	return readBounded(f)
}

// python reports whether an open file is Python source: by its name, by its first line, or since it lies below the
// directory that torchleak was called in. Where a link leads counts, not where it lies.
func python(path string, f io.ReaderAt) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	if named(real) {
		return true
	}
	first := make([]byte, 128)
	n, _ := f.ReadAt(first, 0) // shorter files end in an error
	line, _, _ := strings.Cut(string(first[:n]), "\n")
	if strings.HasPrefix(line, "#!") && strings.Contains(line, "python") {
		return true
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(here, real)
	return err == nil && filepath.IsLocal(rel) && here != string(filepath.Separator)
}

func named(path string) bool {
	switch filepath.Ext(path) {
	case ".py", ".pyw":
		return true
	}
	return false
}

// private reports whether path means another file in each process.
func private(path string) bool {
	for _, folder := range []string{"/dev/", "/proc/"} {
		if strings.HasPrefix(path, folder) {
			return true
		}
	}
	return false
}

// readArchived reads a file whose path goes through a zip archive, as `python app.zip` names its modules.
func readArchived(path string) ([]byte, error) {
	for archive := filepath.Dir(path); archive != filepath.Dir(archive); archive = filepath.Dir(archive) {
		st, err := os.Stat(archive)
		if err != nil || !st.Mode().IsRegular() {
			continue
		}
		if !named(path) {
			return nil, errForeign
		}
		z, err := zip.OpenReader(archive)
		if err != nil {
			return nil, fs.ErrNotExist
		}
		defer z.Close()
		f, err := z.Open(filepath.ToSlash(strings.TrimPrefix(path, archive+string(filepath.Separator))))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readBounded(f)
	}
	return nil, fs.ErrNotExist
}

func readBounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, pysyntax.MaxSize+1))
	if err == nil && len(data) > pysyntax.MaxSize {
		return nil, fmt.Errorf("it is larger than %d MiB", pysyntax.MaxSize>>20)
	}
	return data, err
}

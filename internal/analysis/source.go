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

// readSource reads one of the target's sources, also out of a zip archive. Paths come from the target and may
// name anything: a pipe (`python <(…)`) or a device would be read for ever, and by us instead of the target.
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
	return readBounded(f)
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

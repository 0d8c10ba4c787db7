package sentinel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/torchleak/torchleak/internal/recording"
)

// maxSpooled bounds what waits for a receiver; the oldest go first.
const maxSpooled = 1000

// spool is what waits for one receiver: a private directory with a file an alert, named so that they sort by age.
type spool struct {
	dir  string
	next atomic.Uint32
}

func newSpool(dir string) (*spool, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return &spool{dir: dir}, nil
}

func (s *spool) add(a Alert, now time.Time) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%020d-%d-%06d.json", now.UnixNano(), os.Getpid(), s.next.Add(1))
	err = recording.Replace(filepath.Join(s.dir, name), 0o600, func(w io.Writer) error { _, err := w.Write(b); return err })
	if waiting := s.waiting(); len(waiting) > maxSpooled {
		for _, path := range waiting[:len(waiting)-maxSpooled] {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// waiting lists the files, oldest first.
func (s *spool) waiting() []string {
	paths, _ := filepath.Glob(filepath.Join(s.dir, "[0-9]*.json"))
	return paths
}

// read returns an alert; one that cannot be read is removed, or it would stop those behind it.
func (s *spool) read(path string) (a Alert, err error) {
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &a)
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return a, err
}

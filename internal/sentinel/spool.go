package sentinel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/recording"
)

// maxSpooled bounds what waits for a receiver; the oldest go first.
const maxSpooled = 1000

// spool is what waits for one receiver: a private directory with a file an alert, named so that they sort by age. It is of one process
// at a time.
type spool struct {
	dir  string
	lock *os.File
	mu   sync.Mutex
	last int64 // name of the newest alert
}

// errTaken says that two processes would send the same alerts.
var errTaken = errors.New("another torchleak keeps its alerts there")

func newSpool(dir string) (*spool, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	// A file system without locks keeps nobody out.
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		_ = lock.Close()
		return nil, fmt.Errorf("%s: %w", dir, errTaken)
	}
	s := &spool{dir: dir, lock: lock}
	if waiting := s.waiting(); len(waiting) > 0 {
		_, _ = fmt.Sscanf(filepath.Base(waiting[len(waiting)-1]), "%d", &s.last) // another program's file has no number
	}
	return s, nil
}

// close lets another process have the directory.
func (s *spool) close() { _ = s.lock.Close() }

// name is that of the next alert: the time now, or later where the clock was set back, so that a fault's end comes after its begin.
func (s *spool) name(now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last+1, now.UnixNano())
	return fmt.Sprintf("%020d.json", s.last)
}

func (s *spool) add(a Alert, now time.Time) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	err = recording.Replace(filepath.Join(s.dir, s.name(now)), 0o600, func(w io.Writer) error { _, err := w.Write(b); return err })
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

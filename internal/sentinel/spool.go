package sentinel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/recording"
)

// maxSpooled bounds what waits for a receiver; the oldest go first.
const maxSpooled = 1000

// spool is what waits for one receiver, in memory, and for the next process in a private directory with a file an alert, named so that they
// sort by age. The directory is of one process at a time.
type spool struct {
	dir string

	mu      sync.Mutex
	waiting []*letter // oldest first
	last    int64     // name of the newest file
	givenUp int       // alerts that were too many, since it was asked
}

// letter is an alert that waits.
type letter struct {
	alert Alert
	path  string // of its file; empty while there is no room for one
}

// newSpool takes up what an earlier process left. What is no alert is said, and removed: it would be said again each time.
func newSpool(dir string, unreadable func(error)) (*spool, error) {
	if err := usable(dir); err != nil {
		return nil, err
	}
	s := &spool{dir: dir}
	// The directory's own name may hold what a pattern would take for its own signs.
	names, _ := fs.Glob(os.DirFS(dir), "[0-9]*.json")
	s.givenUp = max(0, len(names)-maxSpooled)
	for i, name := range names {
		path := filepath.Join(dir, name)
		_, _ = fmt.Sscanf(name, "%d", &s.last) // another program's file has no number
		if i < s.givenUp {
			_ = os.Remove(path)
			continue
		}
		a, err := readAlert(path)
		if err != nil {
			unreadable(err)
			if of := (*fs.PathError)(nil); !errors.As(err, &of) { // a disk's fault may be gone the next time
				_ = os.Remove(path)
			}
			continue
		}
		s.waiting = append(s.waiting, &letter{a, path})
	}
	return s, nil
}

func readAlert(path string) (a Alert, err error) {
	if err = Kept(path, &a); err == nil && a.check() != nil {
		err = fmt.Errorf("%s: %w", path, errNoAlert)
	}
	return a, err
}

// usable makes a directory and says why files cannot be kept there. That it is full does not matter: it may have room later.
func usable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	try, err := os.CreateTemp(dir, ".try-")
	switch {
	case err == nil:
		return errors.Join(try.Close(), os.Remove(try.Name()))
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return nil
	}
	return err
}

// add keeps an alert. The error says why it is in memory only: the first time, until the disk has room again.
func (s *spool) add(a Alert, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, &letter{a, ""})
	err := s.settle(now)
	for len(s.waiting) > maxSpooled {
		s.removeFirst()
		s.givenUp++
	}
	if s.unkept() > 1 {
		return nil
	}
	return err
}

// settle writes down what is in memory, as far as there is room. Files are named by the time now, or later where the clock was set back, so
// that a fault's end comes after its begin.
func (s *spool) settle(now time.Time) error {
	for _, l := range s.waiting[len(s.waiting)-s.unkept():] {
		b, err := json.Marshal(l.alert)
		if err != nil {
			return err
		}
		name := max(s.last+1, now.UnixNano())
		path := filepath.Join(s.dir, fmt.Sprintf("%020d.json", name))
		if err := recording.WriteFile(path, b); err != nil {
			return err
		}
		s.last, l.path = name, path
	}
	return nil
}

// unkept is how many are in memory only: the newest.
func (s *spool) unkept() int {
	if i := slices.IndexFunc(s.waiting, func(l *letter) bool { return l.path == "" }); i >= 0 {
		return len(s.waiting) - i
	}
	return 0
}

// drain gives what waits to take, oldest first, up to the first that it does not take.
func (s *spool) drain(take func(Alert) error) error {
	for l := s.oldest(); l != nil; l = s.oldest() {
		if err := take(l.alert); err != nil {
			return err
		}
		s.done(l)
	}
	return nil
}

// oldest is what has waited longest; nil where nothing waits.
func (s *spool) oldest() *letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.settle(time.Now()) // else it stays where it is
	if len(s.waiting) == 0 {
		return nil
	}
	return s.waiting[0]
}

// done forgets an alert that was taken, unless it was given up meanwhile.
func (s *spool) done(l *letter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) > 0 && s.waiting[0] == l {
		s.removeFirst()
	}
}

// removeFirst forgets the oldest. A file that cannot be removed is not sent again by this process, at least.
func (s *spool) removeFirst() {
	if path := s.waiting[0].path; path != "" {
		_ = os.Remove(path)
	}
	s.waiting = s.waiting[1:]
}

// lost is how many alerts were given up since it was last asked.
func (s *spool) lost() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.givenUp
	s.givenUp = 0
	return n
}

// left is how many wait on disk, and how many in memory only.
func (s *spool) left() (kept, unkept int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting) - s.unkept(), s.unkept()
}

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

// maxSpooled bounds what waits for a receiver, on disk and in memory; the oldest go first.
const maxSpooled = 1000

// spool is what waits for one receiver: a private directory with a file an alert, named so that they sort by age, and in memory what
// came when the disk had no room: all of it is younger.
type spool struct {
	dir string

	mu      sync.Mutex
	last    int64           // name of the newest file
	unkept  []*Alert        // oldest first
	done    map[string]bool // files that could not be removed
	givenUp int             // alerts for which there was no place, neither here nor there, since it was asked
}

func newSpool(dir string) (*spool, error) {
	if err := usable(dir); err != nil {
		return nil, err
	}
	s := &spool{dir: dir, done: map[string]bool{}}
	if files := s.files(); len(files) > 0 {
		_, _ = fmt.Sscanf(filepath.Base(files[len(files)-1]), "%d", &s.last) // another program's file has no number
	}
	return s, nil
}

// add keeps an alert. The error says why it is in memory only: the first time, until the disk has room again.
func (s *spool) add(a Alert, now time.Time) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unkept) == 0 {
		if err = s.write(a, now); err == nil {
			return nil
		}
	}
	s.unkept = append(s.unkept, &a)
	if over := len(s.unkept) - maxSpooled; over > 0 {
		s.unkept, s.givenUp = s.unkept[over:], s.givenUp+over
	}
	return err
}

// write names the file by the time now, or later where the clock was set back, so that a fault's end comes after its begin.
func (s *spool) write(a Alert, now time.Time) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	s.last = max(s.last+1, now.UnixNano())
	if err := recording.WriteFile(filepath.Join(s.dir, fmt.Sprintf("%020d.json", s.last)), b); err != nil {
		return err
	}
	files := s.files()
	for _, path := range files[:max(0, len(files)-maxSpooled)] {
		s.remove(path)
		s.givenUp++
	}
	return nil
}

// drain gives what waits to take, oldest first, up to the first that it does not take. What cannot be read is said, and done with:
// it would stop those behind it.
func (s *spool) drain(take func(Alert) error, unreadable func(error)) error {
	for _, path := range s.onDisk() {
		a, err := readAlert(path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // given up meanwhile
			continue
		case err != nil:
			unreadable(err)
		default:
			if err := take(a); err != nil {
				return err
			}
		}
		s.mu.Lock()
		s.remove(path)
		s.mu.Unlock()
	}
	for a := s.first(); a != nil; a = s.first() {
		if err := take(*a); err != nil {
			return err
		}
		s.forget(a)
	}
	return nil
}

// remove removes a file. One that stays, since the disk takes no changes any more, is not sent again by this process at least.
func (s *spool) remove(path string) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.done[path] = true
	}
}

// first is the oldest alert in memory, nil where there is none.
func (s *spool) first() *Alert {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unkept) == 0 {
		return nil
	}
	return s.unkept[0]
}

// forget takes the oldest alert out of memory, unless it was given up meanwhile.
func (s *spool) forget(a *Alert) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unkept) > 0 && s.unkept[0] == a {
		s.unkept = s.unkept[1:]
	}
}

// lost is how many alerts were given up since it was last asked.
func (s *spool) lost() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.givenUp
	s.givenUp = 0
	return n
}

// onDisk lists the files of what waits, oldest first.
func (s *spool) onDisk() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(s.files(), func(path string) bool { return s.done[path] })
}

// files lists the alerts on disk, oldest first. A directory's name may hold what a pattern would take for its own signs.
func (s *spool) files() (paths []string) {
	names, _ := fs.Glob(os.DirFS(s.dir), "[0-9]*.json")
	for _, name := range names {
		paths = append(paths, filepath.Join(s.dir, name))
	}
	return paths
}

func readAlert(path string) (a Alert, err error) {
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &a)
	}
	if err == nil {
		err = a.check()
	}
	return a, err
}

// usable makes a directory and says why files cannot be kept there. That it is full does not matter: it may have room later.
func usable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".try-")
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

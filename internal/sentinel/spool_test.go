package sentinel

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// numbered is an alert of a process of that number.
func numbered(i int) Alert { return Alert{Name: "leak", PID: i} }

// waiting are the numbers of the alerts that a spool gives.
func waiting(t *testing.T, s *spool) (pids []int) {
	t.Helper()
	if err := s.drain(func(a Alert) error { pids = append(pids, a.PID); return nil }); err != nil {
		t.Error(err)
	}
	return pids
}

func newTestSpool(t *testing.T, dir string) *spool {
	t.Helper()
	s, err := newSpool(dir, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The newest alerts are kept, on disk and in memory, and how many were given up for them is known.
func TestSpoolIsBounded(t *testing.T) {
	s := newTestSpool(t, filepath.Join(t.TempDir(), "ops"))
	add := func(from, to int) (failed int) {
		for i := from; i < to; i++ {
			if s.add(numbered(i), began.Add(time.Duration(i))) != nil {
				failed++
			}
		}
		return failed
	}
	if failed, lost, again := add(0, maxSpooled+5), s.lost(), s.lost(); failed != 0 || lost != 5 || again != 0 {
		t.Errorf("%d were not kept on disk, %d and %d are given up", failed, lost, again)
	}
	if files, err := os.ReadDir(s.dir); err != nil || len(files) != maxSpooled {
		t.Errorf("%d files, %v", len(files), err)
	}
	full(t, s, true)
	if failed, lost := add(maxSpooled+5, maxSpooled+12), s.lost(); failed != 1 || lost != 7 { // the failure is said once
		t.Errorf("%d were not kept on disk, %d are given up", failed, lost)
	}
	if kept, unkept := s.left(); kept != maxSpooled-7 || unkept != 7 {
		t.Errorf("%d on disk, %d in memory", kept, unkept)
	}
	full(t, s, false)
	pids := waiting(t, s)
	if len(pids) != maxSpooled || pids[0] != 12 || pids[len(pids)-1] != maxSpooled+11 || !slices.IsSorted(pids) {
		t.Errorf("%d wait, from %d to %d", len(pids), pids[0], pids[len(pids)-1])
	}
}

// What had no room is on disk as soon as there is some again, though the receiver takes nothing: the process may be killed.
func TestSpoolSettles(t *testing.T) {
	s := newTestSpool(t, filepath.Join(t.TempDir(), "ops"))
	full(t, s, true)
	for i := range 3 {
		_ = s.add(numbered(i), began)
	}
	full(t, s, false)
	down := errors.New("down")
	taken := func(a Alert) error {
		full(t, s, true) // while the oldest is on its way
		_ = s.add(numbered(3), began)
		full(t, s, false)
		return down
	}
	if err := s.drain(taken); !errors.Is(err, down) {
		t.Errorf("%v", err)
	}
	if err := s.add(numbered(4), began); err != nil {
		t.Error(err)
	}
	if pids := waiting(t, newTestSpool(t, s.dir)); !slices.Equal(pids, []int{0, 1, 2, 3, 4}) {
		t.Errorf("the next process finds %v", pids)
	}
}

// An alert may be given up while it is on its way: the one behind it is not taken for it.
func TestSpoolGivesUpWhatIsSent(t *testing.T) {
	s := newTestSpool(t, t.TempDir())
	add := func(i int) {
		if err := s.add(numbered(i), began); err != nil {
			t.Fatal(err)
		}
	}
	for i := range maxSpooled {
		add(i)
	}
	taken := 0
	if err := s.drain(func(a Alert) error {
		if a.PID != taken {
			t.Errorf("%d comes after %d", a.PID, taken-1)
		}
		if taken++; taken == 1 {
			add(maxSpooled)
		}
		return nil
	}); err != nil || taken != maxSpooled+1 {
		t.Errorf("%d are taken, %v", taken, err)
	}
}

// full makes a spool's directory as one on a full disk, in which no file can be made.
func full(t *testing.T, s *spool, is bool) {
	t.Helper()
	from, to := s.dir, s.dir+".away"
	if !is {
		from, to = to, from
	}
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// A directory's name may hold anything that a name may: recordings are named by their users.
func TestSpoolOfAnyName(t *testing.T) {
	for _, name := range []string{"lr[0.1]", "a*b", `back\slash`, "two\nlines", "[", "?"} {
		dir := filepath.Join(t.TempDir(), name, "ops")
		if err := newTestSpool(t, dir).add(numbered(7), began); err != nil {
			t.Fatal(err)
		}
		if got := waiting(t, newTestSpool(t, dir)); len(got) != 1 || got[0] != 7 {
			t.Errorf("in %q wait %v", dir, got)
		}
	}
}

// The clock may be set back between a fault and its end: they are sent in the order in which they came, also by the next process.
func TestSpoolOrder(t *testing.T) {
	dir := t.TempDir()
	for i := range 4 {
		if err := newTestSpool(t, dir).add(numbered(i), began.Add(-time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	for i, pid := range waiting(t, newTestSpool(t, dir)) {
		if pid != i {
			t.Errorf("%d in the place of %d", pid, i)
		}
	}
}

// What is broken is said once, and stops nothing behind it.
func TestSpoolIsDamaged(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"1": "", "2": "{", "3": "null", "4": "[]", "5": `{"name":"leak","resolved":true}`, "6": `{"name":"leak","pid":"7"}`, "7": `{"name":"leak","pid":7}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "8.json", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "9.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{8, 1} { // files; the directory stays
		var said []string
		s, err := newSpool(dir, func(err error) { said = append(said, err.Error()) })
		if err != nil || len(said) != want || !strings.Contains(said[0], dir) || strings.Contains(fmt.Sprint(said), "Go ") || len(s.waiting) != 1 || s.waiting[0].alert.PID != 7 {
			t.Errorf("said %q, %d wait, %v", said, len(s.waiting), err)
		}
	}
}

// What cannot be read now is not thrown away: a link that leads in circles stands for a disk that fails.
func TestSpoolIsUnreadable(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("1.json", filepath.Join(dir, "1.json")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		said := 0
		if _, err := newSpool(dir, func(error) { said++ }); err != nil || said != 1 {
			t.Errorf("said %d times, %v", said, err)
		}
	}
}

// Of more files than are kept the newest are taken up, and how many were given up is known.
func TestSpoolOfMany(t *testing.T) {
	dir := t.TempDir()
	for i := range maxSpooled + 7 {
		if err := Keep(filepath.Join(dir, fmt.Sprintf("%020d.json", i+1)), numbered(i)); err != nil {
			t.Fatal(err)
		}
	}
	s := newTestSpool(t, dir)
	if pids, lost := waiting(t, s), s.lost(); len(pids) != maxSpooled || pids[0] != 7 || lost != 7 {
		t.Errorf("%d wait, %d are given up", len(pids), lost)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("%d files are left, %v", len(files), err)
	}
}

// An alert that was taken is not sent again where its file stays, as on a disk that has become read-only.
func TestSpoolTakesNoChanges(t *testing.T) {
	s := newTestSpool(t, t.TempDir())
	// A directory that is not empty is a file that cannot be removed, for root as well.
	if err := s.add(numbered(1), began); err != nil {
		t.Fatal(err)
	}
	path := s.waiting[0].path
	taken := 0
	take := func(Alert) error {
		taken++
		return errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "stays"), 0o700))
	}
	for range 2 {
		if err := s.drain(take); err != nil || taken != 1 || len(s.waiting) != 0 {
			t.Errorf("taken %d times, %v", taken, err)
		}
	}
}

// A directory in which nothing can be kept is refused, with its name.
func TestSpoolCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dirs := []string{file, "/proc/self"}
	if os.Geteuid() != 0 {
		dirs = append(dirs, "/")
	}
	for _, dir := range dirs {
		if _, err := Open(nil, dir, func(string) {}); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

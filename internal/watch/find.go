package watch

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/inject"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// place is where a recording lies.
type place struct {
	path string // as the training knows it
	open string // as it is opened from here: another path where the training has a root directory of its own
}

// running lists the recordings that are made now: told by the environment of the processes that train, and by what a torchleak writes,
// for one that has attached is in no environment. Processes of others than these users tell nothing.
func running(users []int) (places []place) {
	known := map[string]bool{}
	add := func(p place) {
		if id := identity(p.open); !known[id] {
			known[id] = true
			places = append(places, p)
		}
	}
	var recorders []int
	for _, pid := range process.All() {
		if !owned(process.File(pid, ""), users) {
			continue
		}
		if dir := trainsIn(pid); filepath.IsAbs(dir) {
			add(placeOf(pid, dir))
		} else if name, _ := os.ReadFile(process.File(pid, "comm")); string(name) == "torchleak\n" {
			recorders = append(recorders, pid)
		}
	}
	for _, pid := range recorders {
		for _, dir := range writes(pid) {
			if p := placeOf(pid, dir); isRecording(p.open) { // any process may be called torchleak
				add(p)
			}
		}
	}
	return places
}

// placeOf is where a recording lies that a process knows by this path.
func placeOf(pid int, path string) place {
	path = filepath.Clean(path)
	return place{path, filepath.Join(rootOf(pid), path)}
}

// identity is the same for all paths of a directory; of one that is not there it is the path.
func identity(path string) string {
	var st syscall.Stat_t
	if syscall.Stat(path, &st) != nil {
		return path
	}
	return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}

// trainsIn is the recording in the environment of a process; empty where there is none, or the process has just ended.
func trainsIn(pid int) string {
	mark := []byte("\x00" + inject.RunDirectory + "=")
	env, _ := os.ReadFile(process.File(pid, "environ"))
	_, rest, _ := bytes.Cut(append([]byte{0}, env...), mark)
	dir, _, _ := bytes.Cut(rest, []byte{0})
	return string(dir)
}

// writes lists the directories of the samples that a process has open to write; who reads a recording makes none.
func writes(pid int) (dirs []string) {
	descriptors, _ := os.ReadDir(process.File(pid, "fd"))
	for _, fd := range descriptors {
		link := process.File(pid, "fd/"+fd.Name())
		if st, err := os.Lstat(link); err != nil || st.Mode()&0o200 == 0 {
			continue
		}
		if path, err := os.Readlink(link); err == nil && filepath.IsAbs(path) && filepath.Ext(path) == recording.SamplesExt {
			dirs = append(dirs, filepath.Dir(path))
		}
	}
	return dirs
}

// rootOf is the root directory of a process as seen from here: "/" but for one in a container.
func rootOf(pid int) string {
	root := process.File(pid, "root")
	if link, err := os.Readlink(root); err != nil || link == "/" && sameFile(root, "/") {
		return "/"
	}
	return root + "/"
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func owned(path string, users []int) bool {
	var st syscall.Stat_t
	return syscall.Lstat(path, &st) == nil && slices.Contains(users, int(st.Uid))
}

// errForeign is said of a recording that somebody else may have made.
var errForeign = errors.New("it belongs to another user")

// admissible says why a recording is not to be read: another user could have put anything there.
func admissible(path string, users []int) error {
	st, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !st.IsDir():
		return errors.New("it is no directory")
	case !owned(path, users):
		return errForeign
	case st.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("other users may write to it (%v)", st.Mode())
	}
	return nil
}

// A directory that was named is searched so deep, and so wide: it may be a recording itself, the .torchleak of a project,
// a project, or a folder of projects.
const (
	searchDepth = 3
	searchWidth = 100_000
)

// folder is a searched directory as it was last listed.
type folder struct {
	path       string
	depth      int
	listed     time.Time // its modification time then
	folders    []*folder
	recordings []string
}

// search lists the recordings at and below f. A directory that has not changed is not listed again; of one that has, met is
// told each recording in it.
func (f *folder) search(budget *int, met func(path string)) {
	st, err := os.Lstat(f.path)
	if err != nil || !st.IsDir() {
		f.folders, f.recordings = nil, nil
		return
	}
	if !st.ModTime().Equal(f.listed) {
		f.list(budget)
		f.listed = time.Time{}
		if time.Since(st.ModTime()) > settled {
			f.listed = st.ModTime()
		}
		for _, path := range f.recordings {
			met(path)
		}
	}
	for _, sub := range f.folders {
		sub.search(budget, met)
	}
}

// settled is how old a modification time has to be before it tells of every later change.
const settled = 100 * time.Millisecond

func (f *folder) list(budget *int) {
	before := f.folders
	f.folders, f.recordings = nil, nil
	if f.depth == 0 && isRecording(f.path) {
		f.recordings = []string{f.path}
		return
	}
	entries, _ := os.ReadDir(f.path) // one that cannot be read holds nothing for us
	for _, entry := range entries {
		if !entry.IsDir() || *budget <= 0 {
			continue
		}
		*budget--
		path := filepath.Join(f.path, entry.Name())
		switch {
		case isRecording(path):
			f.recordings = append(f.recordings, path)
		case f.depth+1 < searchDepth && (entry.Name()[0] != '.' || entry.Name() == ".torchleak"):
			f.folders = append(f.folders, keep(before, path, f.depth+1))
		}
	}
}

// keep returns what is known of a folder, or a new one.
func keep(known []*folder, path string, depth int) *folder {
	if i := slices.IndexFunc(known, func(f *folder) bool { return f.path == path }); i >= 0 {
		return known[i]
	}
	return &folder{path: path, depth: depth}
}

func isRecording(path string) bool {
	_, err := os.Lstat(filepath.Join(path, "run.json"))
	return err == nil
}

// processorTime is what a call takes of the processor: where others keep that busy, much less than goes by meanwhile.
func processorTime(call func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	used := func() time.Duration {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_THREAD, &u) // an address that is ours is all it asks for
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	call()
	return used() - before
}

// Package recording is the directory a run leaves: who trained (hello), the flight recorders, the samples
// drained from them, the evidence and the report. docs/format/recording.md draws it.
//
// A recording is complete without torchleak having ended: what was not drained is still in the recorders.
package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/units"
)

// Dir is one run's directory.
type Dir struct{ Path string }

// Run says what was started; it is the file run.json.
type Run struct {
	Run     int       `json:"run"` // version of this file, 1
	Tool    string    `json:"tool"`
	Argv    []string  `json:"argv"`
	Cwd     string    `json:"cwd"`
	PID     int       `json:"pid"` // of the command, 0 until it was started
	Started time.Time `json:"started"`
	Exit    *int      `json:"exit,omitempty"`    // absent while it runs and when torchleak did not see the end
	Stopped string    `json:"stopped,omitempty"` // why torchleak ended it, or let go of it: steps, timeout, told
	// Attached says that the process, PID, ran before: it was not started by torchleak.
	Attached bool `json:"attached,omitempty"`
	// Ended says that the process that was attached to was seen to end; how is in its end.json, where that is known.
	Ended bool `json:"ended,omitempty"`
	// StoppedSeconds is how long it stood still for being attached to and let go.
	StoppedSeconds float64 `json:"stopped_seconds,omitempty"`
}

// LetGo reports whether a process that was attached to was let go: it goes on, and nobody watches it.
func (r Run) LetGo() bool { return r.Attached && r.Stopped != "" && !r.Ended }

// Over reports whether nothing more is recorded: the end of what was watched was seen, or the end of the watch.
func (r Run) Over() bool { return r.Exit != nil || r.Stopped != "" || r.Ended }

// Create makes the directory of a new run: path itself where given, else .torchleak/<time> below the
// working directory. It is private to the user. Where the default place cannot be written or has no room, a temporary
// directory is used and warning says so.
func Create(path string, now time.Time) (d Dir, warning string, err error) {
	if path != "" {
		if err := roomy(path); err != nil {
			return d, "", err
		}
		if err := os.MkdirAll(path, 0o700); err != nil {
			return d, "", fmt.Errorf("making the recording directory: %w", err)
		}
		if err := ours(path); err != nil {
			return d, "", err
		}
		if _, err := os.Lstat(filepath.Join(path, "run.json")); err == nil {
			return d, "", fmt.Errorf("%s already holds a recording; name another directory or remove it", path)
		}
		return newDir(path)
	}
	base := ".torchleak"
	if err = roomy(base); err == nil {
		err = os.MkdirAll(base, 0o700)
	}
	if err == nil {
		path, err = unused(filepath.Join(base, now.Format("2006-01-02T15-04-05")))
	}
	if err == nil {
		hide(base)
		return newDir(path)
	}
	tmp, tmpErr := temporary()
	if tmpErr != nil {
		return d, "", fmt.Errorf("making the recording directory: %w; and no temporary directory: %w", err, tmpErr)
	}
	d, _, err2 := newDir(tmp)
	return d, fmt.Sprintf("cannot write below %s (%v); recording in %s", base, err, tmp), err2
}

// unused makes a directory of this name, or of one behind it by chance where others have begun in the same second: of a whole
// cluster, maybe, so that counting up would not do.
func unused(path string) (string, error) {
	err := os.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+"-")
	}
	return path, err
}

func temporary() (string, error) {
	if err := roomy(os.TempDir()); err != nil {
		return "", err
	}
	return os.MkdirTemp("", "torchleak-")
}

// What a recording takes at the least: the flight recorder of one process (2 MiB), the probe's own code, which is some 90
// files, and the reports.
const (
	leastRoom  = 4 << 20
	leastFiles = 128
)

// roomy says where there is too little room at path, which need not be there yet.
func roomy(path string) error {
	var st syscall.Statfs_t
	for syscall.Statfs(path, &st) == syscall.ENOENT && path != filepath.Dir(path) {
		path = filepath.Dir(path)
	}
	// Some file systems, of those on networks, tell no size.
	if free := st.Bavail * uint64(st.Bsize); st.Blocks > 0 && free < leastRoom {
		return fmt.Errorf("%w: a recording takes %s at least, %s are free", syscall.ENOSPC, units.Bytes(leastRoom), units.Bytes(int64(free)))
	}
	// Some count no files.
	if st.Files > 0 && st.Ffree < leastFiles {
		return fmt.Errorf("%w: a recording takes %d files at least, %d can be made (df -i)", syscall.ENOSPC, leastFiles, st.Ffree)
	}
	return nil
}

// Discard removes a recording that never began, and nothing else that lies in its place.
func (d Dir) Discard() {
	_ = os.Remove(d.File("run.json"))
	_ = os.Remove(d.Path) // fails where it holds something
}

// hide keeps the recordings out of `git add`, as other tools do with what they leave behind. Without it they are only
// in the way.
func hide(base string) {
	if f, err := os.OpenFile(filepath.Join(base, ".gitignore"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
		_, _ = f.WriteString("*\n")
		_ = f.Close()
	}
}

// ours returns why a directory cannot be trusted: the target runs the probe from it, so that whoever may write there
// could run code as its user.
func ours(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("making the recording directory: %w", err)
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok && int(sys.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to another user, who could change what the command runs", path)
	}
	if st.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("others may write to %s (%v) and so change what the command runs", path, st.Mode())
	}
	return nil
}

func newDir(path string) (Dir, string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Dir{}, "", err
	}
	probe := filepath.Join(abs, "run.json")
	if err := WriteFile(probe, []byte("{}\n")); err != nil { // an agent may look at it at any moment
		return Dir{}, "", fmt.Errorf("the recording directory cannot be written: %w", err)
	}
	return Dir{abs}, "", nil
}

// Open opens an existing recording.
func Open(path string) (Dir, error) {
	st, err := os.Stat(path)
	if err != nil {
		return Dir{}, err
	}
	if !st.IsDir() {
		path = filepath.Dir(path)
	}
	d := Dir{path}
	if _, err := os.Stat(d.File("run.json")); err == nil {
		return d, nil
	}
	if ps, _ := d.Processes(); len(ps) > 0 {
		return d, nil
	}
	return Dir{}, fmt.Errorf("%s is not a recording: neither run.json nor a probe's hello is in it", path)
}

// File is the path of a file in the recording.
func (d Dir) File(name string) string { return filepath.Join(d.Path, name) }

// runVersion is that of run.json.
const runVersion = 1

// SaveRun writes run.json.
func (d Dir) SaveRun(r Run) error {
	r.Run = runVersion
	return save(d.File("run.json"), r)
}

// LoadRun reads run.json. What is missing or broken gives what little is known; why is an error where the file is there.
func (d Dir) LoadRun() (Run, error) {
	var r Run
	_, err := load(d.File("run.json"), "run.json, which says what was started and how it ended", &r, &r.Run, runVersion)
	return r, err
}

// Hello is what a process says of itself once torch is imported.
type Hello struct {
	Hello      int              `json:"hello"`
	PID        int              `json:"pid"`
	PPID       int              `json:"ppid"`
	Argv       []string         `json:"argv"`
	Executable string           `json:"executable"`
	Cwd        string           `json:"cwd"`
	Python     string           `json:"python"`
	Torch      string           `json:"torch"`
	Rank       int              `json:"rank"`
	WorldSize  int              `json:"world_size"`
	LocalRank  int              `json:"local_rank"`
	StartWall  int64            `json:"start_wall_ns"`
	HeapSource string           `json:"heap_source"`
	Backends   []string         `json:"backends"`
	Limits     map[string]int64 `json:"limits"`
	Flight     string           `json:"flight"`
	Role       string           `json:"role"`
	Host       string           `json:"host"`
	Job        Job              `json:"job"`
	Dataset    *Dataset         `json:"dataset"` // of a loader worker
	MainFile   string           `json:"main_file"`
	Notes      []string         `json:"notes"`
}

// Target is the process as reports name it.
func (h Hello) Target() finding.Target {
	return finding.Target{
		Argv: h.Argv, PID: h.PID, Python: h.Python, Torch: h.Torch, Rank: max(h.Rank, 0), WorldSize: max(h.WorldSize, 1),
		Cwd: h.Cwd, Host: h.Host, Began: h.StartWall,
	}
}

// Job is by what names a process knows the job that it is a part of; what it does not know is empty.
type Job struct {
	Run       string `json:"run"`       // of torchrun
	Master    string `json:"master"`    // ADDRESS:PORT where the ranks meet
	Scheduler string `json:"scheduler"` // its name and number, such as "slurm 77"
}

// Dataset is the class of the data set that a loader worker reads.
type Dataset struct {
	Class string `json:"class"` // qualified name
	File  string `json:"file"`  // of its module; empty where that has none
}

// Process is one process of the run that imported torch.
type Process struct {
	Key   string // pid-start, the stem of its files
	Hello Hello
	dir   Dir
}

// Flight is the path of its flight recorder, empty before its first step.
func (p Process) Flight() string {
	if p.Hello.Flight == "" || filepath.Base(p.Hello.Flight) != p.Hello.Flight {
		return ""
	}
	return p.dir.File(p.Hello.Flight)
}

// Evidence lists its evidence files, oldest request first.
func (p Process) Evidence() []string {
	names, _ := p.dir.files(p.Key+".evidence-", ".json")
	sort.Slice(names, func(i, j int) bool {
		if len(names[i]) != len(names[j]) { // request numbers are not padded
			return len(names[i]) < len(names[j])
		}
		return names[i] < names[j]
	})
	return names
}

// EvidenceFile is the path of the answer to a request.
func (p Process) EvidenceFile(request uint32) string {
	return p.dir.File(fmt.Sprintf("%s.evidence-%d.json", p.Key, request))
}

// SamplesExt ends the names of files of samples.
const SamplesExt = ".samples"

// Samples is the path of its drained samples.
func (p Process) Samples() string { return p.dir.File(p.Key + SamplesExt) }

// WorkerSamples is the path of what was seen of its loader workers.
func (p Process) WorkerSamples() string { return p.dir.File(p.Key + ".workers") }

// Batches is the path of the recorder of a loader worker, which has a record for each of its batches. What was drained from
// it is in its trainer's WorkerSamples.
func (p Process) Batches() string { return p.dir.File(p.Key + ".batches") }

// Shortage is the path of what it left when memory ran out.
func (p Process) Shortage() string { return p.dir.File(p.Key + ".oom.json") }

// History is the path of the allocation history that it left with it.
func (p Process) History() string { return p.dir.File(p.Key + ".oom.pickle") }

// Profile is the path of what it wrote of some steps in full.
func (p Process) Profile() string { return p.dir.File(p.Key + ".profile.json") }

// Remove removes what a loader worker has said of itself, and its recorder where there is one left.
func (p Process) Remove() error {
	_ = os.Remove(p.Batches())
	return os.Remove(p.dir.File(p.Key + helloSuffix))
}

const (
	helloSuffix  = ".hello.json"
	helloVersion = 1
)

// Processes lists the processes that said hello, by rank, then by start. Broken hellos are warnings.
func (d Dir) Processes() ([]Process, []error) {
	names, err := d.files("", helloSuffix)
	if err != nil {
		return nil, []error{err}
	}
	var ps []Process
	var warnings []error
	for _, name := range names {
		p := Process{Key: strings.TrimSuffix(filepath.Base(name), helloSuffix), dir: d}
		found, err := load(name, "reading "+filepath.Base(name), &p.Hello, &p.Hello.Hello, helloVersion)
		switch {
		case err != nil:
			warnings = append(warnings, err)
		case found: // that of a loader worker may have gone since
			ps = append(ps, p)
		}
	}
	sort.SliceStable(ps, func(i, j int) bool {
		if ps[i].Hello.Rank != ps[j].Hello.Rank {
			return ps[i].Hello.Rank < ps[j].Hello.Rank
		}
		return ps[i].Hello.StartWall < ps[j].Hello.StartWall
	})
	return ps, warnings
}

// files lists the recording's files of that beginning and end, by name. The folder's own name is no pattern: it
// may hold brackets and stars.
func (d Dir) files(prefix, suffix string) ([]string, error) {
	entries, err := os.ReadDir(d.Path)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, entry := range entries {
		name := entry.Name()
		if len(name) > len(prefix)+len(suffix) && strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) {
			paths = append(paths, d.File(name))
		}
	}
	return paths, nil
}

package ranks

import (
	"cmp"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/recording"
)

// Source is one recording, with what tells whose job it is of.
type Source struct {
	Dir    recording.Dir
	Run    recording.Run
	ID     string   // what its job is called; empty where nothing calls it
	keys   []string // by which its job is known; of a single process none
	world  int
	main   string // file of the training
	hellos []process
}

// process is what no two processes have in common.
type process struct {
	host       string
	pid        int
	began      int64
	rank, size int
}

// Open opens the recordings that a path means: the one that it is, or those that lie in it, each node's or each start's.
func Open(path string) ([]recording.Dir, error) {
	dir, err := recording.Open(path)
	if err == nil {
		return []recording.Dir{dir}, nil
	}
	var found []recording.Dir
	entries, _ := os.ReadDir(path) // what is no folder holds none
	for _, entry := range entries {
		if inside, openErr := recording.Open(filepath.Join(path, entry.Name())); openErr == nil && entry.IsDir() {
			found = append(found, inside)
		}
	}
	if len(found) == 0 {
		return nil, err
	}
	return found, nil
}

// Look reads what the processes of a recording say of their job.
func Look(dir recording.Dir) Source {
	s := Source{Dir: dir, world: 1}
	s.Run, _ = dir.LoadRun() // what is wrong with either is said when the recording is read
	processes, _ := dir.Processes()
	for _, p := range processes {
		h := p.Hello
		if h.Flight == "" {
			continue
		}
		s.hellos = append(s.hellos, process{h.Host, h.PID, h.StartWall, h.Rank, h.WorldSize})
		s.world, s.main = max(s.world, h.WorldSize), filepath.Base(h.MainFile)
		if h.WorldSize > 1 {
			s.ID = cmp.Or(h.Job.Run, h.Job.Scheduler, h.Job.Master, s.ID)
			s.keys = append(s.keys, keys(h)...)
		}
	}
	slices.Sort(s.keys)
	s.keys = slices.Compact(s.keys)
	return s
}

// keys are the names that no two jobs have in common. A scheduler's number is none as long as there is another: several
// trainings may run in one job of a scheduler.
func keys(h recording.Hello) []string {
	var out []string
	if h.Job.Run != "" {
		out = append(out, "run "+h.Job.Run)
	}
	if h.Job.Master != "" {
		place := ""
		if loopback(h.Job.Master) {
			place = " on " + h.Host
		}
		out = append(out, "master "+h.Job.Master+place+" of "+h.Job.Scheduler)
	}
	if len(out) == 0 && h.Job.Scheduler != "" {
		out = append(out, "scheduler "+h.Job.Scheduler)
	}
	return out
}

// loopback reports whether an ADDRESS:PORT means another place on each machine.
func loopback(master string) bool {
	host, _, _ := strings.Cut(master, ":")
	if i := strings.LastIndexByte(master, ':'); i >= 0 {
		host = strings.Trim(master[:i], "[]")
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Jobs sorts recordings into those of one job each. Ranks that were given no name for their job are taken to be of one where
// their program and their number are the same.
func Jobs(sources []Source) [][]Source {
	var jobs [][]Source
	at := map[string]int{} // job by key
	for _, s := range sources {
		known := s.keys
		switch {
		case s.world < 2:
			known = []string{"path " + s.Dir.Path}
		case len(known) == 0:
			known = []string{fmt.Sprintf("ranks %d of %s", s.world, s.main)}
		}
		i := len(jobs)
		for _, key := range known {
			if j, ok := at[key]; ok {
				i = min(i, j)
			}
		}
		if i == len(jobs) {
			jobs = append(jobs, nil)
		}
		for _, key := range known {
			if j, ok := at[key]; ok && j != i { // it joins two that were taken to be different
				jobs[i], jobs[j] = append(jobs[i], jobs[j]...), nil
				for k := range at {
					if at[k] == j {
						at[k] = i
					}
				}
			}
			at[key] = i
		}
		jobs[i] = append(jobs[i], s)
	}
	return slices.DeleteFunc(jobs, func(j []Source) bool { return len(j) == 0 })
}

// Copies returns the sources without those whose processes are all in an earlier one, and the paths of those.
func Copies(sources []Source) (kept []Source, copies []string) {
	seen := map[process]bool{}
	for _, s := range sources {
		again := len(s.hellos) > 0
		for _, p := range s.hellos {
			again = again && seen[p]
			seen[p] = true
		}
		if again {
			copies = append(copies, s.Dir.Path)
		} else {
			kept = append(kept, s)
		}
	}
	return kept, copies
}

// Steps reports whether a process of the recording has begun to step.
func (s Source) Steps() bool { return len(s.hellos) > 0 }

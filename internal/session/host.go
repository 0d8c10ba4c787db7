package session

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/process"
	"github.com/torchleak/torchleak/internal/recording"
)

// pagesOf looks from time to time where the pages of a trainer and its loader workers are, and what bounds them: at one process
// after the other. The kernel holds the page tables of that one meanwhile: so it may take only a part of the time.
type pagesOf struct {
	seen    recording.Host
	due     time.Time
	changed bool // … since it was saved
	looks   int
	next    int // the worker whose turn it is; behind the last one, and at first, the trainer
}

// How often: densely at first, for a short training would end unseen.
const (
	hostEarly = 100 * time.Millisecond
	hostLater = time.Second
	hostDense = 200
)

// look reads one process when that is due, and reports whether it did.
func (h *pagesOf) look(now time.Time, trainer int, workers []*worker, step int64) bool {
	if now.Before(h.due) || step == 0 {
		return false
	}
	began := time.Now()
	h.turn(trainer, workers, step)
	if g, err := process.GroupOf(trainer); err == nil {
		h.seen.Group = &g
	}
	h.readShm()
	h.looks++
	wait, part := hostLater, time.Duration(partLater)
	if h.looks < hostDense {
		wait, part = hostEarly, partEarly
	}
	h.due = now.Add(max(wait, part*time.Since(began)))
	h.changed = true
	return true
}

// readShm reads how full the file system of shared memory is: what is left there need not be mapped by anybody.
func (h *pagesOf) readShm() {
	var st unix.Statfs_t
	if unix.Statfs("/dev/shm", &st) != nil || st.Blocks == 0 {
		return
	}
	used, total := int64(st.Blocks-st.Bfree)*st.Bsize, int64(st.Blocks)*st.Bsize
	if h.seen.Shm == nil {
		h.seen.Shm = &recording.HostShm{First: used}
	}
	h.seen.Shm = &recording.HostShm{First: h.seen.Shm.First, Used: used, Total: total}
}

// turn reads the process whose turn it is: the trainer, then each worker.
func (h *pagesOf) turn(trainer int, workers []*worker, step int64) {
	for h.next < len(workers) && workers[h.next] == nil {
		h.next++
	}
	if h.looks == 0 || h.next >= len(workers) {
		h.next = 0
		h.read("trainer", trainer, step)
		return
	}
	h.read(memory.Worker(h.next), workers[h.next].pid, step)
	h.next++
}

// read replaces what was last seen of a process by what it is now. Of one that has ended the last look stays.
func (h *pagesOf) read(name string, pid int, step int64) {
	parts, err := process.ReadParts(pid)
	if err != nil {
		return
	}
	now := recording.HostPages{Name: name, PID: pid, Step: step, Parts: parts}
	if i := slices.IndexFunc(h.seen.Processes, func(p recording.HostPages) bool { return p.Name == name }); i >= 0 {
		h.seen.Processes[i] = now
		return
	}
	h.seen.Processes = append(h.seen.Processes, now)
}

// save writes down what was seen since the last time.
func (h *pagesOf) save(p recording.Process) error {
	if !h.changed {
		return nil
	}
	h.changed = false
	return p.SaveHost(h.seen)
}

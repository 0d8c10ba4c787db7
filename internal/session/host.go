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
	aside   aside[looked]
	seen    recording.Host
	due     time.Time
	changed bool // … since it was saved
	looks   int
	left    int64 // of shared memory at the look before, as in recording.HostShm
	next    int   // the worker whose turn it is; behind the last one, and at first, the trainer
}

// How often: densely for a few looks, for a short training would end unseen. One takes 10 to 15 ms of a processor where a
// training maps 600 to 1,700 regions, as PyTorch 2.15 and 1.13 do: behind the few no more than a hundredth of the time.
const (
	hostEarly = 100 * time.Millisecond
	hostLater = time.Second
	hostDense = 16
	lastLook  = time.Second // what is being read at the end is waited for
)

// looked is what one look has found.
type looked struct {
	pages recording.HostPages
	group *process.Group
	shm   *recording.HostShm
	ok    bool // the process was still there
	took  time.Duration
}

// look reads one process when that is due, beside the polling, and reports whether something was read since.
func (h *pagesOf) look(now time.Time, trainer int, workers []*worker, step int64) bool {
	if h.aside.busy() {
		return h.take(now, 0)
	}
	if now.Before(h.due) || step == 0 {
		return false
	}
	name, pid := h.turn(trainer, workers)
	h.aside.start(func() looked { return lookAt(name, pid, trainer, step) })
	return false
}

// take enters what a look has found, where it comes within the patience.
func (h *pagesOf) take(now time.Time, patience time.Duration) bool {
	l, ok := h.aside.done(patience)
	if !ok {
		return false
	}
	h.enter(l)
	h.looks++
	wait, part := hostLater, time.Duration(partLater)
	if h.looks < hostDense {
		wait, part = hostEarly, partEarly
	}
	h.due = now.Add(max(wait, part*l.took))
	h.changed = true
	return true
}

func lookAt(name string, pid, trainer int, step int64) looked {
	began := time.Now()
	parts, err := process.ReadParts(pid)
	limits, _ := process.ReadLimits(pid) // of one that has ended there is nothing to say
	l := looked{pages: recording.HostPages{Name: name, PID: pid, Step: step, Parts: parts, Limits: limits}, ok: err == nil, shm: readShm()}
	if g, err := process.GroupOf(trainer); err == nil {
		l.group = &g
	}
	l.took = time.Since(began)
	return l
}

// leave notes what lies in shared memory that this training has not mapped, whenever its trainer was looked at: a training that ends may
// take its files away. One look alone may have met a batch on its way.
func (h *pagesOf) leave(l looked) {
	if l.shm == nil || l.pages.Name != recording.Trainer {
		return
	}
	left := l.shm.Used - l.shm.First
	for _, pages := range h.seen.Processes {
		left -= pages.Shm
	}
	l.shm.Left = max(l.shm.Left, min(left, h.left))
	h.left = left
}

// readShm reads how full the file system of shared memory is: what is left there need not be mapped by anybody.
func readShm() *recording.HostShm {
	var st unix.Statfs_t
	if unix.Statfs("/dev/shm", &st) != nil || st.Blocks == 0 {
		return nil
	}
	return &recording.HostShm{Used: int64(st.Blocks-st.Bfree) * st.Bsize, Total: int64(st.Blocks) * st.Bsize}
}

// turn is the process whose turn it is: the trainer, then each worker.
func (h *pagesOf) turn(trainer int, workers []*worker) (name string, pid int) {
	for h.next < len(workers) && workers[h.next] == nil {
		h.next++
	}
	if h.looks == 0 || h.next >= len(workers) {
		h.next = 0
		return recording.Trainer, trainer
	}
	h.next++
	return memory.Worker(h.next - 1), workers[h.next-1].pid
}

// enter replaces what was last seen by what is now. Of a process that has ended the last look stays.
func (h *pagesOf) enter(l looked) {
	if l.group != nil {
		h.seen.Group = l.group
	}
	if s := l.shm; s != nil {
		s.First = s.Used
		if before := h.seen.Shm; before != nil {
			s.First, s.Left = before.First, before.Left
		}
		h.seen.Shm = s
	}
	if !l.ok {
		return
	}
	at := slices.IndexFunc(h.seen.Processes, func(p recording.HostPages) bool { return p.Name == l.pages.Name })
	if at < 0 {
		at, h.seen.Processes = len(h.seen.Processes), append(h.seen.Processes, recording.HostPages{})
	}
	h.seen.Processes[at] = l.pages
	h.leave(l)
}

// save writes down what was seen since the last time.
func (h *pagesOf) save(p recording.Process) error {
	if !h.changed {
		return nil
	}
	h.changed = false
	return p.SaveHost(h.seen)
}

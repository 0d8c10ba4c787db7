package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/recording"
)

// neighbours asks the driver from time to time who else holds the GPUs that the training uses.
type neighbours struct {
	aside  aside[heard]
	read   func() ([]metrics.GPU, error) // nil asks nobody
	due    time.Time
	ours   map[int]bool
	gpus   []metrics.GPU
	reason string             // why nobody can say
	course map[string]*course // what others held of a GPU, by process of ours and GPU
}

// askGPUs is how often: the driver's answer takes a millisecond for each GPU.
const askGPUs = 5 * time.Second

// strangers is said where none of the training's processes is among those that the driver names.
const strangers = "NVML does not name the processes of this training; in a container it counts them as the host does"

// heard is the driver's answer.
type heard struct {
	gpus []metrics.GPU
	err  error
}

// look asks when that is due and one of the processes uses a device, beside the polling: the driver may take long to open.
// It reports whether an answer has come since.
func (n *neighbours) look(now time.Time, all map[string]*watched) bool {
	if n.aside.busy() {
		return n.take(all, 0)
	}
	if n.read == nil || now.Before(n.due) || !usesDevice(all) {
		return false
	}
	n.due = now.Add(askGPUs)
	n.aside.start(func() heard {
		gpus, err := n.read()
		return heard{gpus, err}
	})
	return false
}

func usesDevice(all map[string]*watched) bool {
	for _, w := range all {
		if len(w.header.Memories) > 1 { // host is the first
			return true
		}
	}
	return false
}

// take enters the driver's answer, where it comes within the patience.
func (n *neighbours) take(all map[string]*watched, patience time.Duration) bool {
	answer, ok := n.aside.done(patience)
	if !ok {
		return false
	}
	if answer.err != nil {
		n.gpus, n.reason = nil, answer.err.Error()
		return true
	}
	n.ours, n.gpus, n.reason = map[int]bool{}, answer.gpus, ""
	for _, w := range all {
		n.ours[w.pid] = true
	}
	if len(n.others(0)) == 0 {
		n.reason = strangers
	}
	return true
}

// others are the GPUs that one of our processes uses, with what is held there by the process of that number and by those that are not
// ours.
func (n *neighbours) others(pid int) []recording.HostGPU {
	var found []recording.HostGPU
	for _, g := range n.gpus {
		used, by := false, recording.HostGPU{Index: g.Index, Total: int64(g.Total), Others: []recording.HostHolder{}}
		for _, p := range g.Processes {
			if !n.ours[p.PID] {
				by.Others = append(by.Others, recording.HostHolder{PID: p.PID, Command: p.Command, Used: int64(p.Used)})
				continue
			}
			used = true
			if p.PID == pid {
				by.Own += int64(p.Used)
			}
		}
		if used {
			found = append(found, by)
		}
	}
	return found
}

// tell puts what was heard into what is known of each trainer's surroundings.
func (n *neighbours) tell(all map[string]*watched) {
	for key, w := range all {
		if w.recorder == nil || len(w.header.Memories) <= 1 {
			continue
		}
		gpus := n.others(w.pid)
		for i := range gpus {
			gpus[i].Course = n.went(fmt.Sprint(key, " ", gpus[i].Index), w.steps(), gpus[i].Others)
		}
		w.pages.seen.GPUs, w.pages.seen.NoGPUs, w.pages.changed = gpus, n.reason, true
		w.analysis.Pages(w.pages.seen)
	}
}

// longestCourse is how many readings are kept at most, beside the newest.
const longestCourse = 64

// course keeps readings at even distances, each time twice as far apart when there are too many: as much is known of what came late as of the
// beginning.
type course struct {
	kept   []recording.HostShare
	stride int // each so many readings one is kept
	skip   int // … until the next
}

func (c *course) add(now recording.HostShare) {
	if c.skip--; c.skip > 0 {
		return
	}
	if c.stride = max(c.stride, 1); len(c.kept) == longestCourse {
		for i := range longestCourse / 2 {
			c.kept[i] = c.kept[2*i]
		}
		c.kept, c.stride = c.kept[:longestCourse/2], 2*c.stride
	}
	c.kept, c.skip = append(c.kept, now), c.stride
}

// went adds a reading to the course of what others hold of a GPU, and returns that, with the newest reading.
func (n *neighbours) went(key string, step int64, others []recording.HostHolder) []recording.HostShare {
	if n.course == nil {
		n.course = map[string]*course{}
	}
	now := recording.HostShare{Step: step}
	for _, o := range others {
		now.Others += o.Used
	}
	c := n.course[key]
	if c == nil {
		c = &course{}
		n.course[key] = c
	}
	c.add(now)
	went := slices.Clone(c.kept)
	if went[len(went)-1] != now {
		went = append(went, now)
	}
	return went
}

package session

import (
	"time"

	"github.com/torchleak/torchleak/internal/metrics"
	"github.com/torchleak/torchleak/internal/recording"
)

// neighbours asks the driver from time to time who else holds the GPUs that the training uses.
type neighbours struct {
	aside  aside[heard]
	read   func() ([]metrics.GPU, error) // nil asks nobody
	due    time.Time
	gpus   []recording.HostGPU
	reason string // why nobody can say
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
	ours := map[int]bool{}
	for _, w := range all {
		ours[w.pid] = true
	}
	n.gpus, n.reason = others(answer.gpus, ours), ""
	if len(n.gpus) == 0 {
		n.reason = strangers
	}
	return true
}

// others are the GPUs that one of our processes uses, with what is held there by processes that are not.
func others(gpus []metrics.GPU, ours map[int]bool) []recording.HostGPU {
	var found []recording.HostGPU
	for _, g := range gpus {
		used, by := false, recording.HostGPU{Index: g.Index, Total: int64(g.Total), Others: []recording.HostHolder{}}
		for _, p := range g.Processes {
			if ours[p.PID] {
				used = true
				continue
			}
			by.Others = append(by.Others, recording.HostHolder{PID: p.PID, Command: p.Command, Used: int64(p.Used)})
		}
		if used {
			found = append(found, by)
		}
	}
	return found
}

// tell puts what was heard into what is known of each trainer's surroundings.
func (n *neighbours) tell(all map[string]*watched) {
	for _, w := range all {
		if w.recorder != nil && len(w.header.Memories) > 1 {
			w.pages.seen.GPUs, w.pages.seen.NoGPUs, w.pages.changed = n.gpus, n.reason, true
			w.analysis.Pages(w.pages.seen)
		}
	}
}

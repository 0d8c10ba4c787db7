package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/detect"
	"github.com/torchleak/torchleak/internal/recording"
	"github.com/torchleak/torchleak/internal/units"
)

// worthNoting is how much of a GPU others must hold to be worth a note, in bytes; mostNamed how many of them are named.
const (
	worthNoting = 64 << 20
	mostNamed   = 4
)

// neighbours says what other processes hold of the GPUs that this training uses, or why nobody can say.
func (p *Process) neighbours() []string {
	var notes []string
	if p.pages == nil {
		return notes
	}
	if reason := p.pages.NoGPUs; reason != "" {
		return append(notes, fmt.Sprintf("what other processes hold of the GPU is not known: %s", reason))
	}
	devices := p.devices(p.pages.GPUs)
	for _, g := range p.pages.GPUs {
		var sum int64
		for _, o := range g.Others {
			sum += o.Used
		}
		if sum >= worthNoting {
			notes = append(notes, fmt.Sprintf("other processes hold %s of %s of GPU %d: %s", units.Bytes(sum), units.Bytes(g.Total), g.Index, holding(g.Others)))
		}
	}
	for name, g := range devices {
		if rate, since := p.detectors[name].OthersGrow(); rate > 0 {
			notes = append(notes, fmt.Sprintf("what other processes hold of GPU %d grows by %s per step of this training since step %d: it fills up by them",
				g.Index, units.Bytes(rate), since))
		}
	}
	return notes
}

// tellOfOthers tells the detectors what other processes hold of their devices: when that is read, and when there is a device more, for
// a recording may be read in any order.
func (p *Process) tellOfOthers() {
	if p.pages == nil {
		return
	}
	devices := p.devices(p.pages.GPUs)
	for _, name := range p.order {
		var course []detect.Share
		for _, s := range devices[name].Course {
			course = append(course, detect.Share(s))
		}
		p.detectors[name].Others(course)
	}
}

// devices are the GPUs of the devices that this process uses, by the names of their memories. The driver counts GPUs in an order of its own, and a
// process may see them in another: the one GPU on which it holds memory is its one device, and of several nobody can say.
func (p *Process) devices(gpus []recording.HostGPU) map[string]recording.HostGPU {
	var names []string
	for _, name := range p.order {
		if strings.HasPrefix(name, "cuda:") {
			names = append(names, name)
		}
	}
	gpus = slices.DeleteFunc(slices.Clone(gpus), func(g recording.HostGPU) bool { return g.Own == 0 })
	if len(names) != 1 || len(gpus) != 1 {
		return nil
	}
	return map[string]recording.HostGPU{names[0]: gpus[0]}
}

func holding(others []recording.HostHolder) string {
	words := ""
	for i, o := range others {
		if i == mostNamed {
			return words + ", …"
		}
		if i > 0 {
			words += ", "
		}
		words += strings.TrimSpace(fmt.Sprintf("%d %s", o.PID, o.Command)) + " " + units.Bytes(o.Used)
	}
	return words
}

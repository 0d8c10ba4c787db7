package analysis

import (
	"fmt"
	"strings"

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
	for _, g := range p.pages.GPUs {
		var sum int64
		for _, o := range g.Others {
			sum += o.Used
		}
		if sum >= worthNoting {
			notes = append(notes, fmt.Sprintf("other processes hold %s of %s of GPU %d: %s", units.Bytes(sum), units.Bytes(g.Total), g.Index, holding(g.Others)))
		}
	}
	return notes
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

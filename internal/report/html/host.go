package html

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// hostView is where the host's memory is.
type hostView struct {
	Bound     string
	Processes []namedText
}

// namedText is what is said of a process.
type namedText struct{ Name, Says string }

func (v view) host(h *finding.Host) hostView {
	var out hostView
	if h == nil {
		return out
	}
	if bound := v.say.Bound(*h); bound != "" {
		out.Bound = plain.Text(v.say.Sentences(plain.Upper(bound)))
	}
	for _, p := range h.Processes {
		out.Processes = append(out.Processes, namedText{plain.Text(p.Name), plain.Text(v.say.Process(p))})
	}
	return out
}

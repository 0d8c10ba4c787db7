package profiling

import (
	"encoding/json"
	"io"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/profile"
)

// The file format of speedscope, https://www.speedscope.app/file-format-schema.json.
type speedscope struct {
	Schema   string `json:"$schema"`
	Exporter string `json:"exporter"`
	Name     string `json:"name"`
	Shared   struct {
		Frames []speedscopeFrame `json:"frames"`
	} `json:"shared"`
	Profiles []speedscopeProfile `json:"profiles"`
}

type speedscopeFrame struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

type speedscopeProfile struct {
	Type    string  `json:"type"`
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Start   int64   `json:"startValue"`
	End     int64   `json:"endValue"`
	Samples [][]int `json:"samples"`
	Weights []int64 `json:"weights"`
}

// WriteSpeedscope writes one sampled profile a memory: a stack's weight is what it holds at the peak, in bytes.
func WriteSpeedscope(w io.Writer, all []profile.Process, tool finding.Tool) error {
	out := speedscope{Schema: "https://www.speedscope.app/file-format-schema.json", Exporter: tool.Name + " " + tool.Version, Name: "memory at the peak"}
	out.Shared.Frames, out.Profiles = []speedscopeFrame{}, []speedscopeProfile{}
	index := map[call]int{}
	for i := range all {
		p := &all[i]
		for j := range p.Memories {
			m := &p.Memories[j]
			one := speedscopeProfile{Type: "sampled", Name: title(p, m), Unit: "bytes", End: m.Peak, Samples: [][]int{}, Weights: []int64{}}
			rows := p.Rows(m)
			for k := range rows {
				r := &rows[k]
				if r.Bytes == 0 {
					continue
				}
				var stack []int
				for _, c := range stackOf(r) {
					n, ok := index[c]
					if !ok {
						n = len(out.Shared.Frames)
						index[c] = n
						out.Shared.Frames = append(out.Shared.Frames, speedscopeFrame{c.name, c.file, c.line})
					}
					stack = append(stack, n)
				}
				one.Samples, one.Weights = append(one.Samples, stack), append(one.Weights, r.Bytes)
			}
			out.Profiles = append(out.Profiles, one)
		}
	}
	return json.NewEncoder(w).Encode(out)
}

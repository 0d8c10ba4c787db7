package profiling

import (
	"fmt"
	"io"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/profile"
	"github.com/torchleak/torchleak/internal/report/plain"
)

// Lists of JSON are never null; figures that are not known are left out.
type document struct {
	Schema    int           `json:"schema"`
	Tool      finding.Tool  `json:"tool"`
	Argv      []string      `json:"argv"`
	Processes []processJSON `json:"processes"`
}

type processJSON struct {
	Rank      int          `json:"rank"`
	WorldSize int          `json:"world_size"`
	Python    string       `json:"python"`
	Torch     string       `json:"torch"`
	FirstStep int64        `json:"first_step"`
	Steps     int          `json:"steps"`
	Complete  bool         `json:"complete"`
	Memories  []memoryJSON `json:"memories"`
	Notes     []string     `json:"notes"`
}

type memoryJSON struct {
	Name       string          `json:"name"`
	Source     string          `json:"source"`
	Peak       int64           `json:"peak_bytes"`
	PeakStep   *int64          `json:"peak_step,omitempty"`
	PeakAt     *originJSON     `json:"peak_at,omitempty"`
	StepPeaks  []int64         `json:"step_peak_bytes"`
	Categories []categoryJSON  `json:"categories"`
	Operators  []shareJSON     `json:"operators"`
	Lines      []shareJSON     `json:"lines"`
	Modules    []shareJSON     `json:"modules"`
	Removable  []removableJSON `json:"removable"`
}

type originJSON struct {
	Operator   string     `json:"operator,omitempty"`
	BackwardOf string     `json:"backward_of,omitempty"`
	Backward   bool       `json:"backward,omitempty"`
	Module     string     `json:"module,omitempty"`
	Location   *placeJSON `json:"location,omitempty"`
	Inside     *placeJSON `json:"inside,omitempty"`
}

type placeJSON struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
}

type amountJSON struct {
	Bytes int64 `json:"bytes"`
	Count int   `json:"count"`
	Made  int64 `json:"made_bytes"`
	Times int   `json:"made_count"`
}

type categoryJSON struct {
	Name string `json:"name"`
	amountJSON
}

type shareJSON struct {
	originJSON
	Category string `json:"category"`
	amountJSON
}

type removableJSON struct {
	originJSON
	Why   string `json:"why"`
	Bytes int64  `json:"bytes"`
	Count int    `json:"count"`
	Saves int64  `json:"saves_bytes"`
	Lives int    `json:"lives_operators"`
}

// WriteJSON writes profiles for programs, schema 1, docs/profile.md.
func WriteJSON(w io.Writer, all []profile.Process, tool finding.Tool, argv []string) error {
	out := document{Schema: 1, Tool: tool, Argv: argv, Processes: []processJSON{}}
	for i := range all {
		out.Processes = append(out.Processes, processOf(&all[i]))
	}
	if err := plain.JSON(w, out); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

func processOf(p *profile.Process) processJSON {
	one := processJSON{Rank: p.Rank, WorldSize: p.WorldSize, Python: p.Python, Torch: p.Torch, FirstStep: p.FirstStep,
		Steps: len(p.StepEnds), Complete: p.Complete, Memories: []memoryJSON{}, Notes: append([]string{}, p.Notes...)}
	for i := range p.Memories {
		one.Memories = append(one.Memories, memoryOf(p, &p.Memories[i]))
	}
	return one
}

func memoryOf(p *profile.Process, m *profile.Memory) memoryJSON {
	one := memoryJSON{Name: m.Name, Source: "operators", Peak: m.Peak, StepPeaks: append([]int64{}, m.Steps...), Categories: []categoryJSON{}, Removable: []removableJSON{}}
	if m.History {
		one.Source = "history"
	}
	if m.PeakOp >= 0 {
		step := p.FirstStep + int64(p.StepOf(m.PeakOp))
		at := origin(p.Calls[m.PeakOp].Origin())
		one.PeakStep, one.PeakAt = &step, &at
	}
	shares := profile.SharesOf(p.Rows(m))
	for _, s := range shares.Categories {
		one.Categories = append(one.Categories, categoryJSON{string(s.Category), amountJSON(s.Amount)})
	}
	one.Operators, one.Lines, one.Modules = list(shares.Operators), list(shares.Lines), list(shares.Modules)
	for _, r := range p.Removables(m) {
		one.Removable = append(one.Removable, removableJSON{origin(r.Origin), string(r.Why), r.Bytes, r.Count, r.Saves, r.Lives})
	}
	return one
}

func list(shares []profile.Share) []shareJSON {
	out := make([]shareJSON, len(shares))
	for i, s := range shares {
		out[i] = shareJSON{origin(s.Origin), string(s.Category), amountJSON(s.Amount)}
	}
	return out
}

func origin(o profile.Origin) originJSON {
	return originJSON{o.Operator, o.Of, o.Backward, o.Module, place(o.Site), place(o.Inside)}
}

func place(p profile.Place) *placeJSON {
	if p.File == "" {
		return nil
	}
	return &placeJSON{p.File, p.Line, p.Function}
}

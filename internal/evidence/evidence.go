// Package evidence reads what the probe found when it was asked to look closer. The format is
// docs/format/evidence.md; the file is hostile input, so reading is bounded and executes nothing.
package evidence

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
)

// MaxSize bounds an evidence file; the probe writes far less.
const MaxSize = 32 << 20

// Evidence is the answer to one request.
type Evidence struct {
	Version       int            `json:"evidence"`
	Request       uint32         `json:"request"`
	PID           int            `json:"pid"`
	Memory        string         `json:"memory"`
	Period        int64          `json:"period"`
	Complete      bool           `json:"complete"`
	Failed        string         `json:"failed"`           // the error that kept it from being whole
	Truncated     bool           `json:"search_truncated"` // the search from the program's names ran out of time
	Uncounted     bool           `json:"-"`                // its notes say that there was no time to count the tensors
	WatchSteps    int64          `json:"watch_steps"`      // that Phases spans, 0 without a watch
	Censuses      []Census       `json:"censuses"`
	Groups        []Group        `json:"groups"`
	Holders       []Holder       `json:"holders"`
	Births        []Birth        `json:"births"`
	Sites         []Site         `json:"sites"`
	Cycles        []Cycle        `json:"cycles"`
	Phases        []Phase        `json:"phases"`
	Registrations []Registration `json:"registrations"`
	Calls         []Call         `json:"calls"`
	GC            GC             `json:"gc"`
	Cost          Cost           `json:"cost"`
	Notes         []string       `json:"notes"`
}

// Census is one walk over the target's objects.
type Census struct {
	Step        int64   `json:"step"`
	Objects     int64   `json:"objects"`
	Tensors     int64   `json:"tensors"`
	TensorBytes int64   `json:"tensor_bytes"`
	Seconds     float64 `json:"seconds"`
}

// Group is all tensors alike; Count, Bytes and Graph* have one figure per census.
type Group struct {
	ID             int      `json:"id"`
	Category       string   `json:"category"`
	Device         string   `json:"device"`
	Shape          []int64  `json:"shape"`
	DType          string   `json:"dtype"`
	Type           string   `json:"type"`
	RequiresGrad   bool     `json:"requires_grad"`
	GradFn         string   `json:"grad_fn"`
	Count          []int64  `json:"count"`
	Bytes          []int64  `json:"bytes"`
	StorageBytes   int64    `json:"storage_bytes"`
	TensorBytes    int64    `json:"tensor_bytes"`
	Shared         bool     `json:"shared"`
	GraphNodes     []int64  `json:"graph_nodes"`
	GraphBytes     []int64  `json:"graph_bytes"`
	GraphFunctions []string `json:"graph_functions"`
	GraphTruncated bool     `json:"graph_truncated"`
	Holders        []int    `json:"holders"`
}

// Holder keeps memory alive; kinds are listed in docs/format/evidence.md.
type Holder struct {
	ID       int     `json:"id"`
	Kind     string  `json:"kind"`
	Path     string  `json:"path"`
	Type     string  `json:"type"`
	Length   []int64 `json:"length"`
	MaxLen   *int64  `json:"maxlen"`
	Elements string  `json:"elements"`
	Native   bool    `json:"native"` // the elements are a C++ library's: what they keep is not known
	Bytes    []int64 `json:"bytes"`
	Root     string  `json:"root"`
	Scope    Scope   `json:"scope"`
	Through  string  `json:"through"`
	Hook     *Hook   `json:"hook"`
	Writes   []Write `json:"writes"`

	Emptied bool   `json:"-"` // an earlier request shows that it does not keep all it is given
	Emptier string `json:"-"` // the statement by which the source empties it or cuts it down, as "train.py:36"; empty for none
}

// plain are the types of elements that hold nothing but themselves.
var plain = map[string]bool{"float": true, "int": true, "bool": true, "NoneType": true, "str": true, "bytes": true, "complex": true, "ndarray": true}

// Plain reports whether the holder's elements hold nothing but themselves: numbers, texts, arrays.
func (h *Holder) Plain() bool { return plain[h.Elements] }

// Scope says where the holder's name lives in the source.
type Scope struct {
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Module   string `json:"module"`
	File     string `json:"file"`
	Function string `json:"function"`
	Class    string `json:"class"`
	Line     int    `json:"line"`
}

// Hook is a module hook on the way to the holder.
type Hook struct {
	Table      string `json:"table"`
	Module     string `json:"module"`
	ModuleType string `json:"module_type"`
	Function   string `json:"function"`
	File       string `json:"file"`
	Line       int    `json:"line"`
}

// Write is a statement seen to make a holder grow.
type Write struct {
	Frames         []finding.Frame `json:"frames"`
	Count          int64           `json:"count"`
	Step           int64           `json:"step"`
	Phase          string          `json:"phase"`
	GradEnabled    *bool           `json:"grad_enabled"`
	ModuleTraining *bool           `json:"module_training"`
}

// Birth is where a surviving tensor was made.
type Birth struct {
	Group    int             `json:"group"`
	Frames   []finding.Frame `json:"frames"`
	Count    int64           `json:"count"`
	Operator string          `json:"operator"`
}

// Site is an allocation site of the device allocator, from its own history.
type Site struct {
	Device string          `json:"device"`
	Frames []finding.Frame `json:"frames"`
	Bytes  []int64         `json:"bytes"`
	Count  []int64         `json:"count"`
}

// Cycle is a garbage reference cycle that holds tensors.
type Cycle struct {
	Type   string   `json:"type"`
	Path   string   `json:"path"`
	Count  int64    `json:"count"`
	Bytes  int64    `json:"bytes"`
	Sample []string `json:"sample"`
}

// Phase is the growth of one part of the step in the watch.
type Phase struct {
	Phase string `json:"phase"`
	Bytes int64  `json:"bytes"`
}

// Registration is a hook registered in the watch.
type Registration struct {
	Table  string          `json:"table"`
	Frames []finding.Frame `json:"frames"`
	Count  int64           `json:"count"`
}

// Call is a fact seen in the watch, such as backward.retain_graph.
type Call struct {
	What   string          `json:"what"`
	Frames []finding.Frame `json:"frames"`
	Count  int64           `json:"count"`
}

// GC is the state of Python's collector.
type GC struct {
	Enabled   bool    `json:"enabled"`
	Frozen    int64   `json:"frozen"`
	Threshold []int64 `json:"threshold"`
}

// Cost is what gathering took.
type Cost struct {
	Seconds        float64 `json:"seconds"`
	StoppedSeconds float64 `json:"stopped_seconds"`
	CPUSeconds     float64 `json:"cpu_seconds"` // of StoppedSeconds, what was our own work
}

// LastStep is the step of the newest census, 0 before the first.
func (e *Evidence) LastStep() int64 {
	if n := len(e.Censuses); n > 0 {
		return e.Censuses[n-1].Step
	}
	return 0
}

// Read decodes one evidence file.
func Read(r io.Reader) (*Evidence, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading evidence: %w", err)
	}
	if len(data) > MaxSize {
		return nil, fmt.Errorf("evidence is larger than %d MiB", MaxSize>>20)
	}
	var e Evidence
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("evidence is not valid JSON: %w", err)
	}
	if e.Version != 1 {
		return nil, fmt.Errorf("evidence version %d; this torchleak reads version 1", e.Version)
	}
	e.complement()
	return &e, nil
}

// complement fills in what stands in the notes alone, and what files from before these fields say there, or not at all.
func (e *Evidence) complement() {
	for _, n := range e.Notes {
		for _, failed := range []string{"gathering evidence failed: ", "evidence is incomplete: "} {
			if what, ok := strings.CutPrefix(n, failed); ok && e.Failed == "" {
				e.Failed = what
			}
		}
		e.Truncated = e.Truncated || n == "the search from the program's names ran out of time"
		e.Uncounted = e.Uncounted || n == "too many tensors for the time allowed: their numbers were not compared"
	}
	if e.WatchSteps <= 0 && len(e.Phases) > 0 {
		e.WatchSteps = max(e.Period, 1)
	}
}

// ReadFile decodes the evidence file at path.
func ReadFile(path string) (*Evidence, error) {
	// A pipe in a file's place would be waited for.
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("evidence %s is not a file", filepath.Base(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f)
}

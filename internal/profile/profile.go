// Package profile says where inside a training's step memory goes: what the peak consists of, by category, operator, line
// and module, and which temporaries would lower it if they were not made. It reads what the probe wrote of a few steps in full.
package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sort"

	"github.com/torchleak/torchleak/internal/recording"
)

// Category says what memory is for.
type Category string

// The categories.
const (
	Parameter  Category = "parameter"
	Buffer     Category = "buffer"          // of modules, such as running means
	Gradient   Category = "gradient"        // of parameters and other leaves
	Optimizer  Category = "optimizer state" //
	Activation Category = "activation"      // made in forward, and still held when backward began
	Input      Category = "input"           // made outside of modules and used by them, or by the loss
	Temporary  Category = "temporary"       // all else that was made within the steps
	Other      Category = "other"           // there before the steps, and not used in them
)

// Categories in the order in which they are shown.
var Categories = []Category{Parameter, Buffer, Gradient, Optimizer, Activation, Input, Temporary, Other}

// Place is a line of the training.
type Place struct {
	File     string
	Line     int
	Function string
}

// Call is one operator that ran.
type Call struct {
	Operator string  // as PyTorch calls it: aten::addmm
	Module   string  // path of the innermost module that ran, empty outside of all; in backward that of the forward
	Phase    string  // data, forward, backward, optimizer, evaluation, rest
	Of       string  // in backward, the operator whose gradient was computed; empty where it is not known
	Stack    []Place // without frames of PyTorch, innermost first; in backward those of the forward where they are known
	Site     Place   // the innermost that is the user's, else a package's
	Inside   Place   // the innermost of an installed package that Site led to, if any
	Backward bool
	Begin    int64 // nanoseconds since the window began
	End      int64

	tracked bool
	stack   int // one more than the number of Stack, 0 for none
}

// Block is memory of one tensor storage, or of what an operator allocated inside.
type Block struct {
	Bytes    int64
	Born     int // the change that made it
	Died     int // the change that freed it, the number of changes where it lived on
	Op       int // the call that made it, -1 where it is older than the window or was made outside of operators
	Category Category
	Owner    string // name of the parameter that it is, or belongs to; empty for others
	Unused   bool   // an activation that no operator of backward used
	Last     int    // the call that used it last, -1 for none
}

// Change is memory that was made or freed.
type Change struct {
	Op    int // the call that ran last, -1 in front of the first
	Block int
	Bytes int64 // negative for a free
}

// Memory is one device's, or the host's.
type Memory struct {
	Name    string
	History bool // told by the device's allocator, and not by what operators returned
	Blocks  []Block
	Changes []Change
	Peak    int64   // bytes
	PeakAt  int     // behind this change
	PeakOp  int     // the call that ran then, -1 for none
	Steps   []int64 // peaks of the steps

	ends []int // the first change behind each step
}

// Process is the profile of one process.
type Process struct {
	Rank, WorldSize int
	Python, Torch   string
	FirstStep       int64
	Complete        bool
	Calls           []Call
	StepEnds        []int // calls made by the end of each step
	Memories        []Memory
	Notes           []string
}

// Read reads the profiles that the processes of a recording have left, by rank. What cannot be read is a warning.
func Read(dir recording.Dir) (profiles []Process, warnings []error) {
	processes, _ := dir.Processes() // a broken hello is said by the session
	for _, p := range processes {
		path := p.Profile()
		f, err := read(path)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				warnings = append(warnings, fmt.Errorf("%s: %w", filepath.Base(path), err))
			}
			continue
		}
		one := Process{Rank: p.Hello.Rank, WorldSize: p.Hello.WorldSize, Python: p.Hello.Python, Torch: p.Hello.Torch,
			FirstStep: f.FirstStep, Complete: f.Complete, StepEnds: f.StepEnds, Notes: f.Notes, Calls: f.calls()}
		one.Memories, err = f.memories(dir, one.Calls)
		if err != nil {
			warnings = append(warnings, err)
		}
		profiles = append(profiles, one)
	}
	return profiles, warnings
}

// StepOf is the number of the step, counted from 0, in which a call ran.
func (p *Process) StepOf(call int) int {
	return sort.Search(len(p.StepEnds), func(i int) bool { return call < p.StepEnds[i] })
}

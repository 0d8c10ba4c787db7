package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxFile bounds what is read of a file that the target's process wrote.
const maxFile = 512 << 20

// file is what a process writes, docs/format/profile.md.
type file struct {
	Version   int      `json:"profile"`
	Complete  bool     `json:"complete"`
	Compiled  bool     `json:"compiled"` // some operators ran in compiled code
	FirstStep int64    `json:"first_step"`
	StepEnds  []int    `json:"step_ends"` // operators seen by the end of each step
	Operators []string `json:"operators"`
	Modules   []string `json:"modules"`
	Phases    []string `json:"phases"`
	Frames    []frame  `json:"frames"`
	Stacks    [][]int  `json:"stacks"`
	Notes     []string `json:"notes"`
	Memories  []struct {
		Name     string `json:"name"`
		Snapshot string `json:"snapshot"`
	} `json:"memories"`
	Ops struct {
		Operator []int   `json:"operator"`
		Stack    []int   `json:"stack"`
		Module   []int   `json:"module"`
		Phase    []int   `json:"phase"`
		Tracked  []int   `json:"tracked"`
		Tie      []int   `json:"tie"`
		Begin    []int64 `json:"begin_ns"`
		End      []int64 `json:"end_ns"`
	} `json:"ops"`
	Storages struct {
		Memory  []int    `json:"memory"`
		Bytes   []int64  `json:"bytes"`
		Born    []int    `json:"born"`
		Seen    []int    `json:"seen"`
		Address []uint64 `json:"address"`
		Used    []int    `json:"used"`
		Last    []int    `json:"last"`
	} `json:"storages"`
	Events struct {
		Op      []int   `json:"op"`
		Storage []int   `json:"storage"`
		Bytes   []int64 `json:"bytes"`
	} `json:"events"`
	Owned []owned `json:"owned"`
}

// What uses a storage, a bit each.
const (
	byForward  = 1
	byBackward = 2
)

// frame is a call: file, line, function, and whether the file is the user's.
type frame struct {
	Place
	User bool
}

// UnmarshalJSON reads [file, line, function, 0 or 1].
func (f *frame) UnmarshalJSON(text []byte) error {
	var user int
	err := json.Unmarshal(text, &[]any{&f.File, &f.Line, &f.Function, &user})
	f.User = user == 1
	return err
}

// owned is a storage that belongs to a part of the training.
type owned struct {
	Storage  int
	Category Category
	Name     string
}

// UnmarshalJSON reads [storage, category, name].
func (o *owned) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&o.Storage, &o.Category, &o.Name})
}

// read reads and checks a process's file.
func read(path string) (*file, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("larger than %d MiB", maxFile>>20)
	}
	f := &file{}
	if err := json.Unmarshal(text, f); err != nil {
		return nil, err
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("format %d, and this torchleak reads format 1", f.Version)
	}
	return f, f.check()
}

// errDamaged says that numbers of a file do not fit together.
var errDamaged = errors.New("damaged: its numbers do not fit together")

// check makes sure that every number names something.
func (f *file) check() error {
	ops, storages := len(f.Ops.Operator), len(f.Storages.Bytes)
	steps := 0
	for _, end := range f.StepEnds {
		if end < steps {
			return errDamaged
		}
		steps = end
	}
	ok := steps <= ops
	column := func(numbers []int, length, least, limit int) {
		ok = ok && len(numbers) == length
		for _, n := range numbers {
			ok = ok && n >= least && n < limit
		}
	}
	column(f.Ops.Operator, ops, 0, len(f.Operators))
	column(f.Ops.Stack, ops, -1, len(f.Stacks))
	column(f.Ops.Module, ops, -1, len(f.Modules))
	column(f.Ops.Phase, ops, 0, len(f.Phases))
	column(f.Ops.Tracked, ops, 0, 2)
	column(f.Ops.Tie, ops, -1, ops)
	column(f.Storages.Memory, storages, 0, len(f.Memories))
	column(f.Storages.Born, storages, -1, ops)
	column(f.Storages.Seen, storages, 0, ops+1)
	column(f.Storages.Used, storages, 0, byForward|byBackward+1)
	column(f.Storages.Last, storages, -1, ops)
	column(f.Events.Op, len(f.Events.Op), 0, ops+1)
	column(f.Events.Storage, len(f.Events.Op), 0, storages)
	for _, stack := range f.Stacks {
		column(stack, len(stack), 0, len(f.Frames))
	}
	for _, o := range f.Owned {
		ok = ok && o.Storage >= 0 && o.Storage < storages
	}
	for _, sizes := range [][]int64{f.Storages.Bytes, f.Events.Bytes} {
		for _, n := range sizes {
			ok = ok && n >= 0
		}
	}
	if !ok || len(f.Storages.Address) != storages || len(f.Events.Bytes) != len(f.Events.Op) || len(f.Ops.Begin) != ops || len(f.Ops.End) != ops {
		return errDamaged
	}
	return nil
}

// Package nccl reads what NCCL_DEBUG=INFO (and RCCL's like it) prints when communicators are set up and destroyed.
//
// A communicator keeps hundreds of megabytes of device memory outside PyTorch's allocator until it is destroyed. A
// program that sets the same group up again and again fills the device, and no counter of PyTorch shows it.
//
// The lines read are those of init.cc, from NCCL 2.4 on:
//
//	HOST:PID:TID [DEV] NCCL INFO [FUNCTION ]comm PTR rank R nranks N cudaDev D [nvmlDev V ]busId B [commId ID|parent PTR splitCount C color C key K] - Init START
//	… - Init COMPLETE, - Destroy COMPLETE, - Abort COMPLETE
//	… Init timings - FUNCTION: rank R nranks N total SECONDS (…)
//	… FILE:LINE Cuda Alloc Size BYTES pointer PTR      (with NCCL_DEBUG_SUBSYS=INIT,ALLOC)
//
// Whatever stands before or between them, such as a launcher's "[rank3]: ", colours or the training's own output, is passed over.
package nccl

import "slices"

// repeated is how often one group is set up before it is called repeated. Libraries that each make a group of their
// own over the same ranks come to four; a program that makes one in a loop gets past any number.
const repeated = 5

// repeatedUnnamed is the same where the log does not say which ranks a group has, only how many. A job with data,
// tensor, pipeline and expert parallelism makes a dozen groups of one size at its start.
const repeatedUnnamed = 24

// Rank is what one process of a job set up.
type Rank struct {
	Rank          int    `json:"rank"` // of the first communicator, the world's
	File          string `json:"file"`
	Host          string `json:"host"`
	PID           int    `json:"pid"`
	Device        *int   `json:"device,omitempty"`
	Inits         int    `json:"inits"` // set-ups that were completed
	Unfinished    int    `json:"unfinished"`
	Destroyed     int    `json:"destroyed"`
	Communicators int    `json:"communicators"` // the most that were alive at one time

	InitSeconds    *float64 `json:"init_seconds,omitempty"`    // time spent in set-ups, where the log says it
	AllocatedBytes *int64   `json:"allocated_bytes,omitempty"` // device memory taken during set-ups, where the log says it
	Groups         []Group  `json:"groups"`                    // in the order of their first set-up
}

// Group is a set of ranks for which communicators were set up.
type Group struct {
	Function string `json:"function"`         // ncclCommInitRank, ncclCommSplit, …; empty for a release that does not say it
	Size     int    `json:"size"`             // ranks
	Color    *int64 `json:"color,omitempty"`  // a split's: the same parent and color have the same ranks
	Parent   *int   `json:"parent,omitempty"` // a split's: place of the parent in Groups

	Inits     int `json:"inits"`
	Destroyed int `json:"destroyed"`
	Alive     int `json:"alive"`      // the most at one time: at its end a program destroys what it has kept
	FirstLine int `json:"first_line"` // lines of the file, from 1
	LastLine  int `json:"last_line"`

	FirstFile string `json:"first_file,omitempty"` // where that is not the rank's
	LastFile  string `json:"last_file,omitempty"`

	Seconds *float64 `json:"init_seconds,omitempty"`
	Bytes   *int64   `json:"allocated_bytes,omitempty"`
}

// Repeats reports whether so many communicators of the group were alive at one time that it can be no group of a
// fixed set.
func (g Group) Repeats() bool {
	if g.Color != nil {
		return g.Alive >= repeated
	}
	return g.Alive >= repeatedUnnamed
}

// Repeated are the groups that were set up again and again and kept, the most communicators first.
func (r Rank) Repeated() []Group {
	var found []Group
	for _, g := range r.Groups {
		if g.Repeats() {
			found = append(found, g)
		}
	}
	slices.SortStableFunc(found, func(a, b Group) int { return b.Alive - a.Alive })
	return found
}

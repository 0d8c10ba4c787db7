// Package holdings writes what residence says of memory snapshots: as JSON for programs and as text for people.
package holdings

import (
	"fmt"
	"io"

	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/residence"
	"github.com/torchleak/torchleak/internal/snapshot"
)

// Lists of JSON are never null; figures that are not known are left out.
type showJSON struct {
	Schema  int          `json:"schema"`
	Devices []deviceJSON `json:"devices"`
	Notes   []string     `json:"notes"`
}

type deviceJSON struct {
	Index           int            `json:"index"`
	Moment          momentJSON     `json:"moment"`
	Allocated       int64          `json:"allocated_bytes"`
	Active          int64          `json:"active_bytes"`
	Requested       int64          `json:"requested_bytes"`
	Reserved        int64          `json:"reserved_bytes"`
	PeakAllocated   *int64         `json:"peak_allocated_bytes,omitempty"`
	PeakReserved    *int64         `json:"peak_reserved_bytes,omitempty"`
	PeakEvent       *int           `json:"peak_event,omitempty"`
	LargestFree     int64          `json:"largest_free_bytes"`
	Free            int64          `json:"free_bytes"`
	FreeInPieces    int64          `json:"free_in_pieces_bytes"`
	Events          int            `json:"events"`
	BeforeTrace     *tallyJSON     `json:"before_trace,omitempty"`
	Teardown        *int           `json:"teardown_event,omitempty"`
	OutOfMemory     *oomJSON       `json:"out_of_memory,omitempty"`
	Sites           []siteJSON     `json:"sites"`
	Modules         []groupJSON    `json:"modules"`
	Categories      []groupJSON    `json:"categories"`
	Pools           []poolJSON     `json:"pools"`
	OldestSurvivors []survivorJSON `json:"oldest"`
	Largest         []survivorJSON `json:"largest"`
	Steps           stepsJSON      `json:"steps"`
	Growth          []growthJSON   `json:"growth"`
}

type momentJSON struct {
	Event int    `json:"event"`
	What  string `json:"what"`
}

type tallyJSON struct {
	Bytes int64 `json:"bytes"`
	Count int   `json:"count"`
}

type placeJSON struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Backward bool   `json:"backward,omitempty"`
}

type callerJSON struct {
	placeJSON
	tallyJSON
}

type siteJSON struct {
	placeJSON
	tallyJSON
	Requested int64        `json:"requested_bytes"`
	Category  string       `json:"category"`
	Callers   []callerJSON `json:"callers"`
}

type groupJSON struct {
	Name string `json:"name"`
	tallyJSON
}

type poolJSON struct {
	Pool     [2]uint64 `json:"pool"`
	Stream   uint64    `json:"stream"`
	Reserved int64     `json:"reserved_bytes"`
	tallyJSON
}

type survivorJSON struct {
	placeJSON
	Address uint64 `json:"address"`
	Bytes   uint64 `json:"bytes"`
	Born    *int   `json:"born_event,omitempty"`
}

type stepsJSON struct {
	By     string      `json:"by"`
	Count  int         `json:"count"`
	Levels []levelJSON `json:"levels"`
}

type levelJSON struct {
	Event     int   `json:"event"`
	Allocated int64 `json:"allocated_bytes"`
	Peak      int64 `json:"peak_allocated_bytes"`
}

type growthJSON struct {
	placeJSON
	Bytes   int64 `json:"bytes"`
	Count   int   `json:"count"`
	PerStep int64 `json:"bytes_per_step"`
	Rises   int   `json:"rises"`
	Falls   int   `json:"falls"`
	Steps   int   `json:"steps"`
	Steady  bool  `json:"steady"`
}

type oomJSON struct {
	Asked int64 `json:"asked_bytes"`
	Free  int64 `json:"device_free_bytes"`
}

// WriteJSON writes summaries, schema 1, docs/snapshot.md.
func WriteJSON(w io.Writer, summaries []residence.Summary, notes []string) error {
	out := showJSON{Schema: 1, Devices: make([]deviceJSON, 0, len(summaries)), Notes: append([]string{}, notes...)}
	for _, s := range summaries {
		out.Devices = append(out.Devices, device(s))
	}
	return encode(w, out)
}

func encode(w io.Writer, v any) error {
	if err := plain.JSON(w, v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

func device(s residence.Summary) deviceJSON {
	d := deviceJSON{Index: s.Index, Moment: momentJSON{s.Moment.Event, s.Moment.What}, Allocated: s.Allocated, Active: s.Active,
		Requested: s.Requested, Reserved: s.Reserved, LargestFree: s.Free.Largest, Free: s.Free.Bytes, FreeInPieces: s.Free.Pieces,
		Events: s.Events, Steps: stepsJSON{By: s.Steps.By, Count: len(s.Steps.Ends), Levels: []levelJSON{}}}
	if s.Events > 0 {
		d.PeakAllocated, d.PeakReserved, d.PeakEvent = &s.PeakAllocated, &s.PeakReserved, &s.PeakEvent
		d.BeforeTrace = &tallyJSON{s.Before.Bytes, s.Before.Count}
	}
	if s.Teardown >= 0 {
		d.Teardown = &s.Teardown
	}
	if s.OutOfMemory != nil {
		d.OutOfMemory = &oomJSON{int64(s.OutOfMemory.Size), int64(s.OutOfMemory.Addr)}
	}
	d.Sites = list(s.Sites, func(r residence.Row) siteJSON {
		return siteJSON{place(r.Site), tallyJSON{r.Bytes, r.Count}, r.Requested, string(r.Category), list(r.Callers, caller)}
	})
	d.Modules, d.Categories = list(s.Modules, group), list(s.Categories, group)
	d.Pools = list(s.Pools, func(p residence.PoolUse) poolJSON {
		return poolJSON{p.Pool, p.Stream, p.Reserved, tallyJSON{p.Bytes, p.Count}}
	})
	d.OldestSurvivors, d.Largest = list(s.Oldest, survivor), list(s.Largest, survivor)
	d.Steps.Levels = list(s.Levels, func(l residence.Level) levelJSON { return levelJSON{l.Event, l.Allocated, l.Peak} })
	d.Growth = list(s.Growth, func(g residence.Growth) growthJSON {
		return growthJSON{place(g.Site), g.Bytes, g.Count, g.PerStep, g.Rises, g.Falls, g.Steps, g.Steady()}
	})
	return d
}

func list[A, B any](from []A, convert func(A) B) []B {
	to := make([]B, len(from))
	for i, x := range from {
		to[i] = convert(x)
	}
	return to
}

func place(s residence.Site) placeJSON { return placeJSON{s.File, s.Line, s.Function, s.Backward} }

func caller(c residence.Caller) callerJSON {
	return callerJSON{place(c.Site), tallyJSON{c.Bytes, c.Count}}
}

func group(g residence.Group) groupJSON { return groupJSON{g.Name, tallyJSON{g.Bytes, g.Count}} }

func survivor(s residence.Survivor) survivorJSON {
	j := survivorJSON{placeJSON: place(s.Site), Address: s.Addr, Bytes: s.Size}
	if s.Born >= 0 {
		j.Born = &s.Born
	}
	return j
}

type diffJSON struct {
	Schema    int          `json:"schema"`
	Snapshots []fileJSON   `json:"snapshots"`
	Sites     []changeJSON `json:"sites"`
	Stacks    []changeJSON `json:"stacks"`
	Notes     []string     `json:"notes"`
}

type fileJSON struct {
	File      string `json:"file"`
	Moment    string `json:"moment"`
	Allocated int64  `json:"allocated_bytes"`
}

type deltaJSON struct {
	Bytes int64 `json:"bytes_delta"`
	Count int   `json:"count_delta"`
}

type callerDeltaJSON struct {
	placeJSON
	deltaJSON
}

type changeJSON struct {
	placeJSON
	deltaJSON
	Held    []tallyJSON       `json:"held"`
	Callers []callerDeltaJSON `json:"callers,omitempty"`
	Frames  []placeJSON       `json:"frames,omitempty"`
}

// WriteDiffJSON writes what changed between the files, schema 1, docs/snapshot.md.
func WriteDiffJSON(w io.Writer, d residence.Diff, files, notes []string) error {
	out := diffJSON{Schema: 1, Snapshots: []fileJSON{}, Sites: list(d.Sites, change), Stacks: list(d.Stacks, change), Notes: append([]string{}, notes...)}
	for i, f := range files {
		out.Snapshots = append(out.Snapshots, fileJSON{f, d.Moments[i], d.Totals[i]})
	}
	return encode(w, out)
}

func change(c residence.Change) changeJSON {
	j := changeJSON{placeJSON: place(c.Site), deltaJSON: deltaJSON{c.Bytes, c.Count}}
	j.Held = list(c.Held, func(t residence.Tally) tallyJSON { return tallyJSON{t.Bytes, t.Count} })
	j.Callers = list(c.Callers, func(x residence.Caller) callerDeltaJSON {
		return callerDeltaJSON{place(x.Site), deltaJSON{x.Bytes, x.Count}}
	})
	j.Frames = list(c.Frames, func(f snapshot.Frame) placeJSON { return placeJSON{File: f.File, Line: f.Line, Function: f.Function} })
	return j
}

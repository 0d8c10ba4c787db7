package experiment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/flight"
	"github.com/torchleak/torchleak/internal/memory"
	"github.com/torchleak/torchleak/internal/recording"
)

// Series names one counter of one process.
type Series struct {
	Rank   int    `json:"rank"`
	Memory string `json:"memory"`
	Name   string `json:"series"`
	Unit   string `json:"unit"` // bytes, blocks or files
}

// Curve is a counter over the steps.
type Curve struct {
	Series
	Steps  []int64
	Values []int64
	least  float64 // growth per step that matters
	main   bool    // the bytes by which its memory is judged
	device bool
}

// source is a counter that growth is looked for in.
type source struct {
	memory     string // of which it tells; empty: the one that the record is of
	name, unit string
	least      float64
	read       func(*memory.Sample) (int64, bool)
	main       bool // the bytes by which the memory is judged
}

func figure(i int) func(*memory.Sample) (int64, bool) {
	return func(s *memory.Sample) (int64, bool) { return s.Get(i) }
}

// Sources, the one that says most first. What is too little to matter is as in detection.
var (
	deviceSources = []source{
		{"", "allocated", "bytes", 128, figure(memory.DeviceAllocated), true},
		{"", "outside", "bytes", 64 << 10, func(s *memory.Sample) (int64, bool) {
			used, ok := s.Get(memory.DeviceDriverUsed)
			reserved, also := s.Get(memory.DeviceReserved)
			return used - reserved, ok && also
		}, false},
	}
	hostSources = []source{
		{"", "used", "bytes", 256, figure(memory.HostUsed), true},
		{"shm", "shared", "bytes", 4096, figure(memory.HostShm), true},
		{"", "python_blocks", "blocks", 2, figure(memory.HostPythonBlocks), false},
		{"shm", "shared_files", "files", 0.05, figure(memory.HostShmFiles), false},
		{"pinned", "pinned", "bytes", 256, figure(memory.HostPinned), true},
		{"", "anonymous", "bytes", 4096, figure(memory.HostAnon), false},
	}
	workerSources = []source{{"", "own", "bytes", 4096, figure(memory.WorkerOwn), true}}
)

// sourcesOf returns the sources of a memory that records are of, and where it stands: devices, the host, loader workers.
func sourcesOf(name string) (sources []source, rank int) {
	switch {
	case name == "host":
		return hostSources, 1
	case strings.HasPrefix(name, memory.WorkerPrefix):
		return workerSources, 2
	}
	return deviceSources, 0
}

// curves reads the counters of a process, without the steps in which evidence was gathered.
func curves(p recording.Process) []Curve {
	var order []string
	byMemory := map[string][]Curve{}
	p.Replay(func(rec flight.Record) {
		s := &rec.Sample
		if s.Flags&memory.FlagEvidence != 0 {
			return
		}
		sources, rank := sourcesOf(s.Memory)
		all := byMemory[s.Memory]
		if all == nil {
			order = append(order, s.Memory)
			for _, from := range sources {
				all = append(all, Curve{Series: Series{p.Hello.Rank, cmp.Or(from.memory, s.Memory), from.name, from.unit}, least: from.least, main: from.main, device: rank == 0})
			}
			byMemory[s.Memory] = all
		}
		for i, from := range sources {
			if v, ok := from.read(s); ok {
				all[i].Steps = append(all[i].Steps, s.Step)
				all[i].Values = append(all[i].Values, v)
			}
		}
	})
	slices.SortStableFunc(order, func(a, b string) int {
		_, first := sourcesOf(a)
		_, second := sourcesOf(b)
		return first - second
	})
	var found []Curve
	for _, name := range order {
		found = append(found, byMemory[name]...)
	}
	return found
}

// Rate is by how much the curve rises a step behind step from, in the middle: the median of what it rises over a quarter of
// its length, so that one jump does not count, or of what the floor of a saw-tooth rises. period is the steps between rises. ok is false where it is too short to say.
func (c Curve) Rate(from, to, period int64) (rate float64, ok bool) {
	return c.rate(from, to, period, 4)
}

// rate is Rate over one of so many parts of the length: with eight of them, three jumps do not count.
func (c Curve) rate(from, to, period, parts int64) (rate float64, ok bool) {
	first, _ := slices.BinarySearch(c.Steps, from+1)
	end, _ := slices.BinarySearch(c.Steps, to+1)
	steps, values := c.Steps[first:end], c.Values[first:end]
	if len(steps) < leastPoints {
		return 0, false
	}
	if row := teeth(steps, values); row != nil {
		return floor(row), true
	}
	period = max(1, period)
	lag := max(1, (steps[len(steps)-1]-steps[0])/parts/period) * period
	var rates []float64
	for i, j := 0, 0; i < len(steps); i++ {
		for j < len(steps) && steps[j] < steps[i]+lag {
			j++
		}
		if j == len(steps) {
			break
		}
		rates = append(rates, float64(values[j]-values[i])/float64(steps[j]-steps[i]))
	}
	if len(rates) == 0 {
		return 0, false
	}
	slices.Sort(rates)
	return rates[len(rates)/2], true
}

// leastPoints is how many readings a rate rests on.
const leastPoints = 8

// Last is the last step of the curve, 0 where there is none.
func (c Curve) Last() int64 {
	if len(c.Steps) == 0 {
		return 0
	}
	return c.Steps[len(c.Steps)-1]
}

// Grows reports whether the curve rises by what matters, in both halves behind step from.
func (c Curve) Grows(from, period int64) bool {
	middle := (from + c.Last()) / 2
	for _, part := range [][2]int64{{from, c.Last()}, {from, middle}, {middle, c.Last()}} {
		if r, ok := c.Rate(part[0], part[1], period); !ok || r < c.least {
			return false
		}
	}
	return true
}

// Find returns the curve of the same series in another run.
func Find(all []Curve, s Series) (Curve, bool) {
	for _, c := range all {
		if c.Series == s {
			return c, true
		}
	}
	return Curve{}, false
}

package detect

import (
	"cmp"
	"math"

	"github.com/torchleak/torchleak/internal/memory"
)

// kind is what is known beforehand of all memories of a kind.
type kind struct {
	series []series // what is followed, the judged one first
	plots  []plot   // what is drawn beside the judged one
	device bool
}

// plot is a figure that is drawn: its name in the report, and its index into memory.Sample.V.
type plot struct {
	name  string
	value int
}

// role is what a series tells about its memory.
type role int

const (
	primary   role = iota // live bytes: the memory that is judged
	secondary             // a count of live things that the bytes may not show
	holding               // what is held to serve the live bytes
	beyond                // used outside the allocator
	resident              // pages: says how many bytes, proves nothing
)

// series is what is known beforehand of one series of a memory. Its figures are bytes, or things where it counts.
type series struct {
	name  string                             // as suspicions name it
	role  role                               //
	read  func(*memory.Sample) (int64, bool) // its value in a sample, false where that was not read
	apart bool                               // gathering evidence does not move it: it is judged in those steps too
	grows string                             // how growth is said in a sentence, where not by its name
	price string                             // the series of the pages that grow with a count, and say what it costs

	least       float64 // growth a step that matters
	alone       float64 // … that may be called a leak without survivors, where that is more
	unexplained float64 // … also where evidence found none
	trickle     float64 // growth a step below which it must have lasted for long, and only hooks among the survivors explain it

	unhurried float64 // growth a step below which a question can wait for so many samples:
	patience  int64   // …
	early     float64 // the same among the first samples, in which a heap grows by kilobytes in every training

	window int64 // samples of the shortest window in which growth without survivors must show, usualWindow where none is given
	lasts  int64 // samples that such growth must last

	explainedBy func(*growth, Confirmation) bool // whether what survived can be what grows; nil: whatever it is
}

// Growth that matters, in bytes (or things) a step. A device's counters are exact and come in 512 bytes; one scalar
// kept per evaluation is no leak worth a change. A heap also serves Python's own bookkeeping: histories of numbers,
// caches, strings; there, growth that no survivors speak for must be faster (series.alone).
const (
	leastDevice  = 128
	leastHost    = 256
	leastBlocks  = 2.2
	leastHooks   = 1  // blocks, where a hook table grows
	manyBlocks   = 16 // a kilobyte or so
	leastFiles   = 0.02
	leastWorker  = 2 << 10 // a step of the trainer's, in which not every worker makes a batch
	leastOutside = 64 << 10
)

// unexplained is how many bytes a step the heap must gain to be a leak after evidence found nothing that stays: below,
// a training that writes down numbers looks the same.
const unexplained = 4096

// usualWindow is long enough for caches, which fill while shapes are new, to show that they slow down.
const usualWindow = 8

// patienceForFew is how many samples a trickle must last before it is worth a question: every training makes a few
// Python objects a step at first, and a heap creeps. One that creeps by less than a kilobyte a step is in no hurry: in a
// large training it does so for dozens of steps, and a look at all its objects costs a second.
const patienceForFew, patienceForCreep = 48, 96

// heap is the bytes that malloc has given out.
var heap = series{
	name: "used", role: primary, read: figure(memory.HostUsed), grows: "the heap grows",
	least: leastHost, alone: 2 * leastHost, unexplained: unexplained,
	unhurried: 4 * leastHost, patience: patienceForCreep, early: 16 * leastHost,
	explainedBy: func(g *growth, c Confirmation) bool {
		return !c.small() || 4*float64(c.BytesPerStep) >= g.rate.Mid
	},
}

// pythonBlocks is the number of Python's small objects. Cycles that wait for the collector look like a leak of them for a
// while.
var pythonBlocks = series{
	name: "python_blocks", role: secondary, read: figure(memory.HostPythonBlocks),
	grows: "the number of Python's memory blocks grows", price: "anon",
	least: leastBlocks, alone: 2 * manyBlocks, trickle: manyBlocks,
	unhurried: 2 * manyBlocks, patience: patienceForFew, early: 2 * manyBlocks,
	window: 2 * usualWindow, lasts: 192,
	explainedBy: func(g *growth, c Confirmation) bool {
		if g.rate.Mid < manyBlocks {
			return c.Hooks
		}
		return (c.Holder || g.rate.Mid >= 2*manyBlocks) && !c.small()
	},
}

// inWorker is a series of a loader worker, in which no evidence is gathered.
func inWorker(s series) series {
	s.apart = true
	return s
}

var kinds = map[string]kind{
	"device": {
		series: []series{
			{name: "allocated", role: primary, least: leastDevice, read: figure(memory.DeviceAllocated)},
			{name: "reserved", role: holding, least: leastDevice, read: figure(memory.DeviceReserved)},
			{name: "outside", role: beyond, least: leastOutside, read: outside},
		},
		plots:  []plot{{"reserved", memory.DeviceReserved}, {"driver", memory.DeviceDriverUsed}},
		device: true,
	},
	"host": {
		series: []series{heap, pythonBlocks, {name: "anon", role: resident, least: leastHost, read: figure(memory.HostAnon)}},
		plots:  []plot{{"held", memory.HostHeld}},
	},
	"pinned": {
		series: []series{{name: "pinned", role: primary, least: leastHost, read: figure(memory.HostPinned)}},
	},
	// Whole segments, read seldom; the gathering of evidence opens none. What grows are the pages that were touched: a buffer that is
	// made at once and filled step by step looks like segments that nobody lets go of, and only survivors tell them apart.
	"shm": {
		series: []series{
			{
				name: "shm", role: primary, read: figure(memory.HostShm), apart: true, grows: "shared memory grows",
				least: leastHost, alone: math.MaxFloat64, window: 2,
			},
			{
				name: "shm_files", role: secondary, read: figure(memory.HostShmFiles), apart: true, price: "shm",
				grows: "the number of open shared-memory segments whose file is gone grows (worker batches that are kept)",
				least: leastFiles, window: 1,
			},
		},
	},
	"worker": {
		series: []series{
			inWorker(series{name: "own", role: primary, least: leastWorker, read: figure(memory.WorkerOwn), grows: "the worker's own memory grows"}),
			inWorker(pythonBlocks),
			inWorker(series{name: "copied", role: resident, least: leastWorker, read: copied}),
			inWorker(series{name: "anon", role: resident, least: leastWorker, read: figure(memory.HostAnon)}),
		},
		plots: []plot{{"private", memory.WorkerPrivate}},
	},
}

// kindOf is what is known of the kind of that name; an unknown one is taken for a device.
func kindOf(name string) kind {
	if k, ok := kinds[name]; ok {
		return k
	}
	return kinds["device"]
}

// drawn names what is drawn of a memory: the judged series, then its plots.
func (k kind) drawn() []string {
	names := []string{"allocated"}
	for _, l := range k.plots {
		names = append(names, l.name)
	}
	return names
}

// figure reads value i of a sample.
func figure(i int) func(*memory.Sample) (int64, bool) {
	return func(s *memory.Sample) (int64, bool) { return s.Get(i) }
}

// outside reads what the driver has given away beside the allocator's reserve.
func outside(s *memory.Sample) (int64, bool) {
	used, ok := s.Get(memory.DeviceDriverUsed)
	reserved, ok2 := s.Get(memory.DeviceReserved)
	return used - reserved, ok && ok2
}

// growing is the subject and verb for growth of the series.
func (s *series) growing() string { return cmp.Or(s.grows, s.name+" memory grows") }

// countsBlocks reports a count of Python's small objects.
func (s *series) countsBlocks() bool { return s.name == pythonBlocks.name }

// slow reports a pace that is in no hurry.
func (s *series) slow(perStep float64, samples int64) bool {
	limit := s.unhurried
	if samples <= heldSettle {
		limit = s.early
	}
	return limit > 0 && perStep < limit
}

// trickles reports growth of a few Python objects a step.
func (s *series) trickles(g *growth) bool { return g.rate.Mid < s.trickle }

// explained reports that what survived can be what grows: a history of numbers survives in every training and
// explains no leak, and a few Python objects a step are none unless they are hooks. A cost that is not known
// explains everything; a device rounds small things up.
func (s *series) explained(g *growth, c Confirmation) bool {
	return s.explainedBy == nil || s.explainedBy(g, c)
}

package analysis

import (
	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
)

// Ask is a request for evidence.
type Ask struct {
	Memory       string
	Period       int64
	BudgetMillis int
}

// The price of evidence: the target stands still for at most totalMillis, and for a share of the time that a long training
// takes, so that what a busy machine or a wrong guess left open is looked at later. One request may spend all that is
// left: the first look matters most.
const (
	totalMillis = 1000
	shareOfTime = 2000 // one part in so many
	leastMillis = 40   // less is not worth starting for
	maxAsks     = 12   // for totalMillis
)

// A look costs by the number of objects, and a heap is unsteady at first: in a process of more Python blocks than
// this, half a million objects, the host's memory is not asked about before so many steps, and asked about again only
// when the run has lasted so many times as long as the target stood still for it.
const (
	manyBlocks   = 1_750_000
	settledSteps = 24
	priceShare   = 200
)

// dear reports that the host's memory is not worth a look yet.
func (p *Process) dear() bool {
	a := &p.asks
	return p.blocks > manyBlocks && (p.lastStep < settledSteps || float64(a.now-a.began)/1e9 < priceShare*a.spent())
}

// asks keeps the account of requests.
type asks struct {
	made      uint32
	open      bool
	failed    bool               // the probe could not gather any: it will not be able to later
	unwritten bool               // … nor say so
	stopped   map[uint32]float64 // seconds of our own work, by request
	began     int64              // nanoseconds at the first sample
	now       int64              // … at the newest
	next      map[string]int64   // first step at which a memory may be asked about again
}

// proven says that a memory is known to leak: as long as it is, the next look there may wait until four times as many
// steps have passed. Unfounded suspicions are rationed by the detector.
func (a *asks) proven(name string, step int64) {
	if a.next == nil {
		a.next = map[string]int64{}
	}
	a.next[name] = 4 * step
}

func (a *asks) paid(e *evidence.Evidence) {
	if a.stopped == nil {
		a.stopped = map[uint32]float64{}
	}
	// Other programs' use of the processors is not our price: our own work counts where it is known.
	a.stopped[e.Request] = e.Cost.StoppedSeconds
	if cpu := e.Cost.CPUSeconds; cpu > 0 && cpu < e.Cost.StoppedSeconds {
		a.stopped[e.Request] = cpu
	}
	a.failed = a.failed || !e.Complete && len(e.Censuses) == 0
	a.made = max(a.made, e.Request) // a recording is replayed without asking
}

// passed notes the time of a sample.
func (a *asks) passed(nanos int64) {
	if a.began == 0 {
		a.began = nanos
	}
	a.now = max(a.now, nanos)
}

// allowed is how many milliseconds all requests together may take by now.
func (a *asks) allowed() int {
	return totalMillis + int((a.now-a.began)/1e6/shareOfTime)
}

func (a *asks) left() int { return a.allowed() - int(a.spent()*1000) }

// spent is how many seconds all answers have taken.
func (a *asks) spent() float64 {
	sum := 0.0
	for _, s := range a.stopped {
		sum += s
	}
	return sum
}

// Ask returns the request that is worth making now. Devices come before the host: what they hold is dearer.
func (p *Process) Ask() (Ask, bool) {
	a := &p.asks
	left := a.left()
	if a.open || a.failed || int(a.made) >= maxAsks*a.allowed()/totalMillis || left < leastMillis {
		return Ask{}, false
	}
	for _, wantHost := range [...]bool{false, true} {
		for _, name := range p.order {
			kind := Kind(name)
			if kind == "worker" || (kind != "device") != wantHost || p.rests(name) || wantHost && p.dear() {
				continue // the probe gathers nothing in a worker
			}
			s, ok := p.detectors[name].Suspicion()
			if !ok {
				continue
			}
			a.made++
			a.open = true
			return Ask{Memory: name, Period: max(s.Period, 1), BudgetMillis: left}, true
		}
	}
	return Ask{}, false
}

// rests reports that a memory was proven to leak, still does, and need not be looked at again yet.
func (p *Process) rests(name string) bool {
	return p.lastStep < p.asks.next[name] && p.detectors[name].Verdict() == finding.Leak
}

// Answered says that the open request is over; found is whether there is a file about it. Where none could be
// written, as on a full disk, none will be later.
func (p *Process) Answered(found bool) {
	p.asks.open = false
	p.asks.unwritten = p.asks.unwritten || !found
	p.asks.failed = p.asks.failed || !found
}

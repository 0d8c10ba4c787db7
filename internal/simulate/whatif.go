package simulate

import (
	"cmp"
	"errors"
)

// Options say what to simulate.
type Options struct {
	Confs    []string // settings as in PYTORCH_CUDA_ALLOC_CONF; none: the usual ones
	Fraction float64  // of the device that the process may use, 0 for all
	Capacity uint64   // bytes of the device, 0 where not known
}

// Result is what came of it.
type Result struct {
	Replay   *Replay  `json:"replay"`
	Recorded string   `json:"recorded_conf"`
	Configs  []Config `json:"configs"`
	Limit    uint64   `json:"limit_bytes,omitempty"` // that the simulated process ran under
	GrowsBy  uint64   `json:"grows_by_bytes,omitempty"`
	Advice   []Advice `json:"advice"`
	Notes    []string `json:"notes"`
}

// Config is the run under other settings.
type Config struct {
	Conf          string    `json:"conf"`
	PeakReserved  uint64    `json:"peak_reserved_bytes"`
	Interval      [2]uint64 `json:"interval"` // over places where segments may have lain
	PeakAllocated uint64    `json:"peak_allocated_bytes"`
	Retries       int       `json:"retries"`
	DeviceAllocs  int       `json:"device_allocs"` // cudaMalloc calls and mappings: what they cost in time
	OOM           bool      `json:"oom"`
	Failure       *Failure  `json:"failure,omitempty"`
	Effect        Effect    `json:"effect"`
	Change        *float64  `json:"change,omitempty"` // of the peak against the recorded settings, -0.1 is a tenth less

	base     uint64
	failed   int // placements in which it ran out of memory
	settings Settings
}

// Effect is what a setting does for this run.
type Effect string

// Effects.
const (
	Lowers  Effect = "lowers"  // the peak, by 3 % or more
	Raises  Effect = "raises"  // the peak, by 3 % or more
	Same    Effect = "same"    // or not enough to tell
	Fails   Effect = "fails"   // out of memory
	Rescues Effect = "rescues" // the recorded settings run out of memory under these limits, this does not
)

// usual are the settings that people try.
var usual = []string{"", "expandable_segments:True", "max_split_size_mb:128", "max_split_size_mb:256", "max_split_size_mb:512",
	"roundup_power2_divisions:4", "roundup_power2_divisions:8"}

// collecting are worth trying where the process has a limit; without one they do nothing.
var collecting = []string{"garbage_collection_threshold:0.6", "garbage_collection_threshold:0.8"}

// Simulate replays a trace under its own settings and under others. The error is about the options.
func Simulate(t *Trace, o Options) (*Result, error) {
	w := &whatIf{program: compile(t), Result: &Result{Recorded: t.Conf, Configs: []Config{}, Advice: []Advice{}, Notes: []string{}}}
	if len(t.Events) == 0 {
		return nil, ErrNoTrace
	}
	if err := w.bounds(o); err != nil {
		return nil, err
	}
	confs := o.Confs
	if len(confs) == 0 {
		confs = usual
		if w.limit > 0 {
			confs = append(confs[:len(confs):len(confs)], collecting...)
		}
	}
	for _, conf := range confs {
		s, err := Parse(conf)
		if err == nil && s.Backend != "native" {
			err = errors.New("cudaMallocAsync is the driver's allocator, which is not simulated")
		}
		if err != nil {
			return nil, &ConfError{conf, err}
		}
		w.Configs = append(w.Configs, w.config(conf, s))
	}
	w.GrowsBy = w.growth()
	w.advise()
	w.remark(o)
	return w.Result, nil
}

// ConfError is a setting that PyTorch would refuse.
type ConfError struct {
	Conf string
	Err  error
}

func (e *ConfError) Error() string { return "PYTORCH_CUDA_ALLOC_CONF=" + e.Conf + ": " + e.Err.Error() }

type whatIf struct {
	*program
	*Result
	capacity uint64
	limit    uint64
	base     [asItLay + 1]*outcome // of the recorded settings, by beginning, once known
}

// ErrNoTrace is a snapshot that holds only a state.
var ErrNoTrace = errors.New("the snapshot holds no trace of this device to replay")

// ErrNoCapacity is a share of nobody knows what.
var ErrNoCapacity = errors.New("a fraction needs the capacity of the device, which the snapshot does not tell")

// bounds replays the trace under the limits that were named. Where none was, the recorded run may have met one.
func (w *whatIf) bounds(o Options) error {
	w.capacity = o.Capacity
	fraction := cmp.Or(o.Fraction, w.trace.Settings.Fraction)
	w.limit = uint64(fraction * float64(o.Capacity))
	w.Replay = w.replay(w.limit)
	switch {
	case o.Capacity > 0:
	case o.Fraction > 0 && w.Replay.device == 0:
		return ErrNoCapacity
	case o.Fraction > 0:
		w.capacity = w.Replay.device
		w.limit = uint64(fraction * float64(w.capacity))
	default:
		w.infer()
	}
	w.Limit = cmp.Or(w.limit, w.capacity)
	return nil
}

// infer takes what the recorded run could hold at most as the limit, where it met one.
func (w *whatIf) infer() {
	if w.Replay.refused == 0 {
		return
	}
	if w.Replay.room {
		w.limit = w.Replay.held
	} else {
		w.capacity = w.Replay.held
	}
}

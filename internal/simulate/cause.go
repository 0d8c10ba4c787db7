package simulate

import "github.com/torchleak/torchleak/internal/snapshot"

const (
	causeOtherLimit = "the memory limit given is not that of the recorded run"
	causeNoLimit    = "garbage collection goes by the memory limit, which snapshots do not hold: name it by --fraction and --capacity"
	causeAges       = "how long blocks had been idle when the trace began is not known"
	causeLeftOut    = "completed frees were left out when recording: when a stream was done with a block is not known"
)

// cause says why the model may have gone another way than the trace at an allocation.
func (r *replayer) cause(o *op) string {
	s := &r.trace.Settings
	recorded := r.trace.Events[o.from : o.to-1]
	freed := len(recorded) > 0 && releases(recorded[0].Kind)
	foretold := len(r.a.log) > 0 && releases(r.a.log[0].Kind)
	switch {
	case s.Backend != "native":
		return "the recorded backend is " + s.Backend + ", not the caching allocator"
	case s.GCThreshold > 0 && r.a.limit == 0 && freed:
		return causeNoLimit
	case freed != foretold && r.a.limit > 0:
		return causeOtherLimit
	case !r.has[snapshot.FreeCompleted]:
		return causeLeftOut
	case !r.Complete && r.a.limit > 0 && s.GCThreshold > 0:
		return causeAges
	case !r.Complete:
		return "the trace lost its beginning: what was free then is known from the final segments only, or settings changed since"
	case len(recorded) > 0 && len(r.a.log) == 0:
		return "a free block would have done: it belonged to a pool that the snapshot does not name, or settings changed during the run"
	}
	return "settings changed during the run, or another thread's entries are missing"
}

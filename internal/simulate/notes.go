package simulate

import (
	"fmt"
	"slices"

	"github.com/torchleak/torchleak/internal/units"
)

// remark says what the figures do not.
func (w *whatIf) remark(o Options) {
	if !w.Replay.Complete {
		alive := uint64(0)
		for _, h := range w.start {
			alive += h.requested
		}
		w.say("the trace lost its beginning, when %s were in use. Settings that change only how blocks are cut begin with the recorded segments; "+
			"others with that memory asked for anew. Intervals span both", bytes(alive))
	}
	if err := w.trace.ConfError; err != nil {
		w.say("of the recorded settings %q only what the snapshot says of single ones is used: %v", w.trace.Conf, err)
	}
	if w.Replay.FirstDivergence != nil {
		w.say("the model left the trace at entry %d, so that the other figures are estimates", w.Replay.FirstDivergence.Event)
	}
	if w.lost > 0 {
		w.say("%s freed without an entry that says so", units.Plural(w.lost, "block"))
	}
	switch {
	case o.Fraction > 0 && o.Capacity == 0:
		w.say("the device is taken to have %s, which is what was held and what was free when a request failed", bytes(w.capacity))
	case w.Limit > 0 && o.Capacity == 0:
		w.say("the limit is what the recorded run held when memory was refused, %s; the true one is up to %s more", bytes(w.Limit), bytes(w.Replay.refused-1-w.Limit))
	}
	if w.capacity == 0 && slices.ContainsFunc(w.Configs, func(c Config) bool { return c.settings.Fraction > 0 }) {
		w.say("per_process_memory_fraction was left aside: it needs --capacity")
	}
	idle := func(c Config) bool { return c.settings.GCThreshold > 0 && w.limit == 0 && c.settings.Fraction == 0 }
	if slices.ContainsFunc(w.Configs, idle) {
		w.say("garbage_collection_threshold does nothing unless the process has a memory fraction (--fraction with --capacity)")
	}
}

func (w *whatIf) say(format string, args ...any) {
	w.Notes = append(w.Notes, fmt.Sprintf(format, args...))
}

func bytes(n uint64) string { return units.Bytes(int64(n)) }

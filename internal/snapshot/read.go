package snapshot

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/torchleak/torchleak/internal/pickle"
)

// ErrOther is a pickle that is none of a memory snapshot.
var ErrOther = errors.New("a pickle, but none of a memory snapshot: it has neither segments nor device_traces")

// Read reads a snapshot from a pickle.
func Read(r io.Reader) (*Snapshot, error) {
	texts := pickle.NewStrings(names...)
	s := &Snapshot{Trace: newTrace(), Stacks: newStacks(texts), extras: newExtras()}
	b := &builder{s: s, poolIDs: map[Pool]uint32{}, other: map[string]int{}, left: map[uint32]bool{}, lastPool: noPool}
	b.appender.trace = &s.Trace
	_, err := pickle.Decode(r, b, texts)
	b.appender.finish()
	if err != nil {
		return nil, err
	}
	// memory_snapshot() of old releases is the bare list of segments.
	if !b.top && len(s.Segments) == 0 {
		return nil, ErrOther
	}
	if b.top {
		s.Segments = s.Segments[b.segments[0]:b.segments[1]]
	}
	b.finish()
	if len(s.Devices) == 0 && len(b.odd) > 0 {
		return nil, fmt.Errorf("a pickle, but none of a memory snapshot: %s holds something else", strings.Join(b.odd, " and "))
	}
	return s, nil
}

// finish lists the devices.
func (b *builder) finish() {
	s := b.s
	for i, span := range b.recorded {
		s.Devices = append(s.Devices, Device{Index: i, From: span[0], To: span[1], Recorded: span[1] > span[0]})
	}
	for _, seg := range s.Segments {
		for len(s.Devices) <= seg.Device {
			s.Devices = append(s.Devices, Device{Index: len(s.Devices)})
		}
	}
	held := map[int]bool{}
	for _, seg := range s.Segments {
		held[seg.Device] = true
	}
	// Every device of the machine has a trace, most are empty.
	s.Devices = slices.DeleteFunc(s.Devices, func(d Device) bool { return !d.Recorded && !held[d.Index] })
	s.Trace.lanes, s.Stacks.numbers, s.Stacks.slots, s.extras.numbers = nil, nil, nil, nil
	s.LeftOut = b.leftOut()
	b.note()
}

// note says what is missing, and what was left out.
func (b *builder) note() {
	s := b.s
	for _, name := range b.odd {
		s.Notes = append(s.Notes, fmt.Sprintf("%s holds something else than PyTorch puts there, and was left out.", name))
	}
	switch {
	case len(b.odd) > 0:
	case len(s.Devices) == 0:
		s.Notes = append(s.Notes, "It is of no device: nothing had been allocated on one, and nothing was recorded.")
	case s.Trace.length == 0:
		s.Notes = append(s.Notes, "There is no trace: only the state at one moment is known. torch.cuda.memory._record_memory_history() records one.")
	}
	if b.top && !b.listed {
		s.Notes = append(s.Notes, "There are no segments: what was in use in the end, and what was reserved, is not known.")
	}
	for _, action := range slices.Sorted(maps.Keys(b.other)) {
		s.Notes = append(s.Notes, fmt.Sprintf("Entries of the unknown action %.60q were left out: %d.", action, b.other[action]))
	}
	if b.negative > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Entries without an address or a size that can be were left out: %d.", b.negative))
	}
	if b.outside > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("Blocks that do not lie within their segment: %d. What is said of free memory may be wrong.", b.outside))
	}
}

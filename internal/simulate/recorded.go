package simulate

import (
	"slices"

	"github.com/torchleak/torchleak/internal/snapshot"
)

// Recorded takes the trace of one device out of a snapshot.
func Recorded(s *snapshot.Snapshot, d snapshot.Device) *Trace {
	t := &Trace{Conf: s.Settings.Conf}
	t.Settings, t.ConfError = recordedSettings(&s.Settings)
	t.Events = make([]Event, 0, d.To-d.From)
	for i := d.From; i < d.To; i++ {
		if e := s.Trace.At(i); e.Kind <= snapshot.OOM {
			l := s.Trace.Lanes[e.LaneID]
			t.Events = append(t.Events, Event{Kind: e.Kind, Addr: e.Addr, Size: e.Size, Stream: l.Stream, Pool: l.Pool, Stack: e.Stack})
		}
	}
	for _, seg := range s.Segments {
		if seg.Device == d.Index {
			t.Segments = append(t.Segments, segmentOf(&seg, s.Blocks[seg.First:seg.Last]))
		}
	}
	return t
}

func segmentOf(seg *snapshot.Segment, blocks []snapshot.Block) Segment {
	own := Segment{Addr: seg.Addr, Size: seg.Size, Stream: seg.Stream, Pool: seg.Pool, Small: seg.Small, Expandable: seg.Expandable}
	own.Blocks = slices.Grow(own.Blocks, len(blocks))
	for _, b := range blocks {
		own.Blocks = append(own.Blocks, Block{Addr: b.Addr, Size: b.Size, Requested: b.Requested,
			Live: b.State != snapshot.Inactive, Pending: b.State == snapshot.Pending})
	}
	return own
}

// recordedSettings reads the text of the settings, and over it what the snapshot says of single ones: a program
// may have changed them without it. The error is about a text that a newer or older PyTorch understood.
func recordedSettings(r *snapshot.Settings) (Settings, error) {
	s, err := Parse(r.Conf)
	if err != nil {
		s = Default()
	}
	if !r.Known {
		return s, err
	}
	s.Expandable = r.Expandable
	s.MaxSplit = unlimited
	if r.MaxSplit >= 0 {
		s.MaxSplit = uint64(r.MaxSplit)
	}
	s.GCThreshold = r.GCThreshold
	for key, d := range r.RoundupPow2Division {
		for i := range s.Divisions {
			if key == divisionNames[i] && d >= 0 {
				s.Divisions[i] = uint64(d)
			}
		}
	}
	return s, err
}

// divisionNames are the keys of roundup_power2_divisions in a snapshot: megabytes.
var divisionNames = [16]string{"1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384", "32768"}

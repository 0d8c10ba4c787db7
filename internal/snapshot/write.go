package snapshot

import (
	"io"
	"slices"
	"strconv"

	"github.com/torchleak/torchleak/internal/pickle"
)

// batch is how many items of a list Python writes at a time.
const batch = 1000

// writer writes a snapshot in the layout of the newest PyTorch; keys that the snapshot did not have stay out. Behind the
// known keys of each dictionary come those that are not known.
type writer struct {
	*pickle.Encoder
	s      *Snapshot
	frames map[uint32]uint32 // numbers in the pickle, by frame
	stacks map[uint32]uint32
	pools  bool
}

// Write writes the snapshot as a pickle of protocol 2, 4 or 5. Of the trace it writes what Devices cover.
func (s *Snapshot) Write(to io.Writer, protocol int) error {
	w := writer{pickle.NewEncoder(to, protocol), s, map[uint32]uint32{}, map[uint32]uint32{}, false}
	for _, l := range s.Trace.Lanes {
		w.pools = w.pools || l.Pool != Pool{}
	}
	w.Dict()
	w.Text("segments")
	w.List()
	for i, seg := range s.Segments {
		if i%batch == batch-1 {
			w.Batch()
		}
		w.segment(seg)
	}
	w.EndList()
	w.Text("device_traces")
	w.traces()
	if s.Settings.Known {
		w.Text("allocator_settings")
		w.settings()
	}
	w.Text("external_annotations")
	w.annotations()
	for _, set := range s.more {
		w.extras(set)
	}
	w.EndDict()
	return w.End()
}

func (w *writer) key(name string, n uint64) {
	w.Text(name)
	w.Int(n)
}

func (w *writer) segment(s Segment) {
	var allocated, active, requested uint64
	blocks := w.s.Blocks[s.First:s.Last]
	for _, b := range blocks {
		if b.State == Inactive {
			continue
		}
		active += b.Size
		requested += b.Requested
		if b.State == Allocated {
			allocated += b.Size
		}
	}
	w.Dict()
	w.key("device", uint64(s.Device))
	w.key("address", s.Addr)
	w.key("total_size", s.Size)
	w.key("allocated_size", allocated)
	w.key("active_size", active)
	w.key("requested_size", requested)
	w.key("stream", s.Stream)
	w.Text("segment_type")
	if s.Small {
		w.Text("small")
	} else {
		w.Text("large")
	}
	w.Text("segment_pool_id")
	w.Pair(s.Pool)
	w.Text("is_expandable")
	w.Bool(s.Expandable)
	w.Text("frames")
	w.stack(s.Stack)
	w.Text("blocks")
	w.List()
	for i, b := range blocks {
		if i%batch == batch-1 {
			w.Batch()
		}
		w.Dict()
		w.key("address", b.Addr)
		w.key("size", b.Size)
		w.key("requested_size", b.Requested)
		w.Text("state")
		w.Text(b.State.String())
		w.Text("frames")
		w.stack(b.Stack)
		w.extras(b.More)
		w.EndDict()
	}
	w.EndList()
	w.extras(s.More)
	w.EndDict()
}

// stack writes a stack, one that came before as a reference: nearly all do.
func (w *writer) stack(stack uint32) {
	stack = max(stack, NoFrames)
	if n, ok := w.stacks[stack]; ok {
		w.Again(n)
		return
	}
	w.stacks[stack] = w.NumberedList()
	for i, f := range w.s.Stacks.of(stack) {
		if i%batch == batch-1 {
			w.Batch()
		}
		w.frame(f)
	}
	w.EndList()
}

func (w *writer) frame(f uint32) {
	if n, ok := w.frames[f]; ok {
		w.Again(n)
		return
	}
	w.frames[f] = w.NumberedDict()
	frame := w.s.Stacks.frames[f]
	w.Text("name")
	w.Text(w.s.text(frame.function))
	w.Text("filename")
	w.Text(w.s.text(frame.file))
	w.key("line", uint64(frame.line))
	w.extras(frame.more)
	w.EndDict()
}

// traces writes a list for every device up to the last: a device's place in it is its number.
func (w *writer) traces() {
	w.List()
	next := 0
	for _, d := range w.s.Devices {
		for ; next < d.Index; next++ {
			w.List()
			w.EndList()
		}
		next = d.Index + 1
		w.List()
		for i, n := d.From, 0; i < d.To; i++ {
			if e := w.s.Trace.At(i); e.Kind != Other {
				w.entry(i, e)
				if n++; n%batch == 0 {
					w.Batch()
				}
			}
		}
		w.EndList()
	}
	w.EndList()
}

func (w *writer) entry(i int, e Entry) {
	w.Dict()
	w.Text("action")
	w.Text(e.Kind.String())
	if e.Kind == OOM {
		w.key("device_free", e.Addr)
	} else {
		w.key("addr", e.Addr)
	}
	w.key("size", e.Size)
	lane := w.s.Trace.Lanes[e.LaneID]
	w.key("stream", lane.Stream)
	if e.Time > 0 {
		w.key("time_us", uint64(e.Time))
	}
	run := w.s.Trace.meta[w.s.run(i)]
	if run.compile != absent {
		w.Text("compile_context")
		w.Text(w.s.text(run.compile))
	}
	if run.metadata != absent {
		w.Text("user_metadata")
		w.Text(w.s.text(run.metadata))
	}
	if w.pools {
		w.Text("pool_id")
		w.Pair(lane.Pool)
	}
	if e.Stack != 0 {
		w.Text("frames")
		w.stack(e.Stack)
	}
	w.extras(run.more)
	w.EndDict()
}

func (w *writer) settings() {
	s := w.s.Settings
	w.Dict()
	w.Text("PYTORCH_CUDA_ALLOC_CONF")
	w.Text(s.Conf)
	w.Text("max_split_size")
	if s.MaxSplit < 0 {
		w.Negative(-1)
	} else {
		w.Int(uint64(s.MaxSplit))
	}
	w.Text("garbage_collection_threshold")
	w.Float(s.GCThreshold)
	w.Text("expandable_segments")
	w.Bool(s.Expandable)
	if s.RoundupPow2Division != nil {
		w.Text("roundup_power2_divisions")
		w.Dict()
		for i := range 16 {
			name := strconv.Itoa(1 << i)
			w.key(name, uint64(s.RoundupPow2Division[name]))
		}
		w.EndDict()
	}
	w.extras(s.More)
	w.EndDict()
}

func (w *writer) annotations() {
	w.List()
	for i, a := range w.s.Annotations {
		if i%batch == batch-1 {
			w.Batch()
		}
		w.Dict()
		w.Text("stage")
		if a.End {
			w.Text("END")
		} else {
			w.Text("START")
		}
		w.Text("name")
		w.Text(a.Name)
		w.key("device", uint64(a.Device))
		w.key("time_us", uint64(max(a.Time, 0)))
		w.extras(a.More)
		w.EndDict()
	}
	w.EndList()
}

// RenameFiles gives the files of all frames other names.
func (s *Stacks) RenameFiles(rename func(string) string) {
	names := map[uint32]uint32{}
	for i := range s.frames {
		f := &s.frames[i]
		to, ok := names[f.file]
		if !ok {
			to = s.texts.Intern([]byte(rename(s.texts.Text(f.file))))
			names[f.file] = to
		}
		f.file = to
	}
}

// Files returns the names of the files of all frames.
func (s *Stacks) Files() (files []string) {
	seen := map[uint32]bool{}
	for _, f := range s.frames {
		if !seen[f.file] {
			seen[f.file] = true
			files = append(files, s.texts.Text(f.file))
		}
	}
	slices.Sort(files)
	return files
}

// Command bigsnapshot writes memory snapshots of any size, for measurements: the trace of a real training again and
// again, pickled as Python pickles it.
//
//	go run ./bench/bigsnapshot -size 5GB out.pickle
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/pickle"
	"github.com/torchleak/torchleak/internal/snapshot"
)

func main() {
	size := flag.String("size", "116MB", "about how many bytes to write")
	from := flag.String("from", "internal/snapshot/testdata/none.pickle.gz", "snapshot whose trace is repeated")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: bigsnapshot [-size BYTES] OUT")
		os.Exit(2)
	}
	if err := run(*from, *size, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "bigsnapshot:", err)
		os.Exit(1)
	}
}

func run(from, size, out string) error {
	limit, err := bytesOf(size)
	if err != nil {
		return err
	}
	s, err := snapshot.Open(from)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := repeat(f, s, limit); err != nil {
		return err
	}
	return f.Close()
}

// bytesOf reads "5GB".
func bytesOf(s string) (int64, error) {
	for unit, factor := range map[string]int64{"MB": 1e6, "GB": 1e9} {
		if n, ok := strings.CutSuffix(s, unit); ok {
			v, err := strconv.ParseInt(n, 10, 64)
			return v * factor, err
		}
	}
	return strconv.ParseInt(s, 10, 64)
}

// counter knows how much was written.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// writer writes entries as Python does: everything that could be referred to is numbered, and each allocation has a
// list of frames of its own.
type writer struct {
	*pickle.Encoder
	s      *snapshot.Snapshot
	frames map[snapshot.Frame]uint32
	lists  map[uint64]uint32 // the list of frames of what lies at an address
	n      int               // entries
}

// repeat writes the first device's trace until limit is reached: its steps again and again, each time from the memory
// that the first of them began with.
func repeat(to io.Writer, s *snapshot.Snapshot, limit int64) error {
	c := &counter{w: bufio.NewWriterSize(to, 1<<20)}
	w := &writer{Encoder: pickle.NewEncoder(c, 4), s: s, frames: map[snapshot.Frame]uint32{}, lists: map[uint64]uint32{}}
	d := s.Devices[0]
	begin, end := steps(s, d)
	first, last := live(s, d.From, begin), live(s, d.From, end)
	w.Dict()
	w.segments()
	// A large run has thousands of segments in front of its trace, whose numbers make those that the trace refers to long.
	w.Text("numbers")
	w.List()
	for range 256 {
		w.NumberedList()
		w.EndList()
	}
	w.EndList()
	w.Text("device_traces")
	w.List()
	w.List()
	var later int64
	for i := d.From; i < end; {
		// Segments are allocated once.
		if e := s.Trace.At(i); later == 0 || e.Kind < snapshot.SegmentAlloc {
			w.entry(e, later)
		}
		if i++; i == end && c.n < limit {
			w.restore(last, first, later)
			i = begin
			later += s.Trace.At(end-1).Time - s.Trace.At(begin-1).Time
		}
	}
	w.EndList()
	w.EndList()
	w.EndDict()
	if err := w.End(); err != nil {
		return err
	}
	return c.w.(*bufio.Writer).Flush()
}

// live returns what was allocated and not freed, in the order of the trace.
func live(s *snapshot.Snapshot, from, to int) (blocks []snapshot.Entry) {
	at := map[uint64]snapshot.Entry{}
	for i := from; i < to; i++ {
		switch e := s.Trace.At(i); e.Kind {
		case snapshot.Alloc:
			at[e.Addr] = e
		case snapshot.FreeCompleted:
			delete(at, e.Addr)
		}
	}
	for i := from; i < to; i++ {
		if e := s.Trace.At(i); e.Kind == snapshot.Alloc && at[e.Addr] == e {
			blocks = append(blocks, e)
		}
	}
	return blocks
}

// restore frees what is only in one state and allocates what is only in the other.
func (w *writer) restore(is, should []snapshot.Entry, later int64) {
	for _, e := range is {
		if !slices.Contains(should, e) {
			for _, e.Kind = range []snapshot.Kind{snapshot.FreeRequested, snapshot.FreeCompleted} {
				w.entry(e, later)
			}
		}
	}
	for _, e := range should {
		if !slices.Contains(is, e) {
			w.entry(e, later)
		}
	}
}

// steps returns the entries behind the first and behind the last step of an optimizer.
func steps(s *snapshot.Snapshot, d snapshot.Device) (begin, end int) {
	for _, a := range s.Annotations {
		if !a.End || !strings.HasPrefix(a.Name, "Optimizer.zero_grad") {
			continue
		}
		for i := max(begin, d.From); i < d.To; i++ {
			if s.Trace.At(i).Time > a.Time {
				if end = i; begin == 0 {
					begin = i
				}
				break
			}
		}
	}
	return begin, end
}

func (w *writer) key(name string, n uint64) {
	w.Text(name)
	w.Int(n)
}

func (w *writer) segments() {
	w.Text("segments")
	w.List()
	for _, seg := range w.s.Segments {
		w.NumberedDict()
		w.key("device", 0)
		w.key("address", seg.Addr)
		w.key("total_size", seg.Size)
		w.key("stream", 0)
		w.Text("blocks")
		w.NumberedList()
		for _, b := range w.s.Blocks[seg.First:seg.Last] {
			w.NumberedDict()
			w.key("address", b.Addr)
			w.key("size", b.Size)
			w.Text("state")
			w.Text(b.State.String())
			w.Text("frames")
			w.NumberedList()
			w.EndList()
			w.EndDict()
		}
		w.EndList()
		w.EndDict()
	}
	w.EndList()
}

func (w *writer) entry(e snapshot.Entry, later int64) {
	if w.n++; w.n%1000 == 0 {
		w.Batch()
	}
	w.NumberedDict()
	w.Text("action")
	w.Text(e.Kind.String())
	w.key("addr", e.Addr)
	w.key("size", e.Size)
	w.key("stream", 0)
	w.key("time_us", uint64(e.Time+later))
	w.Text("compile_context")
	w.Text("N/A")
	w.Text("user_metadata")
	w.Text("")
	w.Text("frames")
	// The two entries of a free share their list.
	if n, ok := w.lists[e.Addr]; ok && e.Kind == snapshot.FreeCompleted {
		w.Again(n)
	} else {
		n := w.NumberedList()
		for _, f := range w.s.Stacks.Frames(e.Stack) {
			w.frame(f)
		}
		w.EndList()
		w.lists[e.Addr] = n
	}
	w.EndDict()
}

func (w *writer) frame(f snapshot.Frame) {
	if n, ok := w.frames[f]; ok {
		w.Again(n)
		return
	}
	w.frames[f] = w.NumberedDict()
	w.Text("name")
	w.Text(f.Function)
	w.Text("filename")
	w.Text(f.File)
	w.key("line", uint64(f.Line))
	w.EndDict()
}

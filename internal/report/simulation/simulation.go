// Package simulation shows what the simulated allocator did with a recorded trace: as text for people and as
// JSON.
package simulation

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/torchleak/torchleak/internal/report/plain"
	"github.com/torchleak/torchleak/internal/simulate"
	"github.com/torchleak/torchleak/internal/units"
)

// Device is the simulation of one device's trace.
type Device struct {
	Index int `json:"device"`
	*simulate.Result
}

// WriteJSON writes schema 1.
func WriteJSON(w io.Writer, d Device) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Schema int `json:"schema"`
		Device
	}{1, d})
}

// WriteText writes for people.
func WriteText(w io.Writer, d Device) error {
	var out strings.Builder
	r := d.Replay
	start := "from the first allocation on"
	if !r.Complete {
		start = "its beginning is lost"
	}
	fmt.Fprintf(&out, "cuda:%d  %s recorded (%s), %s foretold: %s, %s\n", d.Index, units.Plural(r.Events, "entry"), start,
		share(r.Exact, r.Events), score(r.Addresses, "address"), score(r.SegmentEvents, "call of the driver"))
	if f := r.FirstDivergence; f != nil {
		fmt.Fprintf(&out, "  first otherwise at entry %s, %s of %s: foretold %s, recorded %s\n  perhaps %s\n", units.Count(int64(f.Event)),
			f.Action, units.Bytes(int64(f.Size)), f.Predicted, f.Recorded, f.Cause)
	}
	fmt.Fprintf(&out, "  recorded under %s: peak reserved %s, allocated %s\n\n", name(d.Recorded), size(r.PeakReserved), size(r.PeakAllocated))
	table(&out, d.Configs)
	advice(&out, d)
	for _, n := range d.Notes {
		fmt.Fprintf(&out, "  note: %s\n", plain.Text(n))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func table(out *strings.Builder, configs []simulate.Config) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  PYTORCH_CUDA_ALLOC_CONF\tpeak reserved\tchange\tretries\tdriver calls\t")
	for _, c := range configs {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%d\t%s\t%s\n", name(c.Conf), spread(c), percent(c.Change), c.Retries,
			units.Count(int64(c.DeviceAllocs)), verdict(c))
	}
	t.Flush()
}

func advice(out *strings.Builder, d Device) {
	switch {
	case len(d.Advice) > 0:
		best := d.Advice[0]
		fmt.Fprintf(out, "\n  PYTORCH_CUDA_ALLOC_CONF=%s lowers the peak of this run by %s (%s)", plain.Text(best.Conf),
			size(best.Saved), strings.TrimPrefix(percent(best.Change), "-"))
		if best.AvoidsOOM {
			out.WriteString(" and it does not run out of memory")
		}
		out.WriteString("\n")
	case d.GrowsBy > 0:
		fmt.Fprintf(out, "\n  Live memory grows by %s over the trace. No setting of the allocator stops that; find what holds it.\n", size(d.GrowsBy))
	default:
		out.WriteString("\n  None of these settings lowers the peak of this run by 3 % or more.\n")
	}
}

func verdict(c simulate.Config) string {
	if c.Failure == nil {
		return ""
	}
	return fmt.Sprintf("out of memory at %s: %s more would do", size(c.Failure.Requested), size(c.Failure.Missing))
}

func spread(c simulate.Config) string {
	if c.Interval[0] == c.Interval[1] {
		return size(c.PeakReserved)
	}
	return fmt.Sprintf("%s (%s to %s)", size(c.PeakReserved), size(c.Interval[0]), size(c.Interval[1]))
}

func name(conf string) string {
	if conf == "" {
		return "(default)"
	}
	return plain.Text(conf)
}

func size(n uint64) string { return units.Bytes(int64(n)) }

func percent(change float64) string {
	if p := fmt.Sprintf("%+.1f %%", 100*change); p != "+0.0 %" && p != "-0.0 %" {
		return p
	}
	return "0 %"
}

// share never rounds up to all of them.
func share(n, of int) string {
	switch {
	case n == of:
		return "100 %"
	case of == 0:
		return "0 %"
	}
	return fmt.Sprintf("%.2f %%", min(99.99, 100*float64(n)/float64(of)))
}

func score(s simulate.Score, noun string) string {
	return fmt.Sprintf("%s of %s", units.Count(int64(s.Exact)), units.Plural(s.Of, noun))
}

// Package simulation shows what the simulated allocator did with a recorded trace: as text for people and as
// JSON.
package simulation

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

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
		start = "the beginning is lost"
	}
	fmt.Fprintf(&out, "cuda:%d  trace of %s entries, %s; %s foretold: %s addresses, %s calls of the driver\n", d.Index,
		units.Count(int64(r.Events)), start, share(r.Exact, r.Events), score(r.Addresses), score(r.SegmentEvents))
	if f := r.FirstDivergence; f != nil {
		fmt.Fprintf(&out, "  first otherwise at entry %s, %s of %s\n    foretold  %s\n    recorded  %s\n    because   %s\n", units.Count(int64(f.Event)),
			f.Action, units.Bytes(int64(f.Size)), f.Predicted, f.Recorded, f.Cause)
	}
	fmt.Fprintf(&out, "  recorded  %s, peak reserved %s, allocated %s\n\n", name(d.Recorded), size(r.PeakReserved), size(r.PeakAllocated))
	table(&out, d.Configs)
	advice(&out, d)
	for _, n := range d.Notes {
		fmt.Fprintf(&out, "  note  %s\n", plain.Text(n))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func table(out *strings.Builder, configs []simulate.Config) {
	rows := [][]string{{"PYTORCH_CUDA_ALLOC_CONF", "peak reserved", "change", "retries", "driver calls", ""}}
	for _, c := range configs {
		rows = append(rows, []string{name(c.Conf), spread(c), percent(c.Change), strconv.Itoa(c.Retries), units.Count(int64(c.DeviceAllocs)), effect(c)})
	}
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, r := range rows {
		line := "  "
		for i, cell := range r {
			line += cell + strings.Repeat(" ", widths[i]-len(cell)+2)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func advice(out *strings.Builder, d Device) {
	switch {
	case len(d.Advice) > 0 && d.Advice[0].Effect == simulate.Rescues:
		fmt.Fprintf(out, "\n  With PYTORCH_CUDA_ALLOC_CONF=%s this run would not have run out of memory, as far as the trace goes.\n", plain.Text(d.Advice[0].Conf))
	case len(d.Advice) > 0:
		best := d.Advice[0]
		fmt.Fprintf(out, "\n  PYTORCH_CUDA_ALLOC_CONF=%s lowers the peak of this run by %s (%d %%).\n", plain.Text(best.Conf), size(best.Saved), best.Percent)
	case d.GrowsBy > 0:
		fmt.Fprintf(out, "\n  Live memory grows by %s over the trace. No setting of the allocator stops that; find what holds it.\n", size(d.GrowsBy))
	case d.Replay.FirstDivergence == nil:
		out.WriteString("\n  None of these settings lowers the peak of this run by 3 % or more.\n")
	}
}

func effect(c simulate.Config) string {
	switch c.Effect {
	case simulate.Lowers:
		return "better"
	case simulate.Raises:
		return "worse"
	case simulate.Rescues:
		return "fits"
	case simulate.Fails:
		return fmt.Sprintf("out of memory at a request of %s, %s are missing", size(c.Failure.Requested), size(c.Failure.Missing))
	}
	return ""
}

func spread(c simulate.Config) string {
	low, high := size(c.Interval[0]), size(c.Interval[1])
	if low == high {
		return size(c.PeakReserved)
	}
	return fmt.Sprintf("%s (%s to %s)", size(c.PeakReserved), low, high)
}

func name(conf string) string {
	if conf == "" {
		return "(default)"
	}
	return plain.Text(conf)
}

func size(n uint64) string { return units.Bytes(int64(n)) }

func percent(change *float64) string {
	if change == nil {
		return ""
	}
	if p := fmt.Sprintf("%+.1f %%", 100**change); p != "+0.0 %" && p != "-0.0 %" {
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

func score(s simulate.Score) string {
	if s.Exact == s.Of {
		return units.Count(int64(s.Of))
	}
	return units.Count(int64(s.Exact)) + " of " + units.Count(int64(s.Of))
}

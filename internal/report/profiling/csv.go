package profiling

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/torchleak/torchleak/internal/profile"
)

// WriteCSV writes a table with one line for memory that is alike: of the same category, operator, line and module.
func WriteCSV(w io.Writer, all []profile.Process) error {
	out := csv.NewWriter(w)
	out.Write([]string{"rank", "memory", "category", "operator", "backward", "backward_of", "file", "line", "function",
		"inside_file", "inside_line", "module", "peak_bytes", "peak_count", "made_bytes", "made_count"})
	for i := range all {
		p := &all[i]
		for j := range p.Memories {
			m := &p.Memories[j]
			for _, r := range p.Rows(m) {
				out.Write([]string{strconv.Itoa(p.Rank), m.Name, string(r.Category), r.Operator, strconv.FormatBool(r.Backward), r.Of,
					r.Site.File, number(r.Site.Line), r.Site.Function, r.Inside.File, number(r.Inside.Line), r.Module,
					strconv.FormatInt(r.Bytes, 10), strconv.Itoa(r.Count), strconv.FormatInt(r.Made, 10), strconv.Itoa(r.Times)})
			}
		}
	}
	out.Flush()
	return out.Error()
}

// number is empty for what is not known.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

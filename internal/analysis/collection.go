package analysis

import (
	"fmt"
	"slices"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/recording"
)

// Collection is the reports of a run's processes.
type Collection struct {
	Reports []finding.Report
	pids    []int
}

// Add takes the report of a process, those of one number in the order in which they began. A process that has run another
// program in its own place, by exec, is reported as what it ran last: what it held before went with the program before.
func (c *Collection) Add(h recording.Hello, r finding.Report) {
	if i := slices.Index(c.pids, h.PID); i >= 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the program replaced itself after step %d, as os.exec does; this report is of what came after", c.Reports[i].Steps.Seen))
		c.Reports[i] = r
		return
	}
	c.Reports, c.pids = append(c.Reports, r), append(c.pids, h.PID)
}

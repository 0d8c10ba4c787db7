package bisect

import "github.com/torchleak/torchleak/internal/experiment"

// How long the runs behind the first are.
const (
	leastSteps = 56
	mostTimes  = 6  // periods of growth that are waited for
	behind     = 40 // steps behind the beginning of the growth
)

// measure takes the growth of the first run as the measure, and as many steps for the others as it takes to be sure of it.
func (h *hunt) measure(g experiment.Growth) {
	h.result.Growth = g
	h.result.Steps = min(g.To, max(leastSteps, g.From+behind, g.From+mostTimes*g.Period))
}

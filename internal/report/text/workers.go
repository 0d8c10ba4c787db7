package text

import (
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/report/phrase"
)

// maxWorkers is how many loader workers have a line of their own.
const maxWorkers = 4

// fewWorkers leaves out loader workers behind the first few, but not the memory with the gravest verdict, and returns
// how many.
func fewWorkers(memories []finding.Memory) (shown []finding.Memory, left int) {
	worst, workers := phrase.Worst(memories), 0
	for _, m := range memories {
		if m.Kind == "worker" {
			if workers++; workers > maxWorkers && (worst == nil || m.Name != worst.Name) {
				left++
				continue
			}
		}
		shown = append(shown, m)
	}
	return shown, left
}

package attach

import (
	"slices"

	"github.com/torchleak/torchleak/internal/process"
)

// Below lists the nearest processes under one that have PyTorch in memory, such as the ranks under a launcher. Those with the command
// line of that one are left out: it has forked them, as loader workers are.
func Below(pid int) (pids []int) {
	children := map[int][]int{}
	for _, n := range process.All() {
		if parent, err := process.Parent(n); err == nil {
			children[parent] = append(children[parent], n)
		}
	}
	argv, _ := process.Command(pid)
	for level := children[pid]; len(level) > 0; {
		var next []int
		for _, n := range level {
			switch theirs, _ := process.Command(n); {
			case slices.Equal(theirs, argv):
			case hasTorch(n):
				pids = append(pids, n)
			default:
				next = append(next, children[n]...)
			}
		}
		level = next
	}
	slices.Sort(pids)
	return pids
}

// Above returns the nearest process over one that has PyTorch in memory, as the training of a loader worker; 0 where there is none.
func Above(pid int) int {
	for {
		parent, err := process.Parent(pid)
		if err != nil || parent <= 1 {
			return 0
		}
		if hasTorch(parent) {
			return parent
		}
		pid = parent
	}
}

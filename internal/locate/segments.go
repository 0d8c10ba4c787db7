package locate

import "github.com/torchleak/torchleak/internal/finding"

// Leaves returns the statement that makes a named segment of shared memory, if nothing in sight takes the name of one away: the file
// stays though nobody has it open.
func (l *Locator) Leaves() (finding.Location, bool) {
	for range l.calls("unlink") {
		return finding.Location{}, false
	}
	for s, call := range l.calls("SharedMemory") {
		if s.Says(s.argumentFor(call, 1, "create"), "True") {
			return s.location(s.Statement(call)), true
		}
	}
	return finding.Location{}, false
}

package process

import (
	"bytes"
	"os"
	"strconv"

	"github.com/torchleak/torchleak/internal/memory"
)

// Limit is one that is set on a process alone, as by ulimit, and what counts towards it: addresses that are mapped, whether there
// is memory behind them or not. Beyond it the kernel refuses memory.
type Limit struct {
	By    string `json:"by"` // address space, data size
	Used  int64  `json:"used"`
	Limit int64  `json:"limit"`
}

// ReadLimits returns those limits on the memory of a process that are set; most have none.
func ReadLimits(pid int) ([]Limit, error) {
	limits, err := os.ReadFile(File(pid, "limits"))
	if err != nil {
		return nil, err
	}
	status, err := os.ReadFile(File(pid, "status"))
	if err != nil {
		return nil, err
	}
	return limitsOf(limits, status), nil
}

// Limited returns a limit of a process by its name in /proc/PID/limits, such as "Max open files"; ok is false where none is set.
func Limited(pid int, name string) (limit int64, ok bool) {
	limits, _ := os.ReadFile(File(pid, "limits"))
	return soft(limits, name)
}

func limitsOf(limits, status []byte) (set []Limit) {
	for _, l := range [...]struct{ by, line, counts string }{
		{"address space", "Max address space", "VmSize"},
		{"data size", "Max data size", "VmData"},
	} {
		limit, ok := soft(limits, l.line)
		if used := field(status, l.counts); ok && used != memory.Absent {
			set = append(set, Limit{l.by, used, limit})
		}
	}
	return set
}

// soft is the limit that counts, the first of the two of a line; "unlimited" is none.
func soft(limits []byte, name string) (int64, bool) {
	_, rest, _ := bytes.Cut(limits, []byte(name))
	words := bytes.Fields(rest)
	if len(words) == 0 {
		return 0, false
	}
	n, err := strconv.ParseInt(string(words[0]), 10, 64)
	return n, err == nil
}

// Package process reads what Linux says of another process: how it stands, and its memory. Reading takes nothing from that process but
// the time for which the kernel holds its page tables.
package process

import (
	"bytes"
	"errors"
	"os"
	"strconv"

	"github.com/torchleak/torchleak/internal/memory"
)

// Memory is what a process has in bytes, memory.Absent where the kernel does not say.
type Memory struct {
	RSS  int64
	Anon int64 // pages without a file, those that it shares with its parent since a fork included
	Shm  int64 // shared memory
	File int64 // mapped files: the page cache, which the kernel takes back
}

// ErrEnded says that the process has ended.
var ErrEnded = errors.New("the process has ended")

// Read returns the memory of the process of that number. It costs the reader some twenty microseconds.
func Read(pid int) (Memory, error) {
	text, err := os.ReadFile(File(pid, "status"))
	if err != nil {
		return Memory{}, err
	}
	m := Memory{RSS: field(text, "VmRSS"), Anon: field(text, "RssAnon"), Shm: field(text, "RssShmem"), File: field(text, "RssFile")}
	if m.RSS == memory.Absent { // what waits for its parent to take notice has no pages any more
		return m, ErrEnded
	}
	return m, nil
}

// Private returns the bytes of a process that no other process has as well: what it has written to since it was
// forked. The kernel walks all its page tables for it, milliseconds in a large one.
func Private(pid int) (int64, error) {
	text, err := os.ReadFile(File(pid, "smaps_rollup"))
	if err != nil {
		return 0, err
	}
	dirty := field(text, "Private_Dirty")
	if dirty == memory.Absent {
		return 0, ErrEnded
	}
	// Pages of a file that were written lately are dirty too, and in the page cache all the same.
	if anon, shm := field(text, "Anonymous"), field(text, "Pss_Shmem"); anon != memory.Absent {
		dirty = min(dirty, anon+max(shm, 0))
	}
	if swapped := field(text, "SwapPss"); swapped != memory.Absent {
		dirty += swapped
	}
	return dirty, nil
}

// File is the path of a file that Linux has of a process, such as status.
func File(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }

// field returns the bytes of the line that begins with key, "VmRSS:     1234 kB", memory.Absent without one.
func field(text []byte, key string) int64 {
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(line, []byte(key+":"))
		if !ok {
			continue
		}
		number, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
		if n, err := strconv.ParseInt(string(number), 10, 64); err == nil {
			return n << 10
		}
	}
	return memory.Absent
}

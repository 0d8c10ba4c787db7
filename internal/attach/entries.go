package attach

import (
	"bytes"
	"maps"
	"os"
	"slices"

	"github.com/torchleak/torchleak/internal/process"
)

// entries are the first bytes of functions by their addresses. A debugger that is killed leaves its breakpoints in them, and
// who comes by ends of that.
type entries map[uint64][]byte

// entrySize is that of the longest breakpoint.
const entrySize = 4

func readEntries(pid int, addresses []uint64) entries {
	memory, err := os.Open(process.File(pid, "mem"))
	if err != nil {
		return nil // then none can be put back either
	}
	defer memory.Close()
	all := entries{}
	for _, address := range addresses {
		code := make([]byte, entrySize)
		if _, err := memory.ReadAt(code, int64(address)); err == nil {
			all[address] = code
		}
	}
	return all
}

// restore puts back what is not as it was.
func (all entries) restore(pid int) {
	now := readEntries(pid, slices.Collect(maps.Keys(all)))
	memory, err := os.OpenFile(process.File(pid, "mem"), os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer memory.Close()
	for address, code := range all {
		if !bytes.Equal(now[address], code) {
			_, _ = memory.WriteAt(code, int64(address))
		}
	}
}

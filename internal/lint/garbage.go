package lint

import (
	"os"
	"runtime"
	"runtime/debug"
)

// garbage is how many bytes of garbage the checks may leave before they are collected. Each file leaves much that is
// of no use to the next one, and Go by itself looks for it as soon as there is as much of it as of the sources.
const garbage = 96 << 20

// maxPercent bounds garbage by what is in use, since that grows when files are parsed because others call into them.
const maxPercent = 200

// roomForGarbage lets the collector run less often until the function that it returns is called. Whoever sets GOGC
// knows better.
func roomForGarbage() func() {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	percent := min(max(garbage/(m.HeapAlloc/100+1), 100), maxPercent)
	was := debug.SetGCPercent(int(percent))
	return func() { debug.SetGCPercent(was) }
}

package diagnose

import (
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
)

// What small things cost on the host, in bytes: they are counted, not measured, and these figures weigh counts
// against measured bytes. A graph node with its Python-free bookkeeping took 400 to 600 bytes of heap in
// measurements on small models, a tensor with its storage about the same.
const (
	nodeBytes   = 500
	tensorBytes = 600
	hookBytes   = 600
	entryBytes  = 100
)

var elementBytes = map[string]float64{
	"float": 32, "int": 36, "bool": 8, "NoneType": 8, "str": 90, "bytes": 90, "complex": 40,
	"tuple": 130, "list": 160, "dict": 330, "set": 250, "OrderedDict": 600, "ndarray": 600,
}

// opaque reports whether the entries of the holder may keep more than was measured of them. A path with a key left out
// stands for all that lead there, of which one was measured.
func (c *candidate) opaque() bool {
	if c.holder != nil && strings.Contains(c.holder.Path, "[…]") && c.kind() == "slot" {
		return true
	}
	return c.elements > 0 && c.kind() != "hooks" && !c.holder.Plain()
}

// grown is how much a figure rose from the first to the last census.
func grown(figures []int64) int64 {
	if len(figures) < 2 {
		return 0
	}
	return figures[len(figures)-1] - figures[0]
}

// steady reports whether a figure rose from each census to the next.
func steady(figures []int64) bool {
	for i := 1; i < len(figures); i++ {
		if figures[i] <= figures[i-1] {
			return false
		}
	}
	return len(figures) >= 2
}

func last(figures []int64) int64 {
	if len(figures) == 0 {
		return 0
	}
	return figures[len(figures)-1]
}

// steps is how many steps lie between the first and the last census.
func steps(e *evidence.Evidence) int64 {
	if n := len(e.Censuses); n >= 2 {
		return max(e.Censuses[n-1].Step-e.Censuses[0].Step, 1)
	}
	return 1
}

// lies reports whether a group's tensors lie in the memory of that name. Shared memory is none of the heap's.
func lies(g *evidence.Group, memory string) bool {
	switch memory {
	case "host":
		return !g.Shared && onMemory(g.Device, memory)
	case "shm":
		return g.Shared && onMemory(g.Device, "host")
	case "pinned":
		return !g.Shared && onMemory(g.Device, "host")
	}
	return onMemory(g.Device, memory)
}

// onMemory reports whether a tensor's device is the memory of that name.
func onMemory(device, memory string) bool {
	if memory == "host" {
		return device == "cpu" || device == ""
	}
	return device == memory || device+":0" == memory
}

// storageGrowth is the growth of a group's storages in bytes.
func storageGrowth(g *evidence.Group, memory string) int64 {
	return allocated(grown(g.Bytes), grown(g.Count), memory)
}

// allocated is what so many storages of so many bytes together take. CUDA's allocator hands out multiples of 512 bytes,
// so a scalar costs that much.
func allocated(bytes, count int64, memory string) int64 {
	if strings.HasPrefix(memory, "cuda") && bytes > 0 && count > 0 {
		return (bytes/count + 511) / 512 * 512 * count
	}
	return bytes
}

// scalar reports whether a group's tensors have one element.
func scalar(g *evidence.Group) bool {
	for _, n := range g.Shape {
		if n != 1 {
			return false
		}
	}
	return true
}

// pins reports whether each new tensor of the group keeps a storage that is much larger than itself.
func pins(g *evidence.Group) bool {
	count, bytes := grown(g.Count), grown(g.Bytes)
	if count <= 0 || g.TensorBytes <= 0 {
		return false
	}
	each := bytes / count
	return each >= 2*g.TensorBytes && each >= g.TensorBytes+64
}

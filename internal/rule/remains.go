package rule

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/units"
)

// What a change ends may be less than this share of the growth without a word of the rest.
const trifle = 0.05

// heapOfTensor is what a tensor of its own takes of the heap beside its values, in bytes: 390 to 410 were measured, on
// torch 1.13 and 2.15 alike.
const heapOfTensor = 400

// Remains says what still grows once suffix was put after what the holder is given: its entries go on to be tensors,
// only smaller ones. Empty where a number or nothing of the kind is left. No figure is given where an entry is more than
// one tensor: not all that stands in it is then known.
func (c *Case) Remains(suffix string) string {
	if !c.keepsGrowing(suffix) {
		return ""
	}
	left, ok := c.left(suffix)
	grows, holder := c.BytesPerStep, "`"+c.Holder.Path+"`"
	switch {
	case !ok:
		const summary = "%s itself still grows: bound or empty it."
		return fmt.Sprintf(summary, holder)
	case c.moves(suffix):
		const summary = "%s then grows on the host, by %s per step: bound or empty it."
		return fmt.Sprintf(summary, holder, units.Bytes(left))
	case left < grows:
		const summary = "This ends %s of the %s per step; %s itself still grows, by %s: bound or empty it."
		return fmt.Sprintf(summary, units.Bytes(grows-left), units.Bytes(grows), holder, units.Bytes(left))
	}
	const summary = "%s itself still grows, by %s per step: bound or empty it."
	return fmt.Sprintf(summary, holder, units.Bytes(left))
}

// keepsGrowing reports whether the holder goes on to be given tensors.
func (c *Case) keepsGrowing(suffix string) bool {
	h, g := c.Holder, c.Group
	if h == nil || g == nil || h.Kind == "slot" || h.Path == "" || c.Elements <= 0 || g.TensorBytes <= 0 {
		return false
	}
	return suffix != ".item()" && !strings.HasPrefix(suffix, ".with_traceback")
}

// left is what the holder's entries still take per step, each of them one tensor; false where they are more than that.
func (c *Case) left(suffix string) (bytes int64, ok bool) {
	h, g := c.Holder, c.Group
	if !strings.HasSuffix(h.Elements, "Tensor") && h.Elements != "Parameter" {
		return 0, false
	}
	each := g.TensorBytes
	if !c.moves(suffix) && !strings.Contains(suffix, "clone") {
		each = max(each, g.StorageBytes) // nothing is copied: a view keeps all it was taken from
	}
	switch {
	case c.Memory.Name == "host":
		each += heapOfTensor
	case !c.moves(suffix) && strings.HasPrefix(c.Memory.Name, "cuda"):
		each = (each + 511) / 512 * 512 // what its allocator hands out
	}
	bytes = int64(c.Elements*float64(each) + 0.5)
	if c.BytesPerStep > 0 && !c.moves(suffix) {
		bytes = min(bytes, c.BytesPerStep)
	}
	return bytes, true
}

// moves reports whether what the suffix makes lies in the host's heap, and what it was put after does not.
func (c *Case) moves(suffix string) bool {
	switch c.Memory.Name {
	case "host":
		return false
	case "shm", "pinned":
		return strings.Contains(suffix, "clone")
	}
	return strings.HasSuffix(suffix, ".cpu()")
}

// RemainsWithoutGraph is what Remains says of entries that merely lose their graph, where that is more than a trifle.
func (c *Case) RemainsWithoutGraph() string {
	if !c.keepsGrowing(".detach()") {
		return ""
	}
	if left, ok := c.left(".detach()"); ok && float64(left) < trifle*float64(c.BytesPerStep) {
		return ""
	}
	return c.Remains(".detach()")
}

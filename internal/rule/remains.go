package rule

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/units"
)

// What a change ends may be less than this share of the growth without a word of the rest.
const trifle = 0.05

// Remains says what still grows once suffix was put after what the holder is given: its entries go on to be tensors,
// only smaller ones. Empty where a number or nothing of the kind is left.
func (c *Case) Remains(suffix string) string {
	left, ok := c.left(suffix)
	if !ok {
		return ""
	}
	grows, holder := c.BytesPerStep, "`"+c.Holder.Path+"`"
	switch {
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

// left is what the holder's entries still take per step; false where they are no tensors any more, or it is not known.
func (c *Case) left(suffix string) (bytes int64, ok bool) {
	h, g := c.Holder, c.Group
	if h == nil || g == nil || h.Kind == "slot" || h.Path == "" || c.Elements <= 0 || g.TensorBytes <= 0 {
		return 0, false
	}
	if suffix == ".item()" || strings.HasPrefix(suffix, ".with_traceback") {
		return 0, false
	}
	each := g.TensorBytes
	if !strings.Contains(suffix, "clone") && !c.moves(suffix) {
		each = max(each, g.StorageBytes) // nothing is copied: a view keeps all it was taken from
	}
	return int64(c.Elements*float64(each) + 0.5), true
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
	if left, ok := c.left(".detach()"); !ok || float64(left) < trifle*float64(c.BytesPerStep) {
		return ""
	}
	return c.Remains(".detach()")
}

// sentences joins what there is to say.
func sentences(texts ...string) string {
	var said []string
	for _, text := range texts {
		if text != "" {
			said = append(said, text)
		}
	}
	return strings.Join(said, " ")
}

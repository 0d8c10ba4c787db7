package rule

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/evidence"
	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/locate"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/units"
)

// Case is one fault as it was met in a run: the facts that its explanation and its fix are made of. Whatever
// was not seen is zero.
type Case struct {
	Memory finding.Memory
	Place  locate.Place     // the statement to change
	Store  locate.Place     // the statement that keeps the result, where Place is another one
	Holder *evidence.Holder // what keeps the memory alive
	Group  *evidence.Group  // the tensors held; the largest group of several
	Cycle  *evidence.Cycle

	Sources []*pysyntax.File // those in which the holder may be read

	Steps        int64   // between the first and the last census
	Tensors      float64 // per step
	Elements     float64 // per step, where the holder's length grows
	Nodes        float64 // graph nodes per step
	TensorBytes  int64   // bytes per step of tensors
	GraphBytes   int64   // bytes per step that graphs keep for a backward
	BytesPerStep int64   // what the memory grows by for this case, 0 when not known
	Retained     bool    // backward(retain_graph=True) was seen
	Evaluating   bool    // no training went on when the tensors were stored
	GradInEval   bool    // a module in eval mode was seen to run with gradients on
	TensorsOnly  bool    // the statement is given nothing but tensors: it fills one container, and all its entries are
	Trains       bool    // what the statement makes may go into a backward pass
	Consumed     bool    // a backward pass reads what is kept
}

// Every says how often it happens: "in every step" or "every 10 steps".
func (c *Case) Every() string {
	if c.Memory.Period != nil && *c.Memory.Period > 1 {
		return fmt.Sprintf("every %s steps", units.Count(*c.Memory.Period))
	}
	return "in every step"
}

// HolderName is the holder as a reader finds it: "`__main__.feats` (list, 110)".
func (c *Case) HolderName() string {
	h := c.Holder
	if h == nil || h.Path == "" {
		return "something out of Python's sight"
	}
	name := "`" + h.Path + "`"
	if h.Type == "" {
		return name
	}
	if n := len(h.Length); n > 0 && h.Kind != "slot" {
		return fmt.Sprintf("%s (%s, %s)", name, h.Type, units.Count(h.Length[n-1]))
	}
	return name + " (" + h.Type + ")"
}

// Tensor describes one tensor of the group: "a float32 tensor of shape 16×32", and what it stands in: "an entry (tuple) with
// a float32 scalar".
func (c *Case) Tensor() string {
	g := c.Group
	if g == nil {
		return "a tensor"
	}
	if h := c.Holder; h != nil && h.Kind == "container" && !c.storesTensor("") {
		return fmt.Sprintf("an entry (%s) with %s", h.Elements, tensor(g))
	}
	return tensor(g)
}

func tensor(g *evidence.Group) string {
	dtype := strings.TrimPrefix(g.DType, "torch.")
	if dtype == "" {
		dtype = "kept"
	}
	if len(g.Shape) == 0 {
		return fmt.Sprintf("a %s scalar", dtype)
	}
	return fmt.Sprintf("a %s tensor of shape %s", dtype, shape(g.Shape))
}

func shape(shape []int64) string {
	sizes := make([]string, len(shape))
	for i, n := range shape {
		sizes[i] = fmt.Sprint(n)
	}
	return strings.Join(sizes, "×")
}

// Scalar reports whether all that is known of the tensors is that each is one number.
func (c *Case) Scalar() bool {
	if c.Group == nil {
		return true
	}
	for _, n := range c.Group.Shape {
		if n != 1 {
			return false
		}
	}
	return true
}

// Survival states what the censuses saw: "110 of them were alive at the last census, 1 more per step over 24 steps".
func (c *Case) Survival() string {
	period, span := 1.0, " per step"
	if p := c.Memory.Period; p != nil && *p > 1 {
		period, span = float64(*p), " per "+units.Count(*p)+" steps"
		if c.Steps > 0 && c.Steps < *p {
			period, span = float64(c.Steps), "" // less than one period was watched
		}
	}
	var parts []string
	if c.Tensors > 0 {
		parts = append(parts, plural(c.Tensors*period, "tensor"))
	}
	if c.Tensors == 0 && c.Elements > 0 {
		parts = append(parts, plural(c.Elements*period, "entry"))
	}
	if c.Nodes > 0 {
		parts = append(parts, plural(c.Nodes*period, "graph node"))
	}
	if n := float64(c.TensorBytes+c.GraphBytes) * period; n > 0 {
		parts = append(parts, units.Bytes(int64(n)))
	}
	if len(parts) == 0 && c.Cycle != nil && c.Cycle.Bytes > 0 {
		return fmt.Sprintf("%s with %s waited for the collector when last seen", plural(float64(c.Cycle.Count), "tensor"), units.Bytes(c.Cycle.Bytes))
	}
	if len(parts) == 0 {
		return "memory stays"
	}
	text := join(parts) + span
	if c.Steps > 0 {
		text += fmt.Sprintf(" stayed alive over the %s steps watched", units.Count(c.Steps))
	} else {
		text += " stay alive"
	}
	return text
}

// Gets says that the holder takes tensors and gives none back, with the figures.
func (c *Case) Gets() string {
	if c.Holder != nil && c.Holder.Kind == "slot" && c.Tensors == 0 {
		return fmt.Sprintf("%s is made longer %s and never shorter: %s%s.", c.HolderName(), c.Every(), c.Survival(), c.Cost())
	}
	return fmt.Sprintf("%s gets %s %s and gives none back: %s%s.", c.HolderName(), c.Tensor(), c.Every(), c.Survival(), c.Cost())
}

// storesTensor reports whether what the statement stores is a tensor (or an exception, for what wraps those): an entry
// that is a dict or a tuple of several cannot be wrapped as a whole.
func (c *Case) storesTensor(suffix string) bool {
	h := c.Holder
	if h == nil || h.Kind == "slot" || h.Elements == "" || strings.HasSuffix(h.Elements, "Tensor") || h.Elements == "Parameter" {
		return true
	}
	return strings.HasPrefix(suffix, ".with_traceback")
}

// Growth is the rate of this case: "2.0 MiB per step", or empty.
func (c *Case) Growth() string {
	n := c.BytesPerStep
	if n <= 0 && c.Memory.BytesPerStep != nil {
		n = *c.Memory.BytesPerStep
	}
	if n <= 0 {
		return ""
	}
	return units.Bytes(n) + " per step"
}

// Cost ends a sentence: " (2.0 MiB per step of host memory)", or nothing when the rate is not known or Survival
// says the same already.
func (c *Case) Cost() string {
	g := c.Growth()
	if g == "" || g == units.Bytes(c.TensorBytes+c.GraphBytes)+" per step" {
		return ""
	}
	return " (" + g + " of " + memoryName(c.Memory) + ")"
}

// memoryName is a memory within a sentence.
func memoryName(m finding.Memory) string {
	switch {
	case m.Name == "shm":
		return "shared memory"
	case m.Kind == "worker":
		return "each worker's memory"
	}
	return m.Name + " memory"
}

// HasGraph reports whether the tensors held carry an autograd graph.
func (c *Case) HasGraph() bool {
	return c.Nodes > 0 || c.GraphBytes > 0 || (c.Group != nil && c.Group.GradFn != "")
}

// Statement is the code to change in quotes, or fallback when the source could not be read.
func (c *Case) Statement(fallback string) string {
	if c.Place.Location.Code == "" {
		return fallback
	}
	return "`" + c.Place.Location.Code + "`"
}

func plural(x float64, noun string) string {
	number := units.Count(int64(x + 0.5))
	if x < 9.95 && x != float64(int64(x)) {
		number = fmt.Sprintf("%.2g", x)
	}
	if number == "1" {
		return number + " " + noun
	}
	if strings.HasSuffix(noun, "y") {
		return number + " " + strings.TrimSuffix(noun, "y") + "ies"
	}
	return number + " " + noun + "s"
}

func join(parts []string) string {
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

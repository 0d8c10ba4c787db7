package rule

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/finding"
	"github.com/torchleak/torchleak/internal/patch"
)

// Advice is a fix in words only.
func Advice(summary string) *finding.Fix { return &finding.Fix{Summary: summary} }

// Alone is a fix in words only, which no patch goes with that was made without what the run saw.
func Alone(summary string) *finding.Fix { return &finding.Fix{Summary: summary, Alone: true} }

// Patched is a fix with the diff of a patch; without one where the patch could not be made.
func Patched(summary string, safe bool, p patch.Patch, err error) *finding.Fix {
	fix := &finding.Fix{Summary: summary}
	if err == nil && p.Diff != "" {
		fix.Diff, fix.Raw, fix.Safe = p.Diff, p.Raw, safe
	}
	return fix
}

// WrapStored is a fix that puts suffix after the value the case's statement stores, where that is a tensor. What a
// backward pass reads later keeps its graph.
func WrapStored(c *Case, summary, suffix string, safe bool) *finding.Fix {
	p := c.Place
	if c.Consumed && !strings.HasPrefix(suffix, ".with_traceback") {
		if c.Holder != nil && c.Holder.Kind == "slot" {
			return Alone(fmt.Sprintf("A backward pass reads %s, so it may need its graph: take it off once that backward is done (`.detach()`).", c.HolderName()))
		}
		return Alone(fmt.Sprintf("A backward pass reads what %s keeps, so it may need its graph: empty it once that backward is done (`.clear()`).", c.HolderName()))
	}
	words := &finding.Fix{Remains: c.Remains(suffix)}
	words.Summary = finding.Sentences(summary, words.Remains)
	if !c.keptByPackage() && !c.storesTensor(suffix) {
		const several = "An entry holds several values, so it cannot be wrapped as a whole: do this to each tensor in it, where it is put together."
		words.Summary = finding.Sentences(words.Summary, several)
		return words
	}
	if c.keptByPackage() || !p.Readable() || !Wrappable(p.Value) || p.Unpacks() || strings.HasPrefix(p.Location.Code, "for ") {
		return words
	}
	wrap := patch.WrapGuarded
	if c.TensorsOnly || strings.HasPrefix(suffix, ".with_traceback") {
		wrap = patch.WrapValue
	}
	patched, err := wrap(p, suffix)
	return Patched(words.Summary, safe && p.Seen, patched, err)
}

// Loosened is a fix that keeps less of a tensor that the case's statement stores: the number, where each is one and it is
// proven that all who read it take numbers; else the tensor without its graph, and as a copy where it would keep a
// larger storage. Lint's Loosen says the same of a statement that never ran.
func Loosened(c *Case, summary string) *finding.Fix {
	if c.Scalar() && c.readAsNumbers() {
		return WrapStored(c, "Store the number: `.item()`, or `.detach().clone()` where waiting for the device costs too much.", ".item()", false)
	}
	if g := c.Group; g != nil && g.TensorBytes > 0 && g.StorageBytes > g.TensorBytes {
		return WrapStored(c, "Keep a copy without its graph: `.detach().clone()`. Its storage is larger than it is, and stays without the copy.", ".detach().clone()", false)
	}
	return WrapStored(c, summary, ".detach()", false)
}

// OffDevice reports whether the tensors lie on a device and may go to the host: those who read them join them with none
// that stay.
func (c *Case) OffDevice() bool { return c.Memory.Name != "host" && c.readAsNumbers() }

// Wrappable reports whether a stored expression can be one tensor. A display of several values ({…}, […], a, b)
// or a lambda cannot: a suffix would be put on the wrong thing.
func Wrappable(value string) bool {
	if value == "" || strings.HasPrefix(value, "lambda") || strings.ContainsAny(value[:1], "{[\"'") {
		return false
	}
	depth := 0
	for _, r := range value {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			// A tuple with or without parentheses of its own.
			if depth == 0 || depth == 1 && value[0] == '(' {
				return false
			}
		}
	}
	return true
}

// keptByPackage reports whether a function of an installed package keeps the tensors under a name of its own. The
// user's statement then calls that function and hands it no tensor that a suffix could be put on.
func (c *Case) keptByPackage() bool {
	return c.Holder != nil && c.Holder.Scope.Kind == "local" &&
		(strings.Contains(c.Holder.Scope.File, "/site-packages/") || strings.Contains(c.Holder.Scope.File, "/dist-packages/"))
}

package rule

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
)

// Kept yields the stores of the file that are a fault of the named rule. One store belongs to one rule at most.
func (p *Pass) Kept(name string) iter.Seq2[*pyflow.Function, *pyflow.Store] {
	return func(yield func(*pyflow.Function, *pyflow.Store) bool) {
		for _, f := range p.Flow.Functions {
			for _, s := range f.Stores {
				if family(p, f, s) == name && !yield(f, s) {
					return
				}
			}
		}
	}
}

// family names the rule that a store offends, empty if it does none.
func family(p *Pass, f *pyflow.Function, s *pyflow.Store) string {
	if s.Holder.Bounded || s.Holder.Emptied || s.Holder.Consumed {
		return ""
	}
	if (f.Role == pyflow.Forward || f.Role == pyflow.FunctionForward || f.Role == pyflow.TrainingStep) && ofArgument(p, f, s) {
		return "" // the caller made it for this call
	}
	t := s.What.Traits | s.What.Parts
	graph := t&pyflow.Graph != 0
	if !graph && s.Holder.Scope == pyflow.Local && ofFew(p, s) {
		return ""
	}
	switch s.How {
	case pyflow.Assigned:
		return ""
	case pyflow.Summed, pyflow.Concats, pyflow.Carried:
		return carried(f, s, graph)
	}
	switch {
	case t&pyflow.StateDict != 0:
		return "kept-state-dict"
	case t&pyflow.Exception != 0:
		return "kept-exception"
	case s.How == pyflow.Keyed && s.Guard && !graph && t&pyflow.Tensor != 0 && s.Holder.Scope != pyflow.Local:
		return "tensor-cache"
	case t&pyflow.View != 0 && !graph:
		return "kept-view"
	case s.Holder.Type == "module list" && t&pyflow.Net != 0:
		return "growing-parameters"
	case t&pyflow.Net != 0 && t&pyflow.Tensor == 0:
		return ""
	case graph:
		return graphKept(f, s, t)
	case f.Role == pyflow.Forward || f.Role == pyflow.Hook:
		if t&pyflow.Tensor != 0 && !f.Mode.NoGrad {
			return "kept-activation"
		}
	case (t&pyflow.Batch != 0 || record(s)) && trains(s):
		return "kept-batch"
	case t&pyflow.Loss == 0 && t&(pyflow.Sized|pyflow.Batch) != 0 && s.Holder.Scope != pyflow.Local && !s.Mode.NoGrad && trains(s) && !elsewhere(s):
		return "growing-container"
	case t&pyflow.Loss == 0 && t&(pyflow.Sized|pyflow.Batch) != 0 && trains(s) && onlyNewest(p, s):
		return "growing-container"
	case t&(pyflow.Tensor|pyflow.Array) != 0 && s.Holder.Scope != pyflow.Local && s.Loop != nil && s.Loop.Feeds:
		return "growing-container"
	}
	return ""
}

// onlyNewest reports whether somebody reads the newest entries of a holder, and nobody the others.
func onlyNewest(p *Pass, s *pyflow.Store) bool {
	if s.How != pyflow.Appended {
		return false
	}
	reads := ReadsOf(p, s)
	return reads.Any && !reads.Whole && !reads.Chosen && (reads.Newest > 0 || reads.Span != "")
}

// record reports whether what is kept is several tensors together, as a transition in a replay memory.
func record(s *pyflow.Store) bool {
	return s.What.Traits&pyflow.Tensor == 0 && s.What.Parts&pyflow.Tensor != 0 && s.What.Parts&pyflow.Loss == 0 &&
		s.Holder.Scope != pyflow.Local && !s.Mode.NoGrad
}

// ofFew reports whether a store stands in a loop of ten rounds at most, as its source says: what a test compares.
func ofFew(p *Pass, s *pyflow.Store) bool {
	if s.Loop == nil || s.Loop.Node == pysyntax.None {
		return false
	}
	right := p.File.Text(p.File.Child(s.Loop.Node, pysyntax.FieldRight))
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(right, "range("), ")"))
	return err == nil && n <= 10
}

// elsewhere reports whether another file's code does the storing.
func elsewhere(s *pyflow.Store) bool {
	return len(s.Via) > 0 && s.Value == pysyntax.None
}

// ofArgument reports whether what keeps is an argument of the function, or in one.
func ofArgument(p *Pass, f *pyflow.Function, s *pyflow.Store) bool {
	name, _, item := strings.Cut(s.Holder.Path, "[")
	return s.Holder.Scope == pyflow.Argument || item && !strings.Contains(name, ".") && slices.Contains(p.File.Parameters(f.Node), name)
}

func trains(s *pyflow.Store) bool { return s.Loop != nil && s.Loop.Trains }

func carried(f *pyflow.Function, s *pyflow.Store, graph bool) string {
	switch {
	case !graph && s.How == pyflow.Concats && s.Holder.Scope != pyflow.Local && (trains(s) || f.Role == pyflow.Forward && !f.Mode.NoGrad):
		return "kept-output"
	case !graph:
		return ""
	case s.Mode.Evaluation && s.How == pyflow.Carried && s.Holder.Scope == pyflow.Local:
		return "" // decoding: it ends with the call
	case s.Mode.Evaluation:
		return "grad-in-evaluation"
	case s.How == pyflow.Summed:
		return "summed-loss"
	case s.How == pyflow.Concats:
		return "kept-output"
	}
	return "carried-state"
}

func graphKept(f *pyflow.Function, s *pyflow.Store, t pyflow.Trait) string {
	switch {
	case (f.Role == pyflow.Forward || f.Role == pyflow.Hook) && t&pyflow.Loss == 0:
		return "kept-activation"
	case s.Mode.Evaluation:
		return "grad-in-evaluation"
	case t&pyflow.Loss != 0:
		return "kept-loss"
	case s.How == pyflow.Keyed && s.Guard:
		return "tensor-cache"
	case t&pyflow.Activation != 0:
		return "kept-output"
	}
	return "kept-loss"
}

// Cost is Heavy where activations hang on what a store keeps, Light where a backward has freed them.
func Cost(s *pyflow.Store) Severity {
	if t := s.What.Traits | s.What.Parts; t&pyflow.Graph != 0 && t&pyflow.Spent != 0 {
		return Light
	}
	return Heavy
}

// HolderText is the holder of a store as a reader finds it: "the list `losses`".
func HolderText(s *pyflow.Store) string {
	h := s.Holder
	typ := h.Type
	switch typ {
	case "", "tensor":
		return "`" + h.Path + "`"
	}
	return "the " + typ + " `" + h.Path + "`"
}

// Behind ends a sentence with what hangs on the value that a store keeps.
func Behind(s *pyflow.Store) string {
	if Cost(s) == Light {
		return "backward() frees the activations, but the nodes of its graph stay on the host with it."
	}
	return "The activations of the whole forward that made it stay with it."
}

// Through says by which call a store in another file is reached.
func Through(s *pyflow.Store) string {
	if len(s.Via) == 0 {
		return ""
	}
	last := s.Via[len(s.Via)-1]
	return " in `" + last.File.Name(last.Node) + "`"
}

// Suffixed is a fix that puts suffix, such as ".detach()", behind each of the expressions.
func Suffixed(f *pysyntax.File, nodes []pysyntax.Ref, suffix, summary string, safe bool) *Edit {
	if len(nodes) == 0 {
		return nil
	}
	e := &Edit{Summary: summary, Safe: safe, Cuts: suffix == ".detach()"}
	for _, r := range nodes {
		n := f.Node(r)
		if strings.HasSuffix(f.Text(r), suffix) || f.Is(r, pysyntax.ListSplat, pysyntax.DictionarySplat, pysyntax.Yield) {
			return nil
		}
		if f.Is(r, pysyntax.Identifier, pysyntax.Attribute, pysyntax.Call, pysyntax.Subscript, pysyntax.ParenthesizedExpression) {
			e.Edits = append(e.Edits, patch.Edit{Start: n.End, End: n.End, Text: suffix})
			continue
		}
		e.Edits = append(e.Edits, patch.Edit{Start: n.Start, End: n.Start, Text: "("}, patch.Edit{Start: n.End, End: n.End, Text: ")" + suffix})
	}
	return e
}

// Cut is a fix that puts suffix behind what a store keeps. A name that the function was handed may be a number as
// well: it is asked first.
func Cut(p *Pass, f *pyflow.Function, s *pyflow.Store, nodes []pysyntax.Ref, suffix, summary string) *Edit {
	if f.Role == pyflow.Forward || f.Role == pyflow.Hook || f.Node == pysyntax.None {
		return Suffixed(p.File, nodes, suffix, summary, true)
	}
	return cut(p.File, f.Node, nodes, suffix, summary, s.What.Traits&pyflow.Number == 0 || s.How == pyflow.Summed)
}

// cut puts suffix behind each of nodes in a function.
func cut(f *pysyntax.File, function pysyntax.Ref, nodes []pysyntax.Ref, suffix, summary string, safe bool) *Edit {
	given := map[string]bool{}
	for _, name := range f.Parameters(function) {
		given[name] = true
	}
	asked := make([]pysyntax.Ref, 0, len(nodes))
	for _, r := range nodes {
		if name := firstOf(f, r, given); name != pysyntax.None {
			asked = append(asked, name)
		}
	}
	switch {
	case len(asked) == 0:
		return Suffixed(f, nodes, suffix, summary, safe)
	case len(asked) != len(nodes) || !f.Mentions("import torch\n"):
		return nil
	}
	e := &Edit{Summary: summary, Safe: true, Cuts: suffix == ".detach()"}
	for _, r := range asked {
		n, name := f.Node(r), f.Text(r)
		open, end := "(", ")"
		if f.Kind(n.Parent) == pysyntax.ArgumentList {
			open, end = "", ""
		}
		e.Edits = append(e.Edits, patch.Edit{Start: n.Start, End: n.Start, Text: open},
			patch.Edit{Start: n.End, End: n.End, Text: suffix + " if torch.is_tensor(" + name + ") else " + name + end})
	}
	return e
}

// Loosen is how a store keeps less: without the graph, or as a number where that does for all who read it, and what ends
// the growth that is left then.
func Loosen(p *Pass, f *pyflow.Function, s *pyflow.Store, summary string) (fix, further *Edit) {
	if ofChoice(s.Site.File, s.Site.Value) {
		return &Edit{Summary: "Empty it once it was trained on, at the end of each episode: without its graph nothing is learned from it."}, nil
	}
	if number(p, s) {
		return Cut(p, f, s, s.Shown, ".item()", "Keep the number: `.item()`, which is all that is read of it."), nil
	}
	fix, further = Cut(p, f, s, s.Shown, ".detach()", summary), Bound(p, s)
	if fix == nil && s.Site.File != p.File && (s.What.Traits|s.What.Parts)&pyflow.Graph != 0 {
		function := s.Site.File.Function(s.Site.At)
		if fix = cut(s.Site.File, function, s.Site.Shown, ".detach()", summary, false); fix != nil {
			fix.File, fix.Safe = s.Site.File, false
		}
	}
	return fix, further
}

// ofChoice reports whether an expression is how likely a choice was, or a name for that: what is kept to be trained on.
func ofChoice(f *pysyntax.File, value pysyntax.Ref) bool {
	const likelihood = ".log_prob("
	if f == nil || value == pysyntax.None {
		return false
	}
	if strings.Contains(f.Text(value), likelihood) {
		return true
	}
	names := map[string]bool{}
	for r := range f.Walk(f.Function(value)) {
		if f.Kind(r) != pysyntax.Assignment {
			continue
		}
		if right := f.Child(r, pysyntax.FieldRight); right != pysyntax.None && strings.Contains(f.Text(right), likelihood) {
			names[f.Text(f.Child(r, pysyntax.FieldLeft))] = true
		}
	}
	return firstOf(f, value, names) != pysyntax.None
}

// number reports whether s keeps losses, each one number, that are read as numbers only.
func number(p *Pass, s *pyflow.Store) bool {
	if s.Site.File != p.File || s.How == pyflow.Concats || (s.What.Traits|s.What.Parts)&pyflow.Loss == 0 || s.What.Traits&pyflow.Sized != 0 {
		return false
	}
	if s.What.Traits&pyflow.Loss == 0 && s.What.Parts&(pyflow.Sized|pyflow.Activation|pyflow.Batch) != 0 {
		return false // other things stand beside the losses
	}
	return keptBy(s).numbers(ReadsOf(p, s))
}

// firstOf returns the first of the names that an expression is, or is computed from by operators.
func firstOf(f *pysyntax.File, r pysyntax.Ref, names map[string]bool) pysyntax.Ref {
	switch f.Kind(r) {
	case pysyntax.Identifier:
		if names[f.Text(r)] {
			return r
		}
	case pysyntax.BinaryOperator, pysyntax.UnaryOperator, pysyntax.ParenthesizedExpression:
		for c := range f.Children(r) {
			if name := firstOf(f, c, names); name != pysyntax.None {
				return name
			}
		}
	}
	return pysyntax.None
}

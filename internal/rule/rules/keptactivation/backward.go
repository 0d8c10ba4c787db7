package keptactivation

import (
	"fmt"
	"strings"

	"github.com/torchleak/torchleak/internal/patch"
	"github.com/torchleak/torchleak/internal/pyflow"
	"github.com/torchleak/torchleak/internal/pysyntax"
	"github.com/torchleak/torchleak/internal/rule"
)

// forBackward finds forward hooks that store what only a backward hook takes out again, in a program that also runs the
// model without gradients: no backward follows then.
func forBackward(p *rule.Pass) {
	for _, fn := range p.Flow.Functions {
		if fn.Role != pyflow.Hook || !registered(p.File, fn.Node, "register_forward_hook", "register_forward_pre_hook") || strings.Contains(p.File.Text(fn.Node), "is_grad_enabled") {
			continue
		}
		for _, s := range fn.Stores {
			if s.How != pyflow.Appended || s.Site.File != p.File || (s.What.Traits|s.What.Parts)&pyflow.Tensor == 0 || !takenByBackward(p.File, s) || !evaluates(p, fn) {
				continue
			}
			p.Report(rule.Mark{At: s.At, Severity: rule.Heavy, Fix: whileGradients(p.File, s.At),
				Why: fmt.Sprintf("%s gets a tensor from each forward, and only a backward takes it out: what runs under `no_grad` leaves it there.", rule.HolderText(s))})
		}
	}
}

// registered reports whether a function is given to one of the methods by its name.
func registered(f *pysyntax.File, function pysyntax.Ref, methods ...string) bool {
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.Call {
			continue
		}
		callee := f.Child(r, pysyntax.FieldFunction)
		hook := f.FirstChild(f.Child(r, pysyntax.FieldArguments))
		if f.Kind(hook) == pysyntax.Attribute {
			hook = f.Child(hook, pysyntax.FieldAttribute)
		}
		if hook == pysyntax.None || !f.Says(hook, f.Name(function)) {
			continue
		}
		for _, m := range methods {
			if f.Says(f.Child(callee, pysyntax.FieldAttribute), m) {
				return true
			}
		}
	}
	return false
}

// takenByBackward reports whether backward hooks, and nobody else, take entries out of the container.
func takenByBackward(f *pysyntax.File, s *pyflow.Store) bool {
	name := s.Holder.Path[strings.LastIndexByte(s.Holder.Path, '.')+1:]
	found := false
	for r := range f.Walk(pysyntax.None) {
		if f.Kind(r) != pysyntax.Attribute || !f.Says(f.Child(r, pysyntax.FieldAttribute), name) {
			continue
		}
		parent := f.Parent(r)
		switch f.Kind(parent) {
		case pysyntax.Attribute:
			switch f.Text(f.Child(parent, pysyntax.FieldAttribute)) {
			case "pop":
				if !registered(f, f.Function(r), "register_full_backward_hook", "register_backward_hook", "register_full_backward_pre_hook") {
					return false
				}
				found = true
			case "clear":
				return false
			}
		case pysyntax.DeleteStatement:
			return false
		case pysyntax.Assignment:
			if f.Child(parent, pysyntax.FieldLeft) == r && f.Name(f.Function(r)) != "__init__" {
				return false
			}
		}
	}
	return found
}

// evaluates reports whether the program around runs without gradients while the hook stores: a hook that asks whether the
// module trains is spared by eval().
func evaluates(p *rule.Pass, hook *pyflow.Function) bool {
	spared := strings.Contains(p.File.Text(hook.Node), ".training")
	without := false
	for _, f := range p.Flow.Near() {
		if spared && f.Mentions(".eval()") {
			return false
		}
		without = without || f.Mentions("no_grad()", "inference_mode()")
	}
	return without
}

// whileGradients stores only where a backward may follow. Nothing else changes: what is stored without gradients is never
// taken out.
func whileGradients(f *pysyntax.File, statement pysyntax.Ref) *rule.Edit {
	e := &rule.Edit{Summary: "Store only what a backward may follow: `if torch.is_grad_enabled():`.", Safe: true}
	torch, edits := patch.Import(f, "torch")
	if strings.Contains(f.Text(statement), "\n") {
		return e
	}
	wrapped, err := patch.Replace(f, statement, "if "+torch+".is_grad_enabled():\n\t"+f.Text(statement))
	if err == nil {
		e.Edits = append(edits, wrapped...)
	}
	return e
}
